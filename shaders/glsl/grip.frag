// The multiplier of friction as the core reads it (model/paint_build.c): a channel, times the scale. As
// it is, 1, has no colour; less goes to blue and is full at 0, more goes to red and is full at 2.
void main()
{
  float grip = dot(texture(map, place), channel) * scale;
  float less = clamp(1.0 - grip, 0.0, 1.0), more = clamp(grip - 1.0, 0.0, 1.0);
  vec3 paint = less > more ? TRIBO_ICE : TRIBO_ROUGH;
  colour = vec4(seen(paint), opacity * max(less, more));
}
