/** Pages for the bench of straightening: logos, labels, cards, sketches, screens, and pictures without a direction. */
import { readFileSync } from 'node:fs';
import { findFontPath } from '@markwright/fonts/files';
import { createFontBook } from '@markwright/scene/text';
import sharp from 'sharp';
import { createRandom, type Raster } from '../packages/straighten/test/camera.ts';

export type Kind = (typeof reasonKinds)[number] | (typeof plainKinds)[number] | 'italic';
/** Pictures that have something to hold on to. */
export const reasonKinds = ['logo', 'label', 'card', 'sketch', 'screen', 'text'] as const;
/** Pictures that have nothing to hold on to. */
export const plainKinds = ['circles', 'badge', 'portrait', 'stripes', 'lettering', 'sunburst', 'hills'] as const;

export interface Page {
  readonly raster: Raster;
  readonly paper: readonly [number, number, number];
  /** The ground around a page in its photograph: its color at a point, in the page's pixels. */
  readonly ground: ((x: number, y: number) => readonly [number, number, number]) | undefined;
}

type Random = () => number;
const fonts = [
  'Open Sans',
  'Roboto',
  'Montserrat',
  'Playfair Display',
  'Arvo',
  'Oswald',
  'Poppins',
  'Libre Baskerville',
];
const scripts = ['Pacifico', 'Dancing Script', 'Lobster'];
const names = [
  'Hazel & Finn',
  'Oak Street Bakery',
  'NORTHWIND COFFEE',
  'Miller Brothers',
  'LUMEN STUDIO',
  'Red Barn Farm',
];
const lines = [
  'Fine goods since 1987',
  'Handmade in small batches',
  '24 Harbor Lane, Portland',
  'hello@hazelandfinn.com',
  'Tel. 555 0142 887',
  'Wash by hand, do not bleach',
  'Net weight 250 g, best before May',
  'Roasted slowly over an open fire',
  'Custom engraving and repairs',
  'Open daily from nine to five',
];
const inks = ['#111', '#1d3557', '#7a1f1f', '#264d36', '#333'];

const book = createFontBook();

/** Draws a page of a kind; the same seed gives the same page. */
export async function drawPage(kind: Kind, seed: number): Promise<Page> {
  const random = createRandom(seed * 7919 + 13);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const range = (from: number, to: number) => from + (to - from) * random();
  const portrait = kind === 'label' && random() < 0.5;
  const [width, height] = portrait ? [900, 1200] : kind === 'card' ? [1200, 700] : [1200, 900];
  const light = random() < 0.8 || kind === 'sketch' || kind === 'screen';
  const paper = light
    ? ([range(225, 255), range(225, 252), range(215, 250)] as const)
    : ([range(20, 60), range(25, 60), range(25, 70)] as const);
  const rgb = `rgb(${paper.map(Math.round).join(',')})`;
  const tools: Tools = { random, pick, range, width, height, ink: light ? pick(inks) : '#eee', paper: rgb };
  const body = draw[kind](tools);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${rgb}"/>${body}</svg>`;
  const { data } = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const hasGround =
    kind === 'card' ||
    kind === 'sketch' ||
    (kind === 'label' && random() < 0.6) ||
    (kind === 'screen' && random() < 0.4);
  const ground = hasGround ? pick([wood, cloth, desk])(light) : undefined;
  return { raster: { width, height, data: new Uint8Array(data) }, paper, ground };
}

type Ground = (isPageLight: boolean) => NonNullable<Page['ground']>;

/** Boards with a grain, whose joints run across the picture. */
const wood: Ground = (isPageLight) => (x, y) => {
  const base = isPageLight ? 105 : 190;
  const grain = 9 * Math.sin(y / 7 + 2.5 * Math.sin(x / 160) + Math.sin(y / 31));
  const joint = (((y + 0.2 * x) % 420) + 420) % 420 < 5 ? -35 : 0;
  const light = base + grain + joint;
  return [light * 1.15, light * 0.85, light * 0.6];
};

/** A woven cloth. */
const cloth: Ground = (isPageLight) => (x, y) => {
  const light = (isPageLight ? 80 : 200) + 10 * Math.sin(x / 4 + y / 9) * Math.sin(y / 5 - x / 11);
  return [light * 0.8, light * 0.9, light];
};

/** A plain desk. */
const desk: Ground = (isPageLight) => () => (isPageLight ? [140, 138, 132] : [215, 212, 205]);

interface Tools {
  readonly random: Random;
  readonly pick: <T>(values: readonly T[]) => T;
  readonly range: (from: number, to: number) => number;
  readonly width: number;
  readonly height: number;
  readonly ink: string;
  readonly paper: string;
}

const draw: Record<Kind, (tools: Tools) => string> = {
  logo({ pick, range, random, ink, width }) {
    const font = pick(fonts);
    const emblem = [
      `<rect x="480" y="130" width="240" height="240" fill="none" stroke="${ink}" stroke-width="22"/><circle cx="600" cy="250" r="70" fill="${ink}"/>`,
      `<path d="M480 370V130h240v240zM520 170v160h160v-160z" fill="${ink}" fill-rule="evenodd"/><path d="M540 310l60-110 60 110z" fill="${ink}"/>`,
      `<g fill="${ink}"><rect x="450" y="150" width="70" height="220"/><rect x="550" y="210" width="70" height="160"/><rect x="650" y="110" width="70" height="260"/></g>`,
      `<circle cx="600" cy="250" r="125" fill="${ink}"/><path d="M150 400h900" stroke="${ink}" stroke-width="6"/>`,
    ];
    const name = text(pick(names), {
      font,
      isBold: random() < 0.5,
      x: width / 2,
      y: 560,
      fit: range(700, 950),
      align: 0.5,
      ink,
    });
    const line = text(pick(lines), { font: pick(fonts), x: width / 2, y: 660, fit: range(480, 800), align: 0.5, ink });
    return pick(emblem) + name + line;
  },
  label({ pick, range, random, ink, width, height }) {
    const inset = range(25, 60);
    const frame = `<rect x="${inset}" y="${inset}" width="${width - 2 * inset}" height="${height - 2 * inset}" fill="none" stroke="${ink}" stroke-width="${range(3, 12)}" rx="${random() < 0.4 ? 30 : 0}"/>`;
    const font = pick(fonts);
    const name = text(pick(names), {
      font,
      isBold: true,
      x: width / 2,
      y: height * 0.3,
      fit: width * 0.7,
      align: 0.5,
      ink,
    });
    const rows = [0.45, 0.55, 0.65, 0.8].map((y) =>
      text(pick(lines), { font, x: width / 2, y: height * y, fit: width * range(0.45, 0.7), align: 0.5, ink }),
    );
    return frame + name + rows.join('');
  },
  card({ pick, range, random, ink }) {
    const font = pick(fonts);
    const x = range(90, 140);
    const mark =
      random() < 0.5
        ? `<circle cx="1000" cy="180" r="90" fill="${ink}"/>`
        : `<rect x="930" y="100" width="150" height="150" fill="${ink}"/>`;
    const name = text(pick(names), { font, isBold: true, x, y: 220, fit: range(450, 700), align: 0, ink });
    const rows = [400, 470, 540].map((y) => text(pick(lines), { font, x, y, fit: range(380, 560), align: 0, ink }));
    return mark + name + rows.join('');
  },
  sketch({ range, random, ink }) {
    // A leaf, a pot and a few scrawls of a pen: nothing of it is straight.
    const strokes = Array.from({ length: 9 }, () => {
      const [x, y, size] = [range(300, 900), range(250, 650), range(80, 220)];
      const points = Array.from(
        { length: 5 },
        () => `${x + size * (random() - 0.5) * 2} ${y + size * (random() - 0.5) * 2}`,
      );
      return `<path d="M${points[0]}C${points.slice(1, 4).join(' ')}S${points[4]} ${points[0]}" fill="none" stroke="${ink}" stroke-width="${range(3, 8)}" stroke-linecap="round"/>`;
    });
    return strokes.join('');
  },
  screen({ pick, range, ink }) {
    const font = pick(fonts.slice(0, 3));
    const bar = `<rect x="40" y="40" width="1120" height="70" fill="${pick(['#345', '#2b6', '#a33', '#888'])}"/><rect x="40" y="110" width="${range(180, 300)}" height="750" fill="#ddd"/><rect x="40" y="40" width="1120" height="820" fill="none" stroke="#999" stroke-width="3"/>`;
    const cells = Array.from({ length: 6 }, (_, i) => {
      const [x, y] = [380 + (i % 3) * 260, 170 + Math.floor(i / 3) * 340];
      return `<rect x="${x}" y="${y}" width="220" height="180" fill="${pick(['#cde', '#fdc', '#dfd', '#bbb'])}"/>${text(pick(lines), { font, x, y: y + 230, fit: 215, align: 0, ink })}`;
    });
    const menu = Array.from({ length: 7 }, (_, i) =>
      text(pick(names), { font, x: 60, y: 170 + i * 60, fit: 110, align: 0, ink }),
    );
    return bar + cells.join('') + menu.join('');
  },
  text({ pick, range, random, ink }) {
    const font = pick(fonts);
    const align = random() < 0.6 ? 0 : 0.5;
    const rows = Array.from({ length: 7 }, (_, i) =>
      text(pick(lines), { font, x: align === 0 ? 150 : 600, y: 180 + i * 95, fit: range(600, 880), align, ink }),
    );
    return rows.join('');
  },
  italic({ pick, range, ink }) {
    const font = pick(['Open Sans', 'Montserrat', 'Playfair Display', 'Arvo']);
    const style = { font, isBold: true, isItalic: true, x: 600, align: 0.5, ink };
    return (
      text(pick(names), { ...style, y: 420, fit: range(700, 950) }) +
      text(pick(lines), { ...style, y: 580, fit: range(480, 800) })
    );
  },
  circles({ range, ink }) {
    const [x, y] = [range(450, 750), range(380, 520)];
    const radii = [340, 300, 180, 120, 60];
    return radii
      .map(
        (r) =>
          `<circle cx="${x}" cy="${y}" r="${r * range(0.9, 1)}" fill="none" stroke="${ink}" stroke-width="${range(6, 24)}"/>`,
      )
      .join('');
  },
  badge({ pick, range, ink }) {
    const size = 78;
    const turn = range(-15, 15);
    const line = outline({
      text: `${pick(names)} · ${pick(lines)}`.toUpperCase(),
      fontFamily: 'Oswald',
      isBold: true,
      isItalic: false,
      arcRadius: 285 / size,
    });
    return `<g transform="rotate(${turn} 600 450)"><circle cx="600" cy="450" r="385" fill="none" stroke="${ink}" stroke-width="14"/><circle cx="600" cy="450" r="255" fill="none" stroke="${ink}" stroke-width="6"/><g transform="translate(${600 - (line.advance * size) / 2} 165) scale(${size})"><path d="${line.d}" fill="${ink}"/></g><circle cx="600" cy="450" r="110" fill="${ink}"/></g>`;
  },
  portrait({ range, random }) {
    const blobs = Array.from({ length: 26 }, () => {
      const tone = Math.round(range(40, 220));
      return `<ellipse cx="${range(350, 850)}" cy="${range(300, 600)}" rx="${range(30, 200)}" ry="${range(30, 200)}" transform="rotate(${range(0, 180)} 600 450)" fill="rgb(${tone},${Math.round(tone * range(0.7, 1))},${Math.round(tone * range(0.6, 1))})" opacity="${0.4 + 0.6 * random()}"/>`;
    });
    return `<filter id="f" x="-1" y="-1" width="3" height="3"><feGaussianBlur stdDeviation="${range(1, 7)}"/></filter><g filter="url(#f)">${blobs.join('')}</g>`;
  },
  stripes({ range, ink }) {
    const [angle, step] = [range(3, 14) * (range(0, 1) < 0.5 ? -1 : 1), range(50, 110)];
    const bars = Array.from(
      { length: 30 },
      (_, i) => `<rect x="-600" y="${-500 + i * step}" width="2400" height="${step * 0.45}" fill="${ink}"/>`,
    );
    return `<clipPath id="c"><circle cx="600" cy="450" r="380"/></clipPath><g clip-path="url(#c)"><g transform="rotate(${angle} 600 450)">${bars.join('')}</g></g>`;
  },
  lettering({ pick, range, ink, random }) {
    // Each letter by itself, turned and shifted, along a line that waves.
    const font = pick(scripts);
    const write = (words: string, size: number, top: number) => {
      let x = 160;
      return [...words]
        .map((letter) => {
          if (letter === ' ') {
            x += size * 0.4;
            return '';
          }
          const { d, advance } = outline({ text: letter, fontFamily: font, isBold: false, isItalic: false });
          const y = top + size * 0.09 * (random() - 0.5) * 2 + 40 * Math.sin(x / 260);
          const glyph = `<g transform="translate(${x} ${y}) rotate(${range(-9, 9)}) scale(${size * range(0.88, 1.12)})"><path d="${d}" fill="${ink}"/></g>`;
          x += size * (advance + 0.05);
          return glyph;
        })
        .join('');
    };
    return write('Sweet home', 180, 380) + write('made with love', 120, 640);
  },
  sunburst({ range, ink }) {
    const rays = 2 * Math.floor(range(8, 19)) + 1;
    const offset = range(0, 3);
    const wedges = Array.from({ length: rays }, (_, i) => {
      const at = (a: number) => `${600 + 420 * Math.cos(a)} ${450 + 420 * Math.sin(a)}`;
      const angle = offset + (2 * Math.PI * i) / rays;
      return `<path d="M600 450L${at(angle)}L${at(angle + Math.PI / rays)}z" fill="${ink}"/>`;
    });
    return wedges.join('');
  },
  hills({ range, ink }) {
    const ridge = (top: number, tone: string) => {
      const points = Array.from({ length: 8 }, (_, i) => `${100 + i * 143 + range(-40, 40)} ${top + range(-130, 130)}`);
      return `<path d="M${points.join('L')}" fill="none" stroke="${tone}" stroke-width="14" stroke-linejoin="round"/>`;
    };
    return `${ridge(320, ink)}${ridge(480, ink)}${ridge(640, ink)}<circle cx="${range(300, 900)}" cy="160" r="70" fill="${ink}"/>`;
  },
};

function outline(line: Parameters<typeof book.outline>[0]) {
  for (const { name } of book.missing(line)) book.add(name, readFileSync(findFontPath(name)!));
  return book.outline(line)!;
}

interface Setting {
  readonly font: string;
  readonly isBold?: boolean;
  readonly isItalic?: boolean;
  readonly x: number;
  readonly y: number;
  /** The width of the line. */
  readonly fit: number;
  /** Where x is on the line: 0 at its start, 0.5 in its middle. */
  readonly align: number;
  readonly ink: string;
}

function text(words: string, { font, isBold = false, isItalic = false, x, y, fit, align, ink }: Setting): string {
  const { d, advance } = outline({ text: words, fontFamily: font, isBold, isItalic });
  const size = fit / advance;
  return `<g transform="translate(${x - align * fit} ${y}) scale(${size})"><path d="${d}" fill="${ink}"/></g>`;
}
