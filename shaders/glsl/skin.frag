// The surface that others touch: yellow where it is thin (1), striped where it is a hole (2).
void main()
{
  vec3 across = cross(dFdx(at), dFdy(at));
  float facing = abs(normalize(across + vec3(1e-20)).z);
  bool stripe = open > 1.5 && fract((gl_FragCoord.x + gl_FragCoord.y) / 8.0) < 0.5;
  vec3 whole = mix(TRIBO_SKIN, TRIBO_THIN, clamp(open, 0.0, 1.0)) * (0.55 + 0.45 * facing);
  colour = stripe ? vec4(seen(TRIBO_HOLES), 0.9) : vec4(seen(whole), opacity);
}
