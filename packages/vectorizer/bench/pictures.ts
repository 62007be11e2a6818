/**
 * Draws the pictures of the README: the effect of each option on one small drawing. Run: tsx
 * packages/vectorizer/bench/pictures.ts, which writes docs/*.png.
 */
import { fileURLToPath } from 'node:url';
import type { Bitmap, Drawing, VectorizeOptions } from '../src/index.ts';
import { vectorize, writeSvg } from '../src/index.ts';
import { randomFrom } from './art.ts';
import { measurePaths, render, toBitmap } from './metrics.ts';
import { pictureOf, type Tile, writeSheet } from './sheet.ts';

const SIZE = 160;
const ALL = { x: 0, y: 0, width: SIZE, height: SIZE };
const CLOSE = { x: 14, y: 76, width: 70, height: 70 };

/** Draws a lighthouse: flat colors, thin lines, a ramp of light, the color of the page within the art, and specks. */
function drawLighthouse({ hasRamp = false, hasSpecks = false } = {}): string {
  const random = randomFrom(3);
  const specks = Array.from({ length: 46 }, () => {
    const [x, y, r] = [random() * SIZE, random() * 104, 0.7 + random() * 2.4];
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="#c9a66b"/>`;
  }).join('');
  const stops = '<stop offset="0" stop-color="#f7b538"/><stop offset="1" stop-color="#d1495b"/>';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}" viewBox="0 0 160 160">
<defs><linearGradient id="sun" x1="0" y1="0" x2="0" y2="1">${stops}</linearGradient></defs>
<path fill="#f6ecd9" d="M0 0h160v160H0z"/>${hasSpecks ? specks : ''}
<circle cx="50" cy="52" r="30" fill="${hasRamp ? 'url(#sun)' : '#edae49'}"/>
<path fill="#30638e" d="M8 112c12-9 24-9 36 0s24 9 36 0 24-9 36 0 24 9 36 0v38H8z"/>
<path fill="#003d5b" d="M8 131c12-9 24-9 36 0s24 9 36 0 24-9 36 0 24 9 36 0v19H8z"/>
<path fill="#fff" d="M98 122l7-82h22l7 82z"/>
<path fill="#d1495b" d="M103.400 59h25.200l1.500 17h-28.200zM100.600 92h30.800l1.500 17h-33.800z"/>
<path fill="#222831" d="M101 34h30v6h-30zM105 20h22v14h-22z"/>
<path fill="#f6ecd9" d="M109 23h6v9h-6zM118 23h6v9h-6z"/>
<path fill="#d1495b" d="M102 20l14-10 14 10z"/>
<path fill="none" stroke="#222831" stroke-width="1.800" d="M18 84c10-9 17-7 20 2 4-9 11-10 20-2M64 26c6-6 11-4 13 1 3-6 8-6 13-1"/>
</svg>`;
}

/** Three shapes on top of each other, without a page. */
const BADGE = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}" viewBox="0 0 160 160">
<path fill="#fff" d="M0 0h160v160H0z"/><circle cx="80" cy="80" r="70" fill="#003d5b"/><circle cx="80" cy="80" r="54" fill="#edae49"/>
<path fill="#d1495b" d="M80 34l13 30 33 3-25 22 7 32-28-17-28 17 7-32-25-22 33-3z"/></svg>`;

/** Exact geometric shapes. */
const SHAPES = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}" viewBox="0 0 160 160">
<path fill="#fff" d="M0 0h160v160H0z"/><circle cx="29" cy="29" r="14" fill="#003d5b"/><circle cx="29" cy="29" r="7" fill="#edae49"/>
<rect x="50" y="16" width="26" height="22" rx="6" fill="#d1495b"/><ellipse cx="31" cy="62" rx="17" ry="10" fill="#30638e"/>
<rect x="55" y="50" width="18" height="24" fill="#003d5b" transform="rotate(24 64 62)"/></svg>`;

const badge = toBitmap(render(BADGE, SIZE));
const flat = toBitmap(render(drawLighthouse(), SIZE));
const withSpecks = toBitmap(render(drawLighthouse({ hasSpecks: true }), SIZE));
const ramp = toBitmap(render(drawLighthouse({ hasRamp: true }), SIZE));
const noisy = addNoise(flat, 9);
const noisyShapes = addNoise(toBitmap(render(SHAPES, SIZE)), 16);

function addNoise({ width, height, data }: Bitmap, sigma: number): Bitmap {
  const random = randomFrom(5);
  const out = new Uint8ClampedArray(data);
  for (let i = 0; i < out.length; i++) {
    if (i % 4 !== 3) out[i] += (random() + random() + random() + random() - 2) * Math.sqrt(3) * sigma;
  }
  return { width, height, data: out };
}

/** Draws the nodes of a drawing over its outlines. */
function showNodes(drawing: Drawing): string {
  let d = '';
  let nodes = '';
  for (const { paths } of drawing.layers) {
    for (const { rings } of paths) {
      for (const { x, y, segments } of rings) {
        d += `M${x} ${y}`;
        for (const s of segments) {
          d += s.isLine ? `L${s.x} ${s.y}` : `C${s.x1} ${s.y1} ${s.x2} ${s.y2} ${s.x} ${s.y}`;
          nodes += `<circle cx="${s.x}" cy="${s.y}" r=".8"/>`;
        }
      }
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}"><path d="${d}" fill="#30638e22" stroke="#30638e" stroke-width=".35"/><g fill="#d1495b">${nodes}</g></svg>`;
}

/** Draws the layers as sheets over one another, in an oblique view. */
function explode(drawing: Drawing): string {
  const { width, height, layers } = drawing;
  const step = 92 / Math.max(1, layers.length - 1);
  const sheets = layers.map((layer, k) => {
    const one = writeSvg({ ...drawing, background: undefined, layers: [layer] });
    const inner = one.slice(one.indexOf('>') + 1, one.lastIndexOf('</svg>'));
    const sheet = `<path d="M0 0H${width}V${height}H0z" fill="#30638e0a" stroke="#0004" stroke-width=".6"/>`;
    return `<g transform="matrix(.66 0 -.33 .3 54 ${106 - k * step})">${sheet}<g stroke="#222831" stroke-width=".8">${inner}</g></g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}">${sheets.join('')}</svg>`;
}

/** Paints each layer in a tint of its own. */
function tintLayers(drawing: Drawing): string {
  const tints = ['#4e79a7', '#f28e2b', '#59a14f', '#e15759', '#b07aa1', '#76b7b2', '#edc948', '#9c755f', '#ff9da7'];
  const layers = drawing.layers.map((layer, k) => ({
    ...layer,
    paths: layer.paths.map(({ rings }) => ({ color: tints[k % tints.length], rings })),
  }));
  return writeSvg({ ...drawing, background: undefined, layers });
}

type Show = (drawing: Drawing) => string;

interface Figure {
  name: string;
  input?: Bitmap;
  show?: Show;
  crop?: typeof ALL;
  /** Color behind open areas. */
  ground?: string;
  values: [string, Record<string, unknown>][];
}

const each = (key: string, values: unknown[], rest: VectorizeOptions = {}): Figure['values'] =>
  values.map((value) => [`${key}: ${typeof value === 'string' ? `'${value}'` : value}`, { ...rest, [key]: value }]);

/** Inks that a shop might stock. */
const INKS = ['#f6ecd9', '#d1495b', '#003d5b', '#edae49'].map((color) => ({ color }));

const FIGURES: Figure[] = [
  { name: 'maxColors', input: withSpecks, values: each('maxColors', [2, 4, 8, 64]) },
  { name: 'colorMode', values: each('colorMode', ['color', 'grayscale', 'monochrome']) },
  {
    name: 'palette',
    values: [
      ['palette: none', {}],
      ['four inks', { palette: INKS }],
      ['within a tolerance of 12', { palette: INKS.map((ink) => ({ ...ink, tolerance: 12 })) }],
      ['one painted in another', { palette: INKS.map((ink, k) => (k === 1 ? { ...ink, paint: '#5b3fd6' } : ink)) }],
    ],
  },
  { name: 'ink', values: each('ink', ['#000000', '#d1495b', '#30638e'], { colorMode: 'monochrome' }) },
  {
    name: 'minAreaMm2',
    input: withSpecks,
    values: each('minAreaMm2', [0, 0.5, 1, 4], { pixelsPerMm: 4, despeckle: 0 }),
  },
  { name: 'minLineWidthMm', values: each('minLineWidthMm', [0, 1, 2], { pixelsPerMm: 4 }) },
  {
    name: 'shapes',
    input: noisyShapes,
    show: showNodes,
    crop: { x: 10, y: 10, width: 70, height: 70 },
    values: each('shapes', [true, false]),
  },
  { name: 'despeckle', input: withSpecks, values: each('despeckle', [0, 2, 6, 10]) },
  {
    name: 'dropBackground',
    ground: '#ffd6e8',
    values: each('dropBackground', [false, true]),
  },
  { name: 'stacking', input: badge, show: explode, values: each('stacking', ['stacked', 'cutouts']) },
  { name: 'draw', values: each('draw', ['fill', 'stroke', 'edges', 'centerline']) },
  { name: 'gradients', input: ramp, values: each('gradients', [true, false]) },
  {
    name: 'groupBy',
    show: tintLayers,
    values: each('groupBy', ['color', 'shape', 'none']),
  },
  {
    name: 'quality',
    input: noisy,
    show: showNodes,
    crop: CLOSE,
    values: each('quality', ['draft', 'standard', 'fine']),
  },
  { name: 'simplify', input: noisy, show: showNodes, crop: CLOSE, values: each('simplify', [0, 0.5, 1]) },
  { name: 'tolerance', input: noisy, show: showNodes, crop: CLOSE, values: each('tolerance', [0.05, 0.4, 2]) },
];

/** Side of a tile, in px. */
const TILE = 224;

for (const { name, input = flat, show = writeSvg, crop = ALL, ground, values } of FIGURES) {
  const tiles: Tile[] = [];
  for (const [label, options] of values) {
    let drawing: Drawing;
    try {
      drawing = vectorize(input, options as VectorizeOptions);
    } catch (error) {
      if (error instanceof RangeError) continue; // a value this version does not have
      throw error;
    }
    const { segments } = measurePaths(writeSvg(drawing));
    const note = show === showNodes ? `, ${segments} segments` : '';
    tiles.push({ label: label + note, png: pictureOf(show(drawing), crop, TILE / crop.width, ground) });
  }
  await writeSheet(tiles, tiles.length, fileURLToPath(new URL(`../docs/${name}.png`, import.meta.url)));
}
