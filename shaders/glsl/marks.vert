// A mark of the structure on the surface. `direction` is unit, or zero where there is no structure.
void main()
{
  gl_Position = view_projection * vec4(pos, 1.0);
  gl_Position.z -= TRIBO_NEARER * gl_Position.w; // so that the surface does not cover its own marks
  run = direction;
}
