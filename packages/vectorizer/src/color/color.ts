/** Conversions between sRGB bytes, OKLab (Björn Ottosson, 2020; lightness is about 0..1) and hex. */

const LINEAR = new Float64Array(256).map((_, i) => {
  const c = i / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
});

const TOE_1 = 0.206;
const TOE_2 = 0.03;
const TOE_3 = (1 + TOE_1) / (1 + TOE_2);

/**
 * Writes L, a, b of an sRGB color (0..255 each, rounded to bytes) to `out` at `at`. Lightness has Ottosson's toe
 * function, and chroma is scaled with it: plain OKLab puts the eight darkest levels as far apart as two clearly
 * different grays.
 */
export function writeOklab(red: number, green: number, blue: number, out: Float64Array, at: number): void {
  const r = LINEAR[toByte(red)];
  const g = LINEAR[toByte(green)];
  const b = LINEAR[toByte(blue)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  const linearPart = TOE_3 * lightness - TOE_1;
  const toeLightness = 0.5 * (linearPart + Math.sqrt(linearPart * linearPart + 4 * TOE_2 * TOE_3 * lightness));
  const shrink = lightness > 1e-6 ? toeLightness / lightness : 0;
  out[at] = toeLightness;
  out[at + 1] = shrink * (1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s);
  out[at + 2] = shrink * (0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s);
}

/** Returns `#rrggbb` for sRGB values, rounded and clamped to 0..255. */
export function toHex(red: number, green: number, blue: number): string {
  return `#${((1 << 24) | (toByte(red) << 16) | (toByte(green) << 8) | toByte(blue)).toString(16).slice(1)}`;
}

/** Returns true for white and for colors close enough to it to be white paper. */
export function isPaper(hex: string): boolean {
  const value = Number.parseInt(hex.slice(1), 16);
  return value >> 16 >= 0xfa && ((value >> 8) & 255) >= 0xfa && (value & 255) >= 0xfa;
}

function toByte(value: number): number {
  return value <= 0 ? 0 : value >= 255 ? 255 : Math.round(value);
}
