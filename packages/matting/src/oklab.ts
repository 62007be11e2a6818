/** Writes the OKLab coordinates L, a and b, times 100, of an sRGB color of 0..255 a channel (Björn Ottosson, 2020). */
export function writeOklab(red: number, green: number, blue: number, lab: Float64Array): void {
  const r = toLinear(red);
  const g = toLinear(green);
  const b = toLinear(blue);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  lab[0] = 100 * (0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s);
  lab[1] = 100 * (1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s);
  lab[2] = 100 * (0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s);
}

/** Linear light in sixteen steps per level: finer than a gradient's noise, and without a power per pixel. */
const linear = Float64Array.from({ length: 255 * 16 + 1 }, (_, step) => {
  const c = step / 16 / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
});
const toLinear = (value: number): number => linear[Math.round(16 * value)];
