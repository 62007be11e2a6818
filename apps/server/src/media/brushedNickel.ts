/**
 * Draws the picture of brushed steel for bare metal, from seeded noise, with the same bytes in every process.
 */
import { seededRandom } from '@markwright/scene';
import sharp from 'sharp';
import { loadOnce } from '../platform/loadOnce.ts';

/** The side in px: half a brushed tumbler on a mockup at 2x. */
export const BRUSHED_PX = 512;

/** Returns a gray, tileable PNG: hairlines along the brush, soft lights across it. Drawn once, in some 50 ms. */
export const brushedNickel = loadOnce(() => drawBrushed());

function drawBrushed(): Promise<Uint8Array> {
  const size = BRUSHED_PX;
  const random = seededRandom(1751);
  const light = new Float64Array(size * size).fill(MIDDLE);
  // Each hairline: one row, or two, that fades in and out around the tile.
  for (let line = 0; line < HAIRLINES; line++) {
    const row = Math.floor(random() * size);
    const start = Math.floor(random() * size);
    const length = Math.floor(size * (0.12 + 0.6 * random() ** 2));
    const depth = HAIRLINE_DEPTH * (random() - 0.5);
    const isWide = random() < 0.3;
    for (let i = 0; i < length; i++) {
      const x = (start + i) % size;
      const fade = depth * Math.sin((Math.PI * (i + 0.5)) / length);
      light[row * size + x]! += fade;
      if (isWide) light[((row + 1) % size) * size + x]! += 0.6 * fade;
    }
  }
  const tau = (2 * Math.PI) / size;
  const pixels = Buffer.alloc(size * size);
  for (let y = 0; y < size; y++) {
    // Waves that fit the tile a whole number of times meet themselves at its edges.
    const band = 5 * Math.sin(tau * y + 0.6) + 4 * Math.sin(tau * 3 * y + 2.1) + 3 * Math.sin(tau * 7 * y);
    for (let x = 0; x < size; x++) {
      const glow = 9 * Math.cos(tau * (x - 190)) + 4 * Math.cos(tau * 2 * (x - 60));
      const value = light[y * size + x]! + band + glow;
      pixels[y * size + x] = STEP * Math.floor(Math.max(0, Math.min(255, value)) / STEP);
    }
  }
  return sharp(pixels, { raw: { width: size, height: size, channels: 1 } })
    .toColourspace('b-w')
    .png({ compressionLevel: 9, adaptiveFiltering: false })
    .toBuffer();
}

const MIDDLE = 196;
const HAIRLINES = 5200;
const HAIRLINE_DEPTH = 46;
/** Tones closer than this look the same, and cost a third of the bytes. */
const STEP = 4;
