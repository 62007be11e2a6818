/**
 * Takes the picture of a top, from above or with a wall behind it. Everything is 2000 px wide and high, as the mockups
 * that stand in it; the light comes from the upper left, as in the pictures of the blanks.
 */
import sharp from 'sharp';
import { rasterize } from '../../apps/server/src/media/rasterize.ts';
import { dim, type Material, type Rgb } from './materials.ts';
import { noise } from './noise.ts';

export const SIDE = 2000;
/** Red, green and blue of each pixel, 0..255. */
export type Picture = Float32Array;

/** Where things stand: the line of the base, the far edge of the top, and the height of the eye, px from above. */
export const STAND = { base: 1690, edge: 1395, eye: 1010 } as const;
/** Scale at the line of the base, and of a top seen from above. */
const STANDING_PX_PER_MM = 7;
const LYING_PX_PER_MM = 8;
const SAMPLES = 2;

/** Pictures a top from above. */
export function lookDown(material: Material, turnDeg = 0): Picture {
  const [c, s] = [Math.cos((turnDeg * Math.PI) / 180), Math.sin((turnDeg * Math.PI) / 180)];
  return paint((x, y) => {
    const [u, v] = [(x - SIDE / 2) / LYING_PX_PER_MM, (y - SIDE / 2) / LYING_PX_PER_MM];
    return material(c * u + s * v, c * v - s * u);
  });
}

/** Pictures the part of a level top between its far edge and the viewer; above the edge it is `behind`. */
export async function lookAcross(material: Material, behind: Picture, { blurPx = 9, front = 0.94 } = {}) {
  const drop = STAND.base - STAND.eye;
  const top = paint((x, y) => {
    const depth = drop / (Math.max(y, STAND.edge) - STAND.eye);
    const u = ((x - SIDE / 2) * depth) / STANDING_PX_PER_MM;
    // Toward the viewer, at the slant at which the eye meets the top.
    const v = (-(depth - 1) * drop * 4.4) / STANDING_PX_PER_MM;
    const fade = (y - STAND.edge) / (SIDE - STAND.edge);
    return dim(material(u, v), 1.03 - (1 - front) * fade);
  });
  // Sharp where things stand, soft toward the edge and toward the viewer.
  const [soft, softer] = [await blur(top, blurPx * 0.45), await blur(top, blurPx * 1.4)];
  const out = new Float32Array(behind);
  for (let y = STAND.edge - 3; y < SIDE; y++) {
    const off = y < STAND.base ? (STAND.base - y) / (STAND.base - STAND.edge) : (y - STAND.base) / 420;
    const [a, b] = off < 0.5 ? [top, soft] : [soft, softer];
    const share = Math.min(1, off < 0.5 ? off * 2 : off * 2 - 1);
    // The far edge is out of focus too.
    const cover = Math.min(1, Math.max(0, (y - STAND.edge + 3) / 6));
    for (let i = 3 * y * SIDE; i < 3 * (y + 1) * SIDE; i++) {
      const value = a[i]! + (b[i]! - a[i]!) * share;
      out[i] = behind[i]! + (value - behind[i]!) * cover;
    }
  }
  return out;
}

/** Paints each pixel from several samples. */
export function paint(colorAt: (x: number, y: number) => Rgb): Picture {
  const out = new Float32Array(3 * SIDE * SIDE);
  for (let y = 0, i = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++, i += 3) {
      for (let k = 0; k < SAMPLES; k++) {
        const [r, g, b] = colorAt(x + (k + 0.5) / SAMPLES, y + (((k * 7 + 3) % SAMPLES) + 0.5) / SAMPLES);
        out[i]! += r / SAMPLES;
        out[i + 1]! += g / SAMPLES;
        out[i + 2]! += b / SAMPLES;
      }
    }
  }
  return out;
}

/** Draws an SVG of 2000 x 2000 and blurs it. */
export async function drawBehind(svg: string, blurPx: number): Promise<Picture> {
  const { png } = await rasterize({ svg: openSvg(svg), widthPx: SIDE, background: '#808080' });
  const { data } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const picture = Float32Array.from(data);
  return blurPx > 0 ? blur(picture, blurPx) : picture;
}

const openSvg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 ${SIDE} ${SIDE}">${content}</svg>`;

/** Lays an SVG over a picture. */
export async function lay(picture: Picture, svg: string): Promise<Picture> {
  const { png } = await rasterize({ svg: openSvg(svg), widthPx: SIDE });
  const { data } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return picture.map((value, i) => {
    const at = 4 * Math.floor(i / 3);
    const alpha = data[at + 3]! / 255;
    return value + (data[at + (i % 3)]! - value) * alpha;
  });
}

/** Gaussian blur as three passes of a box (Kovesi 2010), each way; edges repeat. */
export async function blur(picture: Picture, sigmaPx: number): Promise<Picture> {
  const radius = Math.max(1, Math.round((Math.sqrt(4 * sigmaPx * sigmaPx + 1) - 1) / 2));
  let [from, to] = [new Float32Array(picture), new Float32Array(picture.length)];
  for (const [step, jump] of [
    [3, 3 * SIDE],
    [3 * SIDE, 3],
  ] as const) {
    for (let pass = 0; pass < 3; pass++) {
      for (let line = 0; line < SIDE; line++) {
        for (let c = 0; c < 3; c++) boxLine(from, to, line * jump + c, step, radius);
      }
      [from, to] = [to, from];
    }
  }
  return from;
}

function boxLine(from: Picture, to: Picture, start: number, step: number, radius: number): void {
  const last = SIDE - 1;
  const value = (i: number) => from[start + Math.min(last, Math.max(0, i)) * step]!;
  let sum = 0;
  for (let i = -radius; i <= radius; i++) sum += value(i);
  for (let i = 0; i < SIDE; i++) {
    to[start + i * step] = sum / (2 * radius + 1);
    sum += value(i + radius + 1) - value(i - radius);
  }
}

/** Multiplies a picture by light: 1 leaves it. */
export function light(picture: Picture, lightAt: (x: number, y: number) => number, warmth = 0): Picture {
  for (let y = 0, i = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++, i += 3) {
      const by = lightAt(x / SIDE, y / SIDE);
      picture[i]! *= by * (1 + warmth * (by - 1));
      picture[i + 1]! *= by;
      picture[i + 2]! *= by * (1 - warmth * (by - 1));
    }
  }
  return picture;
}

/** Writes a picture. A grain of less than a tone keeps its soft gradients without bands. */
export async function write(picture: Picture, path: string): Promise<void> {
  const bytes = Buffer.alloc(picture.length);
  for (let i = 0; i < picture.length; i++) {
    const grain = noise((i % (3 * SIDE)) * 0.7, Math.floor(i / (3 * SIDE)) * 2.3) - 0.5;
    bytes[i] = Math.round(Math.min(255, Math.max(0, picture[i]! + 1.6 * grain)));
  }
  await sharp(bytes, { raw: { width: SIDE, height: SIDE, channels: 3 } })
    .webp({ quality: 82, effort: 6, smartSubsample: true })
    .toFile(path);
}
