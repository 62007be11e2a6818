import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { removeBackground } from './background.ts';
import type { Picture } from './picture.ts';
import { eachPatch, findRinging } from './specks.ts';

const WIDTH = 320;
const HEIGHT = 240;

/** Returns a ring around a triangle and a small dot, a bar, an empty frame of thin lines, and a thin slanted line. */
const logo = (dark: string, strong: string) => `
  <circle cx="100" cy="100" r="68" fill="none" stroke="${dark}" stroke-width="22"/>
  <path d="M100 68l24 48H76z" fill="${strong}"/>
  <circle cx="100" cy="136" r="3" fill="${strong}"/>
  <path d="M40 196h160v22H40z" fill="${dark}"/>
  <path d="M220 40h70v60h-70z" fill="none" stroke="${strong}" stroke-width="2"/>
  <path d="M226 220L296 130" stroke="${dark}" stroke-width="2"/>`;
const SHAPES = 6;

const draw = (inside: string) =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${inside}</svg>`));

async function read(image: Sharp): Promise<Picture> {
  return { width: WIDTH, height: HEIGHT, data: new Uint8Array(await image.ensureAlpha().raw().toBuffer()) };
}

/** Returns the connected patches of visible pixels, each with its pixels. */
function patchesOf({ data }: Picture, least: number): number[][] {
  const open = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) => (data[4 * i + 3]! > least ? 1 : 0));
  const patches: number[][] = [];
  eachPatch(open, WIDTH, open.length, (patch) => patches.push([...patch]));
  return patches;
}

test('keeps each shape of a compressed logo in one piece, and nothing else', async () => {
  const colors = fc.constantFrom(
    ['#ffffff', '#14213d', '#c8102e'],
    ['#f3ead8', '#0b3d2e', '#1c3fa8'],
    ['#101418', '#f6c915', '#e8f0f4'],
    ['#2c6e49', '#ffffff', '#ffd166'],
  );
  await fc.assert(
    fc.asyncProperty(
      colors,
      fc.integer({ min: 60, max: 90 }),
      fc.boolean(),
      async ([ground, dark, strong], quality, isSoft) => {
        const shapes = patchesOf(await read(draw(logo(dark, strong))), 127);
        expect(shapes.length).toBe(SHAPES);
        let image = draw(`<path d="M0 0h${WIDTH}v${HEIGHT}H0z" fill="${ground}"/>${logo(dark, strong)}`);
        if (isSoft) image = image.blur(0.8);
        const jpeg = await read(sharp(await image.jpeg({ quality }).toBuffer()));
        const cut = removeBackground(jpeg, { clearEnclosed: true })!;
        const patches = patchesOf(cut, 16);
        expect(patches.length).toBe(SHAPES);
        for (const shape of shapes) {
          const inside = shape.filter((i) => cut.data[4 * i + 3]! > 127).length;
          expect(inside).toBeGreaterThan(0.7 * shape.length);
        }
        // The patches are not much wider than the shapes.
        const area = patches.reduce((sum, patch) => sum + patch.length, 0);
        expect(area).toBeLessThan(1.35 * shapes.reduce((sum, shape) => sum + shape.length, 0));
      },
    ),
    { numRuns: 16 },
  );
});

test('recognizes only thin patches near a dark bar as ringing', () => {
  const off = new Uint8Array(WIDTH * HEIGHT);
  const put = (x: number, y: number, width: number, height: number, value: number) => {
    for (let row = y; row < y + height; row++) off.fill(value, row * WIDTH + x, row * WIDTH + x + width);
  };
  put(60, 60, 200, 40, 238);
  put(20, 108, 280, 3, 35);
  put(220, 44, 12, 10, 30);
  put(80, 52, 20, 3, 35);
  const isNear = Uint8Array.from(off, (value) => (value < 4 ? 1 : 0));
  const { isGround } = findRinging(off, isNear, WIDTH, HEIGHT);
  const at = (x: number, y: number) => isGround[y * WIDTH + x];
  expect(at(150, 109), 'a line that goes on beyond').toBe(0);
  expect(at(226, 48), 'a field').toBe(0);
  expect(at(90, 53), 'a stripe').toBe(1);
});

test('leaves no specks of noise', () => {
  let seed = 5;
  const uniform = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return (seed + 0.5) / 2 ** 32;
  };
  const data = new Uint8Array(4 * WIDTH * HEIGHT).fill(255);
  for (let i = 0; i < WIDTH * HEIGHT; i++) {
    const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)];
    const isObject = Math.hypot(x - 150, y - 120) < 60 || Math.hypot(x - 270, y - 60) < 2;
    const noise = 2 * Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
    const level = (isObject ? 90 : 215 - 0.2 * x - 0.1 * y) + noise;
    for (let k = 0; k < 3; k++) data[4 * i + k] = level - 6 * k;
  }
  const patches = patchesOf(removeBackground({ width: WIDTH, height: HEIGHT, data })!, 16);
  expect(patches.length).toBe(2);
});
