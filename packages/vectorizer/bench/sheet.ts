/** Draws labeled pictures side by side in one small PNG. */
import { Resvg } from '@resvg/resvg-js';
import sharp from 'sharp';
import type { Bitmap } from '../src/index.ts';
import { setText } from './glyphs.ts';

export interface Tile {
  label: string;
  png: Buffer;
}

export interface Crop {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Renders a part of a drawing at `zoom` px per unit. */
export function pictureOf(svg: string, at: Crop, zoom: number, ground = '#fff'): Buffer {
  const start = svg.indexOf('<svg');
  const head = svg.slice(start, svg.indexOf('>', start));
  const size = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(head);
  const openTag = / width="/.test(head) || !size ? '<svg' : `<svg width="${size[1]}" height="${size[2]}"`;
  const inner = openTag + svg.slice(start + 4);
  const view = `viewBox="${at.x} ${at.y} ${at.width} ${at.height}"`;
  const outer = `<svg xmlns="http://www.w3.org/2000/svg" ${view}>${inner}</svg>`;
  return new Resvg(outer, { fitTo: { mode: 'width', value: at.width * zoom }, background: ground }).render().asPng();
}

/** Renders a part of a bitmap, with pixels as squares of `zoom` px. */
export function pixelsOf({ width, height, data }: Bitmap, at: Crop, zoom: number): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels: 4 } })
    .extract({ left: at.x, top: at.y, width: at.width, height: at.height })
    .resize(at.width * zoom, at.height * zoom, { kernel: 'nearest' })
    .png()
    .toBuffer();
}

const GAP = 12;
const LABEL = 26;
const TEXT = 14;

/** Writes tiles of one size in rows, each with its label above it. */
export async function writeSheet(tiles: Tile[], columns: number, path: string): Promise<void> {
  const { width = 0, height = 0 } = await sharp(tiles[0].png).metadata();
  const rows = Math.ceil(tiles.length / columns);
  const [stepX, stepY] = [width + GAP, height + LABEL + GAP];
  const labels = tiles.map(({ label }, k) => {
    const [x, y] = [(k % columns) * stepX, Math.floor(k / columns) * stepY];
    const frame = `<rect x="${x + 0.5}" y="${y + LABEL + 0.5}" width="${width - 1}" height="${height - 1}" fill="none" stroke="#0003"/>`;
    return `<g transform="translate(${x} ${y + 18})">${setText(label, TEXT)}</g>${frame}`;
  });
  const [wide, high] = [columns * stepX - GAP, rows * stepY - GAP];
  const overlay = `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}">${labels.join('')}</svg>`;
  const images = tiles.map(({ png }, k) => ({
    input: png,
    left: (k % columns) * stepX,
    top: Math.floor(k / columns) * stepY + LABEL,
  }));
  await sharp({ create: { width: wide, height: high, channels: 3, background: '#fff' } })
    .composite([...images, { input: new Resvg(overlay).render().asPng() }])
    .png({ palette: true, colors: 128, effort: 10, compressionLevel: 9 })
    .toFile(path);
}
