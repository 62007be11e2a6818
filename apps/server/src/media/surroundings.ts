/** Stands a mockup in surroundings: at its place, in its size, with its shadows. */
import type { Stance } from '@markwright/contract';
import { drawWatermark, MOCKUP_PX, svgNode, writeSvg } from '@markwright/scene';
import sharp from 'sharp';
import { AppError } from '../platform/errors.ts';
import type { DrawnSurroundings } from '../platform/ports/mediaJobs.ts';
import type { Pixels } from './rasterize.ts';

/**
 * Where the pictures of the surroundings have room for a thing, in px: the middle, the line on which it stands or the
 * middle of one that lies, and the most it may measure.
 */
const places: Readonly<Record<Stance, { middle: number; line: number; width: number; height: number }>> = {
  standing: { middle: 975, line: 1690, width: 1240, height: 1260 },
  lying: { middle: 1000, line: 985, width: 1300, height: 1300 },
};
/** A small thing in a large picture is not made larger than this. */
const MOST_GROWTH = 1.6;
/** Shadows are soft: they are made at a quarter of the size. */
const SHADOW_PX = MOCKUP_PX / 4;
const SOLID = 140;

/**
 * Stands a mockup on a clear ground in surroundings, and returns a PNG of 2000 x 2000. The light comes from the upper
 * left, as in the pictures of the catalogue. Throws unprocessable for a product whose picture has a background. Cost:
 * about a processor second, most of it for the PNG.
 */
export async function standIn(
  mockup: Pixels,
  { picture, stance }: DrawnSurroundings,
  isMarked: boolean,
): Promise<Uint8Array> {
  const box = findThing(mockup);
  const place = places[stance];
  const scale = Math.min(place.width / box.width, place.height / box.height, MOST_GROWTH);
  const thing = await resize(mockup, scale);
  const left = Math.round(place.middle - scale * (box.x + box.width / 2));
  const top = Math.round(place.line - scale * (box.y + box.height * (stance === 'standing' ? 1 : 0.5)));
  const shape = readShape(thing, left, top);
  const shadow = await (stance === 'standing' ? castStanding(shape, scale * box.height) : castLying(shape));
  const ground = await sharp(picture).resize(MOCKUP_PX, MOCKUP_PX).removeAlpha().raw().toBuffer();
  layOver(ground, { thing, left, top }, await enlarge(shadow));
  const image = sharp(ground, { raw: { width: MOCKUP_PX, height: MOCKUP_PX, channels: 3 } });
  return (isMarked ? image.composite([{ input: watermark() }]) : image).png({ compressionLevel: 6 }).toBuffer();
}

function watermark(): Buffer {
  const size = { width: MOCKUP_PX, height: MOCKUP_PX };
  return Buffer.from(writeSvg(svgNode('svg', size, [drawWatermark({ x: 0, y: 0, ...size })])));
}

/** Returns the box of what is solid, in px. Shadows of the picture are outside of it. */
function findThing({ width, height, data }: Pixels) {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0, at = 3; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      if (data[at]! < SOLID) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
  }
  const isWhole = left === 0 && top === 0 && right === width - 1 && bottom === height - 1;
  if (right < 0 || isWhole) {
    throw new AppError(
      'unprocessable',
      'The picture of this product has a background, so the product cannot stand in a scene. Remove the background of ' +
        'the product’s picture first.',
    );
  }
  return { x: left, y: top, width: right + 1 - left, height: bottom + 1 - top };
}

/** Returns a picture in another size. Its pixels are no longer multiplied by their alpha. */
async function resize({ width, height, data }: Pixels, scale: number): Promise<Pixels> {
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const channels = await sharp(data, { raw: { width, height, channels: 4, premultiplied: true } })
    .resize(size.width, size.height, { fit: 'fill' })
    .raw()
    .toBuffer();
  return { ...size, data: channels };
}

/** How much of each px of the small canvas a thing covers, 0..1. */
type Shape = Float32Array;

function readShape({ width, height, data }: Pixels, left: number, top: number): Shape {
  const shape = new Float32Array(SHADOW_PX * SHADOW_PX);
  const step = MOCKUP_PX / SHADOW_PX;
  for (let y = 0; y < SHADOW_PX; y++) {
    for (let x = 0; x < SHADOW_PX; x++) {
      const [px, py] = [Math.floor((x + 0.5) * step) - left, Math.floor((y + 0.5) * step) - top];
      if (px < 0 || py < 0 || px >= width || py >= height) continue;
      const alpha = data[4 * (py * width + px) + 3]! / 255;
      // Glass lets light through; a soft shadow in the picture casts none.
      shape[y * SHADOW_PX + x] = Math.min(1, Math.max(0, (alpha - 0.5) * 3.3));
    }
  }
  return shape;
}

/** A layer of shadow: where, how soft in px of the small canvas, and how dark 0..1. */
type Layer = readonly [shape: Shape, sigma: number, depth: number];

/** The light falls on a top that is seen at a slant: the shadow runs to the right and a little to the back. */
const RUN = 0.5;
const RISE = 0.15;
/** Bands of height, as shares of it, with the blur and the depth of each: a shadow softens as it runs. */
const bands = [
  { from: 0, to: 0.12, sigma: 2.2, depth: 0.5 },
  { from: 0.12, to: 0.35, sigma: 5, depth: 0.44 },
  { from: 0.35, to: 0.65, sigma: 9, depth: 0.36 },
  { from: 0.65, to: 1, sigma: 14, depth: 0.26 },
] as const;

function castStanding(shape: Shape, heightPx: number): Promise<Shape> {
  const foot = Math.round((places.standing.line * SHADOW_PX) / MOCKUP_PX);
  const height = (heightPx * SHADOW_PX) / MOCKUP_PX;
  const layers: Layer[] = bands.map(({ from, to, sigma, depth }) => {
    const layer = new Float32Array(shape.length);
    for (let up = Math.floor(from * height); up < to * height; up++) {
      const [row, x0] = [foot - 1 - up, Math.round(RUN * up)];
      const target = Math.round(foot - 2 - RISE * up);
      if (row < 0) break;
      for (let x = 0; x + x0 < SHADOW_PX; x++) {
        const at = target * SHADOW_PX + x + x0;
        layer[at] = Math.max(layer[at]!, shape[row * SHADOW_PX + x]!);
      }
    }
    return [layer, sigma, depth];
  });
  const contact = new Float32Array(shape.length);
  const thickness = Math.max(2, Math.round(0.02 * height));
  for (let x = 0; x < SHADOW_PX; x++) {
    let cover = 0;
    for (let up = 0; up < 3 * thickness; up++) cover = Math.max(cover, shape[(foot - 1 - up) * SHADOW_PX + x]!);
    for (let y = foot - thickness; y < foot + thickness; y++) contact[y * SHADOW_PX + x] = cover;
  }
  return addUp([...layers, [contact, 3, 0.4], [contact, 11, 0.5]]);
}

const castLying = (shape: Shape): Promise<Shape> =>
  addUp([
    [shiftBy(shape, 3, 5), 3, 0.26],
    [shiftBy(shape, 8, 14), 10, 0.26],
    [shiftBy(shape, 12, 22), 26, 0.2],
  ]);

function shiftBy(shape: Shape, dx: number, dy: number): Shape {
  const out = new Float32Array(shape.length);
  for (let y = dy; y < SHADOW_PX; y++) {
    out.set(shape.subarray((y - dy) * SHADOW_PX, (y - dy + 1) * SHADOW_PX - dx), y * SHADOW_PX + dx);
  }
  return out;
}

/** Blurs layers and adds them up: the light that is left is multiplied. */
async function addUp(layers: readonly Layer[]): Promise<Shape> {
  const left = new Float32Array(SHADOW_PX * SHADOW_PX).fill(1);
  for (const [shape, sigma, depth] of layers) {
    const bytes = Buffer.from(shape.map((cover) => 255 * cover));
    const soft = await sharp(bytes, { raw: { width: SHADOW_PX, height: SHADOW_PX, channels: 1 } })
      .blur(sigma)
      .toColourspace('b-w')
      .raw()
      .toBuffer();
    for (let i = 0; i < left.length; i++) left[i]! *= 1 - (depth * soft[i]!) / 255;
  }
  return left.map((light) => 1 - light);
}

async function enlarge(shape: Shape): Promise<Uint8Array> {
  const bytes = Buffer.from(shape.map((cover) => 255 * cover));
  return sharp(bytes, { raw: { width: SHADOW_PX, height: SHADOW_PX, channels: 1 } })
    .resize(MOCKUP_PX, MOCKUP_PX, { kernel: 'cubic' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
}

/** How much of the color of the surroundings falls on a thing, 0..1. */
const AMBIENT = 0.08;
/** A shadow lets a little more red through than blue: the light of a room is warm. */
const SHADE = [0.94, 0.97, 1] as const;

/** Draws a thing and its shadow on a ground of 2000 x 2000, in place. */
function layOver(
  ground: Uint8Array,
  { thing, left, top }: { readonly thing: Pixels; readonly left: number; readonly top: number },
  shadow: Uint8Array,
): void {
  const tint = readTint(ground);
  const { width, height, data } = thing;
  for (let y = 0, i = 0; y < MOCKUP_PX; y++) {
    const start = y >= top && y < top + height ? 4 * ((y - top) * width - left) : -1;
    for (let x = 0; x < MOCKUP_PX; x++, i++) {
      const at = start !== -1 && x >= left && x < left + width ? start + 4 * x : -1;
      const cover = at < 0 ? 0 : data[at + 3]! / 255;
      const shade = shadow[i]! / 255;
      if (cover === 0 && shade === 0) continue;
      for (let c = 0; c < 3; c++) {
        const below = ground[3 * i + c]! * (1 - shade * SHADE[c]!);
        const above = cover === 0 ? 0 : data[at + c]! * tint[c]!;
        ground[3 * i + c] = Math.min(255, below + (above - below) * cover + 0.5);
      }
    }
  }
}

/** Returns what each channel of a thing is multiplied by, from every hundredth px of its ground. */
function readTint(ground: Uint8Array): readonly number[] {
  const sum = [0, 0, 0];
  for (let i = 0; i < ground.length; i += 300) for (let c = 0; c < 3; c++) sum[c]! += ground[i + c]!;
  const gray = (sum[0]! + sum[1]! + sum[2]!) / 3;
  return sum.map((value) => 1 + AMBIENT * (value / gray - 1));
}
