// A contact: a point, and an arrow along the friction that it bears. `corner` is a place of the arrow:
// x along it, y across it, in parts of its length.
void main()
{
  vec3 friction = force - dot(force, normal) * normal;
  vec3 side = cross(normal, friction);
  vec3 at = pos + metres_a_newton * (corner.x * friction + corner.y * side);
  gl_Position = view_projection * vec4(at, 1.0);
  // So that the surface does not cover it; in perspective by a part of the distance, not of the depth.
  gl_Position.z -= TRIBO_NEARER * min(gl_Position.w, 15.0 * (gl_Position.w - gl_Position.z));
  gl_PointSize = point_size;
  paint = state > 0.5 ? TRIBO_SLIPS : TRIBO_STICKS;
}
