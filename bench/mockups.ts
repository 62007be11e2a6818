/**
 * Processor time of the mockup of each product of the catalogue, at full size with a logo on it. All in one process, as
 * the server's workers live on from job to job; the first one is drawn once before. Run: npx tsx bench/mockups.ts
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Composition, FIRST_ARTWORK, MOCKUP_PX } from '@markwright/scene';
import { type SeedProduct, seedProducts } from '../apps/server/src/catalogue/seed/products.ts';
import { draw } from '../apps/server/src/media/draw.ts';
import { rasterize } from '../apps/server/src/media/rasterize.ts';
import { bundleBench, WORKER_ARGS } from './bundle.ts';

const BAR_SECONDS = 1.5;
const ROUNDS = 3;
const root = process.env.BENCH_ROOT ?? fileURLToPath(new URL('..', import.meta.url));

/** A ring, a star and a line of bars: curves, corners and long edges. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300" viewBox="0 0 400 300">
  <path fill="#1d3557" fill-rule="evenodd" d="M200 10a110 110 0 1 0 .1 0zm0 24a86 86 0 1 1-.1 0z"/>
  <path fill="#e63946" d="M200 50l20 48 52 4-40 34 13 51-45-28-45 28 13-51-40-34 52-4z"/>
  ${Array.from({ length: 16 }, (_, i) => `<path fill="#1d3557" d="M${20 + i * 23} 250h14v${20 + (i % 5) * 5}h-14z"/>`).join('')}
</svg>`;

async function measure(product: SeedProduct): Promise<number[]> {
  const { productId, material, markColor, printArea, surface, machines, dimensions } = product;
  const [printWidthInches = 1, printHeightInches = 1] = dimensions.split('x').map(Number);
  const svg = readFileSync(`${root}/apps/server/src/catalogue/seed/pictures/${productId}.svg`, 'utf8');
  // The catalogue keeps it as pixels.
  const { png } = await rasterize({ svg, widthPx: MOCKUP_PX });
  const artwork = { kind: 'artwork', id: FIRST_ARTWORK, designId: 'd', aspect: 4 / 3, size: 90 };
  const composition = Composition.parse({ machine: machines[0], productId, elements: [artwork] });
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
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
    });
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1e6);
  }
  return times.sort((a, b) => a - b);
}

if (process.argv[2] === 'measure') {
  await measure(seedProducts[0]!);
  const rows: (readonly [string, number])[] = [];
  for (const product of seedProducts) rows.push([product.productId, (await measure(product))[1]!]);
  console.log(JSON.stringify(rows));
} else {
  const bundle = await bundleBench(import.meta.url);
  const args = [...WORKER_ARGS, bundle, 'measure'];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    ...{ encoding: 'utf8', maxBuffer: 1e8 },
    env: { ...process.env, BENCH_ROOT: root },
  });
  if (status !== 0) throw new Error(stderr);
  const rows = (JSON.parse(stdout) as [string, number][]).sort((a, b) => b[1] - a[1]);
  const median = rows[Math.floor(rows.length / 2)]![1];
  console.log(
    `${rows.length} products, processor seconds (median of ${ROUNDS}): median ${median.toFixed(2)}; the most`,
  );
  for (const [name, seconds] of rows.slice(0, 12)) console.log(`${name.padEnd(36)}${seconds.toFixed(2)}`);
  const missCount = rows.filter(([, seconds]) => seconds > BAR_SECONDS).length;
  console.log(`${missCount === 0 ? 'bar met' : `BAR MISSED by ${missCount}`}: ${BAR_SECONDS} s each`);
  process.exitCode = missCount === 0 ? 0 : 1;
}
