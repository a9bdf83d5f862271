void main()
{
  gl_Position = view_projection * vec4(pos, 1.0);
  at = pos;
}
