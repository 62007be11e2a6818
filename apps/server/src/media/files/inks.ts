/** Converts sRGB colors to the four inks, by the generic CMYK profile that sharp brings along (lcms). */
import type { Job } from '@markwright/scene';
import { type Cmyk, gradientColors, type ToCmyk } from '@markwright/scene/inkFiles';
import sharp from 'sharp';

/** What a report calls this conversion. */
export const CMYK_PROFILE = 'CMYK by a generic profile';

/**
 * Converts pixels, three bytes each, to four inks, 255 being full. Black stays black ink alone: fine lines of several
 * inks would need a register that no flatbed keeps.
 */
export async function pixelsToInks(rgb: Uint8Array, width: number, height: number): Promise<Uint8Array> {
  const inks = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .toColourspace('cmyk')
    .raw()
    .toBuffer();
  for (let i = 0, p = 0; i < rgb.length; i += 3, p += 4) {
    if (rgb[i] === 0 && rgb[i + 1] === 0 && rgb[i + 2] === 0) inks.set(BLACK_INK, p);
  }
  return inks;
}

const BLACK_INK = [0, 0, 0, 255];

/** Returns a conversion for every color that a job shows. It throws an Error for another one. */
export async function inksOf({ plates }: Job): Promise<ToCmyk> {
  const colors = [...new Set(plates.flatMap((plate) => (plate.kind === 'color' ? colorsOf(plate.groups) : [])))];
  if (colors.length === 0) return () => [0, 0, 0, 0];
  const rgb = Uint8Array.from(
    colors.flatMap((color) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))),
  );
  const inks = await pixelsToInks(rgb, colors.length, 1);
  const table = new Map(
    colors.map((color, i) => [color, [...inks.subarray(4 * i, 4 * i + 4)].map((ink) => ink / 255)]),
  );
  return (color) => {
    const ink = table.get(color);
    if (!ink) throw new Error(`The color ${color} is not one of the job.`);
    return ink as unknown as Cmyk;
  };
}

type ColorGroups = Extract<Job['plates'][number], { kind: 'color' }>['groups'];

const colorsOf = (groups: ColorGroups): string[] =>
  groups.flatMap(({ shapes }) =>
    shapes.flatMap(({ fill, stroke, gradient }) => [
      ...(gradient ? gradientColors(gradient) : fill ? [fill] : []),
      ...(stroke ? [stroke] : []),
    ]),
  );
