// Faces that an edge passes through, also where something covers them.
void main()
{
  vec3 across = cross(dFdx(at), dFdy(at));
  float facing = abs(normalize(across + vec3(1e-20)).z);
  colour = vec4(seen(TRIBO_PIERCED * (0.7 + 0.3 * facing)), opacity);
}
