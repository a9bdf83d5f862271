// Colours are given as they shall be seen. Where the target encodes what is written as sRGB, they are
// written as light.
vec3 seen(vec3 shown)
{
  vec3 low = shown / 12.92, high = pow((shown + 0.055) / 1.055, vec3(2.4));
  return encoded > 0.5 ? mix(high, low, lessThanEqual(shown, vec3(0.04045))) : shown;
}

