/**
 * npm run -s trace -- IN OUT.svg [--draw centerline] [--maxColors 8] ...: traces a picture. Every option of the tracer has a flag of its
 * name. Prints the tracer's own time on stderr.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { VectorizeOptions } from '@markwright/vectorizer';
import { vectorize, writeSvg } from '@markwright/vectorizer';
import sharp from 'sharp';

const MAX_PIXELS = 100_000_000;

const text = { type: 'string' } as const;
const number = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const flags = {
  colorMode: text,
  ink: text,
  stacking: text,
  draw: text,
  groupBy: text,
  quality: text,
  maxColors: number,
  despeckle: number,
  tolerance: number,
  simplify: number,
  dropBackground: flag,
  gradients: flag,
};
const numbers = ['maxColors', 'despeckle', 'tolerance', 'simplify'];

/** The tracer checks the values itself. */
function readOptions(values: Record<string, string | boolean | undefined>): VectorizeOptions {
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    options[name] = numbers.includes(name) ? Number(value) : value;
  }
  return options as VectorizeOptions;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: flags, allowPositionals: true });
  const [input, output] = positionals;
  if (!input || !output) throw new Error('Usage: npm run trace -- IN OUT.svg [--option value]');
  const options = readOptions(values);
  const { data, info } = await sharp(input, { limitInputPixels: MAX_PIXELS })
    .autoOrient()
    .toColorspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const started = performance.now();
  const svg = writeSvg(vectorize({ width: info.width, height: info.height, data }, options));
  const elapsedMs = performance.now() - started;
  writeFileSync(output, svg);
  process.stderr.write(`TRACE_MS=${elapsedMs.toFixed(1)}\n`);
}

main().catch((error: unknown) => {
  const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
  process.stderr.write(`Could not trace the picture: ${reason}\n`);
  process.exitCode = 1;
});
