/**
 * Draws a picture for the README: one detail at eight times the traced size, by each tracer. Run: tsx
 * packages/vectorizer/bench/detail.ts, which writes docs/detail.png.
 */
import { fileURLToPath } from 'node:url';
import { setText } from './glyphs.ts';
import { render, toBitmap } from './metrics.ts';
import { pictureOf, pixelsOf, type Tile, writeSheet } from './sheet.ts';
import { loadTracer, OURS } from './tracers.ts';

const WIDTH = 160;
const ZOOM = 8;
/** In px of the input: serifs, where three colors meet, and a line 2 px wide. */
const CROP = { x: 44, y: 84, width: 38, height: 38 };

/** A letter with serifs on a ground of two colors, crossed by a thin line. */
const art = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${WIDTH}" viewBox="0 0 160 160">
<path fill="#f4ead5" d="M0 0h160v160H0z"/>
<path fill="#2f7f86" d="M0 101C40 84 70 126 110 104S150 92 160 98V160H0z"/>
<g fill="#14213d" transform="translate(22 116)">${setText('R', 128, 'playfair-display')}</g>
<path fill="none" stroke="#d1495b" stroke-width="2" d="M30 124C60 118 74 100 92 60"/>
</svg>`;

const bitmap = toBitmap(render(art, WIDTH));
const tiles: Tile[] = [
  { label: `input, ${WIDTH} px wide`, png: await pixelsOf(bitmap, CROP, ZOOM) },
  { label: 'what it was drawn from', png: pictureOf(art, CROP, ZOOM) },
];
for (const name of [OURS, 'VTracer', 'ImageTracerJS', 'Potrace, color layers']) {
  const trace = await loadTracer(name);
  if (!trace) throw new Error(`${name} is not installed.`);
  tiles.push({ label: name, png: pictureOf(await trace(bitmap), CROP, ZOOM) });
}
await writeSheet(tiles, 3, fileURLToPath(new URL('../docs/detail.png', import.meta.url)));
