void main()
{
  colour = vec4(seen(paint), opacity);
}
