/** The prices of an SVG's filters, measured with resvg 2.6 by processor time. See `drawingCost.ts`. */
import type { SvgNode } from '../svg/svg.ts';

/** Nanoseconds for a pixel of a filter's region, by primitive. */
const PRIMITIVE: Readonly<Record<string, number>> = {
  feTurbulence: 200,
  feGaussianBlur: 320,
  feDropShadow: 380,
  feConvolveMatrix: 60,
  feMorphology: 60,
};
const OTHER_PRIMITIVE = 85;
/** The primitives that paint all of the filter's region, also outside the layer. The ones that follow have its size. */
export const FULL_REGION = new Set(
  `feTurbulence feFlood feImage feComposite feBlend feMerge feTile feDisplacementMap feDiffuseLighting
  feSpecularLighting`.split(/\s+/),
);
/** Nanoseconds for a pixel of the region of a filter function. */
const FUNCTION: Readonly<Record<string, number>> = { blur: 320, 'drop-shadow': 380 };
const [OCTAVE, TAP] = [80, 4];
/** For a pixel of the window of a morphology, which the renderer walks through at each pixel of the region. */
export const WINDOW = 0.9;

/** Returns the numbers of a list. */
const numbersOf = (text = ''): number[] =>
  text
    .split(/[\s,]+/)
    .map(Number)
    .filter(Number.isFinite);

/** Returns the pixels of the window of a morphology at `DRAWN_SIDE_PX`. Its radius is 1 when none is given. */
export function windowOf({ attrs }: SvgNode, toPx: number, side: number): number {
  const [columns = 1, rows = columns] = numbersOf(attrs.radius ?? '1').map((radius) =>
    Math.min(side, 2 * Math.max(0, radius) * toPx + 2),
  );
  return columns * rows;
}

/** Returns the price of a primitive, in ns for a pixel of its region. */
export function priceOf({ tag, attrs, children }: SvgNode): number {
  const numbers = (name: string): number[] => numbersOf(attrs[name]);
  const base = PRIMITIVE[tag] ?? OTHER_PRIMITIVE;
  if (tag === 'feTurbulence') return base + OCTAVE * Math.max(1, numbers('numOctaves')[0] ?? 1);
  if (tag === 'feConvolveMatrix') {
    const [columns = 3, rows = columns] = numbers('order');
    return base + TAP * columns * rows;
  }
  return tag === 'feMerge' ? base * Math.max(1, children.length) : base;
}

/** Returns the price of a filter function, `blur` for example, in ns for a pixel of its region. */
export const priceOfFunction = (name: string): number => FUNCTION[name] ?? OTHER_PRIMITIVE;
