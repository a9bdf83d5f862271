void main()
{
  gl_Position = view_projection * vec4(pos, 1.0);
  // So that the surface does not cover it; in perspective by a part of the distance, not of the depth.
  gl_Position.z -= TRIBO_NEARER * min(gl_Position.w, 15.0 * (gl_Position.w - gl_Position.z));
  place = uv;
}
