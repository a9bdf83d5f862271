// A direction without sign has a colour without sign: the squares of its parts share out the colours of
// the axes, and sum up to one. Turning the line by a half turn changes nothing.
void main()
{
  float has = dot(run, run);
  vec3 share = run * run / max(has, 1e-12);
  vec3 axes = share.x * axis_x + share.y * axis_y + share.z * axis_z;
  colour = vec4(seen(has > 0.25 ? axes : none), opacity);
}
