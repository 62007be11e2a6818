/**
 * A drawing of a blank as it is built: paints that are defined once, marks on top of each other, and the print area.
 * Coordinates are pixels of the 1200 x 1200 picture. The same calls give the same bytes.
 */
import type { SeedProduct } from '../../apps/server/src/catalogue/seed/products.ts';

const SIDE = 1200;
const MM_PER_INCH = 25.4;

/** A color stop: place 0..1, color, and opacity where it is not 1. */
export type Stop = readonly [offset: number, color: string, opacity?: number];
export type Point = readonly [x: number, y: number];
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** Writes a number as short as a tenth of a pixel needs. */
export const num = (value: number, digits = 1): string =>
  String(Number(value.toFixed(digits))).replace(/^(-?)0\./, '$1.');
/** Writes a number for an attribute of its own, where a leading zero is usual. */
const attributeNumber = (value: number) => String(Number(value.toFixed(3)));

/** The round surface of a blank as `seed/products.ts` of the server holds it. */
export type RoundSurface = NonNullable<SeedProduct['surface']>;

export class Drawing {
  readonly #definitions = new Map<string, string>();
  readonly #marks: string[] = [];
  #area: Box | undefined;
  /** Undefined for a flat blank. */
  surface: RoundSurface | undefined;

  readonly productId: string;
  /** The scale of the thing in the picture. */
  readonly pxPerMm: number;

  constructor(productId: string, pxPerMm: number) {
    this.productId = productId;
    this.pxPerMm = pxPerMm;
  }

  /** Returns the length in pixels. */
  mm(lengthMm: number): number {
    return lengthMm * this.pxPerMm;
  }

  inches(lengthInches: number): number {
    return this.mm(lengthInches * MM_PER_INCH);
  }

  /** Sets the print area around its center, in inches. */
  setPrintArea(center: Point, widthInches: number, heightInches: number): void {
    const [width, height] = [this.inches(widthInches), this.inches(heightInches)];
    this.#area = { x: center[0] - width / 2, y: center[1] - height / 2, width, height };
  }

  /** Returns the print area in fractions of the picture. */
  get printArea(): Box {
    if (!this.#area) throw new Error(`${this.productId} has no print area.`);
    const part = (px: number) => Number((px / SIDE).toFixed(5));
    const { x, y, width, height } = this.#area;
    return { x: part(x), y: part(y), width: part(width), height: part(height) };
  }

  /** Defines something once, and returns its address as an attribute holds it. `write` gets the id. */
  define(letter: string, key: string, write: (id: string) => string): string {
    const former = this.#definitions.get(`${letter} ${key}`);
    const id = former?.match(/ id="([^"]+)"/)?.[1] ?? `${this.productId}-${letter}${this.#definitions.size}`;
    if (!former) this.#definitions.set(`${letter} ${key}`, write(id));
    return `url(#${id})`;
  }

  linear([x1, y1]: Point, [x2, y2]: Point, stops: readonly Stop[]): string {
    const ends = `x1="${num(x1)}" y1="${num(y1)}" x2="${num(x2)}" y2="${num(y2)}"`;
    const content = writeStops(stops);
    return this.define(
      'g',
      `${ends}${content}`,
      (id) => `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" ${ends}>${content}</linearGradient>`,
    );
  }

  /** A gradient from left to right. */
  across(x1: number, x2: number, stops: readonly Stop[]): string {
    return this.linear([x1, 0], [x2, 0], stops);
  }

  /** A gradient from top to bottom. */
  down(y1: number, y2: number, stops: readonly Stop[]): string {
    return this.linear([0, y1], [0, y2], stops);
  }

  /** A gradient around a point. */
  radial([cx, cy]: Point, r: number, stops: readonly Stop[]): string {
    const place = `cx="${num(cx)}" cy="${num(cy)}" r="${num(r)}"`;
    const content = writeStops(stops);
    return this.define(
      'g',
      `r${place}${content}`,
      (id) => `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" ${place}>${content}</radialGradient>`,
    );
  }

  /** A gradient that fills the box of what it paints, from the middle out: soft spots and shadows without a blur. */
  glow(stops: readonly Stop[]): string {
    const content = writeStops(stops);
    return this.define(
      'g',
      `o${content}`,
      (id) => `<radialGradient id="${id}" cx="0.5" cy="0.5" r="0.5">${content}</radialGradient>`,
    );
  }

  pattern(width: number, height: number, content: string, transform?: string): string {
    return this.define(
      'p',
      `${width} ${height} ${transform} ${content}`,
      (id) =>
        `<pattern${attributes({ id, patternUnits: 'userSpaceOnUse', width, height, patternTransform: transform })}>` +
        `${content}</pattern>`,
    );
  }

  clip(d: string): string {
    return this.define('c', d, (id) => `<clipPath id="${id}"><path d="${d}" clip-rule="evenodd"/></clipPath>`);
  }

  /** A blur over a part of the picture. Its cost grows with the part. */
  blur(deviation: number, region: Box = { x: 0, y: 0, width: SIDE, height: SIDE }): string {
    const place = { x: Math.floor(region.x), y: Math.floor(region.y), width: Math.ceil(region.width) };
    const all = { filterUnits: 'userSpaceOnUse', ...place, height: Math.ceil(region.height) };
    return this.define(
      'b',
      `${deviation} ${JSON.stringify(all)}`,
      (id) =>
        `<filter${attributes({ id, ...all, 'color-interpolation-filters': 'sRGB' })}>` +
        `<feGaussianBlur stdDeviation="${deviation}"/></filter>`,
    );
  }

  path(d: string, look: Attributes): void {
    this.#marks.push(`<path${attributes({ d, ...look })}/>`);
  }

  ellipse([cx, cy]: Point, rx: number, ry: number, look: Attributes): void {
    this.#marks.push(`<ellipse${attributes({ cx, cy, rx, ry, ...look })}/>`);
  }

  circle([cx, cy]: Point, r: number, look: Attributes): void {
    this.#marks.push(`<circle${attributes({ cx, cy, r, ...look })}/>`);
  }

  /** Draws what `draw` draws in a group. */
  group(look: Attributes, draw: () => void): void {
    this.#marks.push(`<g${attributes(look)}>`);
    draw();
    this.#marks.push('</g>');
  }

  /** Draws what `draw` draws inside an outline. */
  inside(d: string, draw: () => void): void {
    this.group({ 'clip-path': this.clip(d) }, draw);
  }

  /** Draws blurred shapes inside a box. */
  soft(deviation: number, region: Box, draw: () => void): void {
    this.group({ filter: this.blur(deviation, region) }, draw);
  }

  toSvg(): string {
    const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 ${SIDE} ${SIDE}">`;
    const marks = this.#marks.join('');
    // A paint that was asked for and then painted nothing is left out. Patterns may hold others.
    const all = [...this.#definitions.values()];
    const text = marks + all.join('');
    const needs = all.filter((each) => text.includes(`url(#${/ id="([^"]+)"/.exec(each)?.[1]})`));
    return `${open}<defs>${needs.join('')}</defs>${marks}</svg>\n`;
  }
}

const writeStops = (stops: readonly Stop[]): string =>
  stops
    .map(([offset, color, opacity]) =>
      opacity === undefined
        ? `<stop offset="${num(offset, 3)}" stop-color="${color}"/>`
        : `<stop offset="${num(offset, 3)}" stop-color="${color}" stop-opacity="${num(opacity, 3)}"/>`,
    )
    .join('');

function attributes(all: Attributes): string {
  return Object.entries(all)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? attributeNumber(value) : value}"`)
    .join('');
}

/** Returns the color between two hex colors. */
export function mix(from: string, to: string, share: number): string {
  const [a, b] = [readHex(from), readHex(to)];
  const parts = a.map((value, i) => Math.round(value + (b[i]! - value) * Math.min(1, Math.max(0, share))));
  return `#${parts.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

const readHex = (color: string): number[] => [1, 3, 5].map((i) => Number.parseInt(color.slice(i, i + 2), 16));

/** Returns the color made lighter (to 1) or darker (to -1). */
export const shade = (color: string, by: number): string =>
  by >= 0 ? mix(color, '#ffffff', by) : mix(color, '#000000', -by);
