// A direction without sign has a colour without sign: the squares of its parts share out the colours of
// the axes, and sum up to one. Turning the line by a half turn changes nothing.
void main()
{
  float has = dot(run, run);
  vec3 share = run * run / max(has, 1e-12);
  vec3 axes = share.x * TRIBO_AXIS_X + share.y * TRIBO_AXIS_Y + share.z * TRIBO_AXIS_Z;
  colour = vec4(seen(has > 0.25 ? axes : TRIBO_NO_STRUCTURE), opacity);
}
