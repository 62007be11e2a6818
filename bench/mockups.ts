/**
 * Processor time of the mockup of each product of the catalogue, at full size with a logo on it: on white, and once in
 * the scene with the most to encode. All in one process, as the server's workers live on from job to job; the first one
 * is drawn once before. Run: npx tsx bench/mockups.ts
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stanceOf } from '@markwright/contract';
import { Composition, FIRST_ARTWORK, MOCKUP_PX } from '@markwright/scene';
import { type SeedProduct, seedProducts } from '../apps/server/src/catalogue/seed/products.ts';
import { draw } from '../apps/server/src/media/draw.ts';
import { rasterize } from '../apps/server/src/media/rasterize.ts';
import { bundleBench, WORKER_ARGS } from './bundle.ts';

const BAR_SECONDS = 1.5;
const SCENE_BAR_SECONDS = 2.5;
const SCENE = 'bench';
const ROUNDS = 3;
const root = process.env.BENCH_ROOT ?? fileURLToPath(new URL('..', import.meta.url));

/** A ring, a star and a line of bars: curves, corners and long edges. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300" viewBox="0 0 400 300">
  <path fill="#1d3557" fill-rule="evenodd" d="M200 10a110 110 0 1 0 .1 0zm0 24a86 86 0 1 1-.1 0z"/>
  <path fill="#e63946" d="M200 50l20 48 52 4-40 34 13 51-45-28-45 28 13-51-40-34 52-4z"/>
  ${Array.from({ length: 16 }, (_, i) => `<path fill="#1d3557" d="M${20 + i * 23} 250h14v${20 + (i % 5) * 5}h-14z"/>`).join('')}
</svg>`;

async function measure(product: SeedProduct, scene?: typeof SCENE): Promise<number[]> {
  const { productId, material, markColor, printArea, surface, machines, dimensions } = product;
  const [printWidthInches = 1, printHeightInches = 1] = dimensions.split('x').map(Number);
  const svg = readFileSync(`${root}/apps/server/src/catalogue/seed/pictures/${productId}.svg`, 'utf8');
  // The catalogue keeps it as pixels.
  const { png } = await rasterize({ svg, widthPx: MOCKUP_PX });
  const artwork = { kind: 'artwork', id: FIRST_ARTWORK, designId: 'd', aspect: 4 / 3, size: 90 };
  const composition = Composition.parse({ machine: machines[0], productId, elements: [artwork] });
  const stance = stanceOf(product);
  const path = `${root}/apps/server/src/catalogue/seed/surroundings/${scene}-${stance}.webp`;
  const surroundings = scene && { picture: readFileSync(path), stance };
  const times: number[] = [];
  for (let round = 0; round < (scene ? 1 : ROUNDS); round++) {
    const start = process.cpuUsage();
    await draw({
      composition,
      product: {
        picture: { bytes: png, mediaType: 'image/png' },
        pictureAspect: 1,
        ...{ printArea, printWidthInches, printHeightInches, finish: { material, markColor }, surface },
      },
      artworks: [{ id: FIRST_ARTWORK, picture: { svg: LOGO } }],
      target: { kind: 'mockup' },
      surroundings,
    });
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1e6);
  }
  return times.sort((a, b) => a - b);
}

/** Processor seconds on white, and in a scene. */
type Row = readonly [productId: string, white: number, inScene: number];

if (process.argv[2] === 'measure') {
  await measure(seedProducts[0]!);
  const rows: Row[] = [];
  for (const product of seedProducts) {
    const [white, [inScene = 0]] = [await measure(product), await measure(product, SCENE)];
    rows.push([product.productId, white[1]!, inScene]);
  }
  console.log(JSON.stringify(rows));
} else {
  const bundle = await bundleBench(import.meta.url);
  const args = [...WORKER_ARGS, bundle, 'measure'];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    ...{ encoding: 'utf8', maxBuffer: 1e8 },
    env: { ...process.env, BENCH_ROOT: root },
  });
  if (status !== 0) throw new Error(stderr);
  const rows = JSON.parse(stdout) as Row[];
  const isMet = [
    report(
      'white',
      BAR_SECONDS,
      rows.map(([id, white]) => [id, white]),
    ),
    report(
      `in the scene “${SCENE}”`,
      SCENE_BAR_SECONDS,
      rows.map(([id, , inScene]) => [id, inScene]),
    ),
  ].every(Boolean);
  process.exitCode = isMet ? 0 : 1;
}

/** Prints the most expensive products, and returns true where all are within the bar. */
function report(where: string, bar: number, times: (readonly [string, number])[]): boolean {
  const rows = times.sort((a, b) => b[1] - a[1]);
  const median = rows[Math.floor(rows.length / 2)]![1];
  console.log(`${rows.length} products, ${where}, processor seconds: median ${median.toFixed(2)}; the most`);
  for (const [name, seconds] of rows.slice(0, 12)) console.log(`${name.padEnd(36)}${seconds.toFixed(2)}`);
  const missCount = rows.filter(([, seconds]) => seconds > bar).length;
  console.log(`${missCount === 0 ? 'bar met' : `BAR MISSED by ${missCount}`}: ${bar} s each`);
  return missCount === 0;
}
