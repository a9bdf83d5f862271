// The surface that others touch. Where it has too few samples it is striped.
void main()
{
  vec3 across = cross(dFdx(at), dFdy(at));
  float facing = abs(normalize(across + vec3(1e-20)).z);
  bool stripe = open > 0.5 && fract((gl_FragCoord.x + gl_FragCoord.y) / 8.0) < 0.5;
  vec3 paint = stripe ? holes : surface * (0.55 + 0.45 * facing);
  colour = vec4(paint, stripe ? 0.9 : opacity);
}
