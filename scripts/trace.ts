/**
 * npm run -s trace -- IN OUT.svg [--draw centerline] [--maxColors 8] [--no-gradients] ...: traces a picture. Every
 * option of the tracer has a flag of the same name. Prints the tracer's time on stderr.
 *
 * --palette takes inks separated by commas: a color, then optionally :tolerance and =paint, as in
 * '#c8102e:12,#000=#1a1a1a,#fff=none'. --repaint takes colors of the drawing in the same syntax, as in
 * '#c8102e=#d4af37,#1a1a1a=none'.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { VectorizeOptions } from '@markwright/vectorizer';
import { vectorize, writeSvg } from '@markwright/vectorizer';
import sharp from 'sharp';

const MAX_PIXELS = 100_000_000;

/**
 * The kind of each option. The compiler requires every option except the callbacks, which a command line cannot pass.
 */
const kinds = {
  maxColors: 'number',
  palette: 'inks',
  repaint: 'inks',
  colorMode: 'text',
  ink: 'text',
  threshold: 'number',
  dropBackground: 'flag',
  dropLight: 'flag',
  despeckle: 'number',
  pixelsPerMm: 'number',
  minAreaMm2: 'number',
  minLineWidthMm: 'number',
  stacking: 'text',
  draw: 'text',
  lineWidth: 'number',
  gradients: 'flag',
  shapes: 'flag',
  regular: 'flag',
  groupBy: 'text',
  simplify: 'number',
  tolerance: 'number',
  quality: 'text',
  refine: 'flag',
} as const satisfies Record<Exclude<keyof VectorizeOptions, 'onProgress' | 'signal'>, string>;

const flags = Object.fromEntries(
  Object.entries(kinds).map(([name, kind]) => [name, { type: kind === 'flag' ? 'boolean' : 'string' } as const]),
);

/** Converts the flags to options. The tracer checks the values itself. */
function readOptions(values: Record<string, string | boolean | undefined>): VectorizeOptions {
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const kind = kinds[name as keyof typeof kinds];
    options[name] = kind === 'number' ? Number(value) : kind === 'inks' ? readInks(String(value)) : value;
  }
  return options as VectorizeOptions;
}

function readInks(text: string): VectorizeOptions['palette'] {
  return text.split(',').map((ink) => {
    const [look = '', paint] = ink.split('=');
    const [color = '', tolerance] = look.split(':');
    return {
      color: toLongHex(color),
      ...(tolerance !== undefined && { tolerance: Number(tolerance) }),
      ...(paint !== undefined && { paint: paint === 'none' ? null : toLongHex(paint) }),
    };
  });
}

const toLongHex = (color: string): string => color.trim().replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3');

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: flags, allowPositionals: true, allowNegative: true });
  const [input, output] = positionals;
  if (!input || !output) throw new Error('Usage: npm run trace -- IN OUT.svg [--option value]');
  const options = readOptions(values);
  const { data, info } = await sharp(input, { limitInputPixels: MAX_PIXELS })
    .autoOrient()
    .toColorspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const startMs = performance.now();
  const svg = writeSvg(vectorize({ width: info.width, height: info.height, data }, options));
  const elapsedMs = performance.now() - startMs;
  writeFileSync(output, svg);
  process.stderr.write(`TRACE_MS=${elapsedMs.toFixed(1)}\n`);
}

main().catch((error: unknown) => {
  const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
  process.stderr.write(`Could not trace the picture: ${reason}\n`);
  process.exitCode = 1;
});
