/** Colors and gradients of a PDF. */
import type { Gradient, GradientStop } from '../../artwork/artwork.ts';
import { type Matrix, multiply } from '../../geometry/matrix.ts';
import { pdfNumbers } from './pdfFile.ts';

/** Cyan, magenta, yellow and black, each 0…1. */
export type Cmyk = readonly [number, number, number, number];
/** Converts `#rrggbb`. */
export type ToCmyk = (color: string) => Cmyk;

/**
 * The plain conversion: the gray that three inks would make is printed black instead (full gray component replacement).
 * It knows no ink and no paper.
 */
export function plainCmyk(color: string): Cmyk {
  const [r, g, b] = toRgb(color);
  const light = Math.max(r, g, b);
  if (light === 0) return [0, 0, 0, 1];
  return [1 - r / light, 1 - g / light, 1 - b / light, 1 - light];
}

const toRgb = (color: string): readonly [number, number, number] => {
  const value = Number.parseInt(color.slice(1), 16);
  return [((value >> 16) & 255) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
};

/** The colors of a file: names of the color space, and operands in it. */
export interface PdfColors {
  readonly space: '/DeviceCMYK' | '/DeviceRGB';
  /** `0 1 1 0` */
  readonly operands: (color: string) => string;
  readonly fill: (color: string) => string;
  readonly stroke: (color: string) => string;
}

/** Returns the colors as four inks, or as sRGB values without a conversion. */
export function pdfColors(toCmyk: ToCmyk | undefined): PdfColors {
  const operands = (color: string) => pdfNumbers(...(toCmyk ?? toRgb)(color));
  const [fill, stroke] = toCmyk ? ['k', 'K'] : ['rg', 'RG'];
  return {
    space: toCmyk ? '/DeviceCMYK' : '/DeviceRGB',
    operands,
    fill: (color) => `${operands(color)} ${fill}`,
    stroke: (color) => `${operands(color)} ${stroke}`,
  };
}

/** True when a gradient needs a soft mask. */
export const isTranslucent = ({ stops }: Gradient): boolean => stops.some(({ opacity = 1 }) => opacity < 1);

/**
 * Writes the shading dictionary of a gradient in its own place: `pdfNumbers` of `gradientMatrix` puts it there. With
 * `opacity` it shades the gradient's opacity as gray instead of its colors.
 */
export function pdfShading(gradient: Gradient, colors: PdfColors, kind: 'color' | 'opacity'): string {
  const space = kind === 'color' ? colors.space : '/DeviceGray';
  const operands = kind === 'color' ? ({ color }: GradientStop) => colors.operands(color) : opacityOperand;
  const stops = kind === 'color' && colors.space === '/DeviceCMYK' ? subdivide(gradient.stops) : gradient.stops;
  const coords = gradient.kind === 'linear' ? '/ShadingType 2 /Coords [0 0 1 0]' : RADIAL;
  return `<< ${coords} /ColorSpace ${space} /Extend [true true] /Function ${writeRamp(stops, operands)} >>`;
}

const RADIAL = '/ShadingType 3 /Coords [0 0 0 0 0 1]';
const opacityOperand = ({ opacity = 1 }: GradientStop) => pdfNumbers(opacity);

/** Returns the matrix from the unit line, or the unit circle, to the gradient's line, circle or ellipse. */
export function gradientMatrix({ x1, y1, x2, y2, x3, y3 }: Gradient, base?: Matrix): Matrix {
  const [x, y] = [x2 - x1, y2 - y1];
  // A gradient of no length has one color: any matrix that can be inverted does.
  const isPoint = x === 0 && y === 0;
  const matrix = isPoint
    ? { a: 1e-3, b: 0, c: 0, d: 1e-3, e: x1, f: y1 }
    : { a: x, b: y, c: x3 === undefined ? -y : x3 - x1, d: y3 === undefined ? x : y3 - y1, e: x1, f: y1 };
  return base ? multiply(base, matrix) : matrix;
}

/** Writes the function from 0…1 to the values of the stops, which are constant before the first and after the last. */
function writeRamp(stops: readonly GradientStop[], operands: (stop: GradientStop) => string): string {
  const [first, last] = [stops[0]!, stops.at(-1)!];
  const all = [{ ...first, offset: 0 }, ...stops, { ...last, offset: 1 }];
  const pieces: { end: number; text: string }[] = [];
  for (const [i, stop] of all.entries()) {
    const next = all[i + 1];
    if (!next || next.offset - stop.offset < MIN_PIECE) continue;
    const ends = `/C0 [${operands(stop)}] /C1 [${operands(next)}]`;
    pieces.push({ end: next.offset, text: `<< /FunctionType 2 /Domain [0 1] ${ends} /N 1 >>` });
  }
  if (pieces.length === 1) return pieces[0]!.text;
  const bounds = pieces.slice(0, -1).map(({ end }) => end);
  const texts = pieces.map(({ text }) => text).join(' ');
  const encode = pieces.map(() => '0 1').join(' ');
  return `<< /FunctionType 3 /Domain [0 1] /Bounds [${pdfNumbers(...bounds)}] /Encode [${encode}] /Functions [${texts}] >>`;
}

/** Two stops closer than this are a hard edge; the bounds of a function must rise in what four decimals can say. */
const MIN_PIECE = 2e-4;

/** Adds stops on the way of sRGB from one color to the next: mixtures of inks take another way. */
function subdivide(stops: readonly GradientStop[]): GradientStop[] {
  const result: GradientStop[] = [];
  for (const [i, stop] of stops.entries()) {
    result.push(stop);
    const next = stops[i + 1];
    if (!next) continue;
    const [from, to] = [toRgb(stop.color), toRgb(next.color)];
    for (let k = 1; k < SUBDIVISIONS; k++) {
      const share = k / SUBDIVISIONS;
      const color = from.map((value, channel) => value + (to[channel]! - value) * share);
      result.push({ offset: stop.offset + (next.offset - stop.offset) * share, color: toHex(color) });
    }
  }
  return result;
}

const SUBDIVISIONS = 8;
const toHex = (channels: readonly number[]): string =>
  `#${channels
    .map((value) =>
      Math.round(value * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

/** Returns every color that a gradient shows in a file with four inks, for a table of conversions. */
export const gradientColors = ({ stops }: Gradient): string[] => subdivide(stops).map(({ color }) => color);
