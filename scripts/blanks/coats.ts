/** Blanks that were drawn by hand, in other coats: the same drawing with another color on its body. */
import { readFileSync } from 'node:fs';
import type { Stop } from './drawing.ts';
import { coatStops } from './vessels.ts';

const pictures = new URL('../../apps/server/src/catalogue/seed/pictures/', import.meta.url);

interface Coat {
  /** The name of the picture. */
  readonly name: string;
  readonly color: string;
}

interface CoatedBlank {
  /** The name of the drawing that is there. */
  readonly drawing: string;
  /** The number of the gradient that its body has. */
  readonly gradient: number;
  /** Colors of light and shade that its coat tints, and what stands in their place on any other. */
  readonly tints: Readonly<Record<string, string>>;
  readonly coats: readonly Coat[];
}

const coatedBlanks: readonly CoatedBlank[] = [
  {
    drawing: 'tumbler-20oz-black',
    gradient: 5,
    tints: {},
    coats: [
      { name: 'tumbler-20oz-navy', color: '#2a3c5c' },
      { name: 'tumbler-20oz-sage', color: '#6f8167' },
      { name: 'tumbler-20oz-rose', color: '#b06a6c' },
    ],
  },
  {
    drawing: 'bottle-17oz-terracotta',
    gradient: 4,
    tints: { '#2a0d05': '#0c0d10', '#1d0803': '#0a0b0d', '#ffd9c4': '#ffffff' },
    coats: [
      { name: 'bottle-17oz-black', color: '#2c2c2e' },
      { name: 'bottle-17oz-ocean', color: '#2e5f73' },
      { name: 'bottle-17oz-sage', color: '#6f8167' },
    ],
  },
];

/** The pictures by their names, as SVG. */
export const coatedPictures: ReadonlyMap<string, () => string> = new Map(
  coatedBlanks.flatMap((blank) => blank.coats.map((coat) => [coat.name, () => drawCoat(blank, coat)] as const)),
);

function drawCoat({ drawing, gradient, tints }: CoatedBlank, { name, color }: Coat): string {
  const svg = readFileSync(new URL(`${drawing}.svg`, pictures), 'utf8');
  const start = svg.indexOf('>', svg.indexOf(`id="${drawing}-g${gradient}"`)) + 1;
  const end = svg.indexOf('</linearGradient>', start);
  if (start === 0 || end < 0) throw new Error(`${drawing} has no gradient ${gradient}`);
  const body = `${svg.slice(0, start)}${coatStops(color).map(writeStop).join('')}${svg.slice(end)}`;
  const coat = Object.entries(tints).reduce((text, [before, after]) => text.replaceAll(before, after), body);
  return coat.replaceAll(`${drawing}-`, `${name}-`);
}

const writeStop = ([offset, color]: Stop): string => `<stop offset="${offset}" stop-color="${color}"/>`;
