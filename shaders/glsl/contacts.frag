void main()
{
  colour = vec4(paint, opacity);
}
