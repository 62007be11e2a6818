/**
 * Prints the processor time of a trace in each color mode, and its ratio to that in color: over generated pictures, and
 * over those of the background bench, whole and cut out, where that folder is present. Pictures are sized and settings
 * translated as the server does. Fails when a mode takes more than twice the time of color.
 * Run: tsx bench/colorModes.ts [--seed 1] [--qualities high,medium,low] [--machine laser] [--only REGEX]
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { toTraceSize, toVectorizerOptions, VectorizeSettings } from '@markwright/contract';
import { type Bitmap, vectorize, writeSvg } from '@markwright/vectorizer';
import sharp, { type Sharp } from 'sharp';

// By its address: the compiler checks the tracer's files with a looser rule for indexes than those of this folder.
const { listModePictures } = (await import(
  new URL('../packages/vectorizer/bench/modePictures.ts', import.meta.url).href
)) as { listModePictures(seed: number): { name: string; draw(): Bitmap }[] };

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    qualities: { type: 'string', default: 'medium' },
    machine: { type: 'string', default: 'laser' },
    only: { type: 'string', default: '' },
  },
});
const MODES = ['color', 'grayscale', 'black', 'stainless'] as const;
const MOST_RATIO = 2;
/** Traces that take less than this, in ms, are repeated, and the least time counts. */
const SHORT_MS = 400;
const MOST_RUNS = 5;
/** Shorter times, in ms, count as this one: below, a pause of the engine is longer than a trace. */
const LEAST_MS = 20;
/** The photographs are enlarged to the usual size of an upload. */
const PHOTOGRAPH_WIDTH = 1500;
const folder = join(fileURLToPath(new URL('..', import.meta.url)), '../shared/bench/background/set');

interface Source {
  readonly name: string;
  read(): Promise<Bitmap>;
}

/** Decodes a picture to the pixels that a trace is made from. */
async function toTracePixels(image: Sharp): Promise<Bitmap> {
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = toTraceSize(info);
  if (width === info.width) return { width, height, data };
  const raw = { width: info.width, height: info.height, channels: 4 as const };
  const small = await sharp(data, { raw }).resize(width, height, { fit: 'fill', kernel: 'linear' }).raw().toBuffer();
  return { width, height, data: small };
}

function listGenerated(seed: number): Source[] {
  return listModePictures(seed).map(({ name, draw }) => ({
    name,
    read: () => {
      const { width, height, data } = draw();
      return toTracePixels(sharp(data, { raw: { width, height, channels: 4 } }));
    },
  }));
}

function listPhotographs(): Source[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => /^[pg].*\.jpg$/.test(file));
  return files.flatMap((file) => {
    const stem = file.replace('.jpg', '');
    const whole = () => sharp(join(folder, file)).resize(PHOTOGRAPH_WIDTH).removeAlpha();
    const cut = async () => {
      const alpha = await sharp(join(folder, `${stem}.alpha.png`))
        .resize(PHOTOGRAPH_WIDTH)
        .extractChannel(0)
        .toColourspace('b-w')
        .png()
        .toBuffer();
      return toTracePixels(sharp(await whole().png().toBuffer()).joinChannel(alpha));
    };
    return [
      { name: stem, read: () => toTracePixels(whole()) },
      { name: `${stem}, cut out`, read: cut },
    ];
  });
}

/** Returns the least processor time of some runs in ms, with garbage collection and compilation. */
function measure(bitmap: Bitmap, settings: object): number {
  const options = toVectorizerOptions(VectorizeSettings.parse({ machineType: values.machine, ...settings }));
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < MOST_RUNS && (run === 0 || least < SHORT_MS); run++) {
    const start = process.cpuUsage();
    writeSvg(vectorize(bitmap, options));
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

const ratioOf = (ms: number, inColor: number) => Math.max(ms, LEAST_MS) / Math.max(inColor, LEAST_MS);
const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;

const sources = [...listGenerated(Number(values.seed)), ...listPhotographs()].filter(({ name }) =>
  new RegExp(values.only).test(name),
);
const qualities = values.qualities.split(',');
const ratios = MODES.slice(1).map((): number[] => []);
const excesses: string[] = [];
console.log(`${'processor ms; ratio to color'.padEnd(36)}${MODES.map((mode) => mode.padEnd(16)).join('')}`);
for (const { name, read } of sources) {
  const bitmap = await read();
  for (const quality of qualities) {
    const times = MODES.map((colorMode) => measure(bitmap, { quality, colorMode }));
    const cells = times.map((ms, k) => {
      const ratio = ratioOf(ms, times[0]!);
      if (k > 0) ratios[k - 1]!.push(ratio);
      return `${ms.toFixed(0)}${k > 0 ? ` (${ratio.toFixed(2)})` : ''}`.padEnd(16);
    });
    const title = qualities.length > 1 ? `${name}, ${quality}` : name;
    console.log(`${title.padEnd(36)}${cells.join('')}`.trimEnd());
    if (ratioOf(Math.max(...times), times[0]!) > MOST_RATIO) excesses.push(title);
  }
}
for (const [title, of] of [
  ['median ratio', median],
  ['largest ratio', (numbers: readonly number[]) => Math.max(...numbers)],
] as const) {
  console.log(`${title.padEnd(52)}${ratios.map((numbers) => of(numbers).toFixed(2).padEnd(16)).join('')}`.trimEnd());
}
console.log(
  excesses.length === 0
    ? 'yes no picture takes more than twice the time of color'
    : `NO  more than twice the time of color: ${excesses.join('; ')}`,
);
process.exit(excesses.length === 0 ? 0 : 1);
