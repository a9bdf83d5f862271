void main()
{
  gl_Position = view_projection * vec4(pos, 1.0);
  gl_Position.z -= TRIBO_NEARER * gl_Position.w;
  open = hole;
  at = pos;
}
