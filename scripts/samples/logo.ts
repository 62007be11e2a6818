/**
 * The logo of a made-up bakery, printed on kraft paper and photographed by a phone: soft, unevenly lit, compressed.
 */
import type { FontSource } from '@markwright/scene';

export const LOGO_FONTS = ['Lobster', 'Montserrat'] as const;

const INK = '#24160d';
const PAPER = '#c79c6c';

export const LOGO_WIDTH = 900;
export const LOGO_HEIGHT = 720;

interface Line {
  readonly text: string;
  readonly fontFamily: (typeof LOGO_FONTS)[number];
  readonly em: number;
  readonly y: number;
  readonly letterSpacing?: number;
}

/** Draws a line of text around the middle of the picture. */
function drawLine({ text, fontFamily, em, y, letterSpacing }: Line, fonts: FontSource): string {
  const isBold = fontFamily === 'Montserrat';
  const outline = fonts.outline({
    text,
    fontFamily,
    isBold,
    isItalic: false,
    ...(letterSpacing !== undefined && { letterSpacing }),
  });
  if (!outline) throw new Error(`${fontFamily} is not loaded`);
  const x = (LOGO_WIDTH - em * outline.advance) / 2;
  return `<path fill-rule="evenodd" transform="translate(${x} ${y}) scale(${em})" d="${outline.d}"/>`;
}

/** Draws an ear of wheat that grows to the right from its foot and bends up; `side` -1 mirrors it. */
function drawEar(x: number, y: number, side: 1 | -1): string {
  const grain = (at: number, degrees: number, reach: number) => {
    const [gx, gy] = [at, -((at / 190) ** 2) * 46];
    return `<path transform="translate(${gx} ${gy}) rotate(${degrees})" d="M0 0C${reach * 0.3} -15 ${reach * 0.75} -14 ${reach} 0C${reach * 0.75} 9 ${reach * 0.3} 8 0 0Z"/>`;
  };
  const grains = [52, 80, 108, 136, 164].flatMap((at, i) => [
    grain(at, -58 - i * 4, 38 - i * 1.5),
    grain(at, 26 - i * 8, 38 - i * 1.5),
  ]);
  return `<g transform="translate(${x} ${y}) scale(${side} 1)"><path d="M0 0Q110 -4 192 -46" fill="none" stroke="${INK}" stroke-width="6" stroke-linecap="round"/>${grains.join('')}${grain(186, -22, 40)}</g>`;
}

/** A round loaf with three cuts and its steam. */
const loaf = `<g transform="translate(450 214)">
<path d="M-126 52C-150 -6 -96 -66 0 -66S150 -6 126 52Q120 66 100 66H-100Q-120 66 -126 52Z"/>
<path d="M-74 14Q-58 -32 -24 -42M-10 16Q6 -34 40 -42M54 18Q68 -24 92 -28" fill="none" stroke="${PAPER}" stroke-width="13" stroke-linecap="round"/>
<path d="M-46 -92q-16 -18 0 -36t0 -36M0 -96q-16 -18 0 -36t0 -36M46 -92q-16 -18 0 -36t0 -36" fill="none" stroke="${INK}" stroke-width="9" stroke-linecap="round"/>
</g>`;

/** Draws the print on a transparent ground. */
export const drawLogo = (fonts: FontSource): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${LOGO_WIDTH}" height="${LOGO_HEIGHT}"><g fill="${INK}">
${loaf}
${drawLine({ text: 'Hazel & Rye', fontFamily: 'Lobster', em: 146, y: 450 }, fonts)}
${drawLine({ text: 'BAKEHOUSE', fontFamily: 'Montserrat', em: 45, y: 544, letterSpacing: 0.36 }, fonts)}
${drawEar(262, 606, -1)}${drawEar(638, 606, 1)}
${drawLine({ text: 'SINCE 2011', fontFamily: 'Montserrat', em: 25, y: 614, letterSpacing: 0.26 }, fonts)}
</g></svg>`;

/** Returns a generator of even numbers in 0…1 that always gives the same ones. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

/** Draws the paper with its fibers. */
export function drawPaper(): string {
  const random = createRandom(7);
  const fibers = Array.from({ length: 1500 }, () => {
    const [x, y, turn, length] = [random() * LOGO_WIDTH, random() * LOGO_HEIGHT, random() * 6.3, 6 + random() * 26];
    const [dx, dy] = [Math.cos(turn) * length, Math.sin(turn) * length];
    const tone = random() < 0.55 ? '#6d4a28' : '#f2d9b0';
    return `<path d="M${x} ${y}q${dx / 2 + random() * 8 - 4} ${dy / 2 + random() * 8 - 4} ${dx} ${dy}" stroke="${tone}" stroke-opacity="${0.08 + random() * 0.2}" stroke-width="${0.6 + random() * 1.1}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${LOGO_WIDTH}" height="${LOGO_HEIGHT}" fill="none"><rect width="100%" height="100%" fill="${PAPER}"/>${fibers.join('')}</svg>`;
}

/** The light of a window at the upper left, the shadow of a hand at the lower right, and the lens's dark corners. */
export function lightAt(u: number, v: number): number {
  const window = 1.14 - 0.17 * u - 0.12 * v;
  const hand = 1 - 0.13 / (1 + Math.exp(-(u + 0.62 * v - 1.28) * 8));
  const corners = 1 - 0.16 * ((u - 0.5) ** 2 + (v - 0.5) ** 2);
  return window * hand * corners;
}
