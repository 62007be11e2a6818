/** npm run -s trace -- IN OUT.svg: traces a picture with default settings. Prints the tracer's own time on stderr. */
import { writeFileSync } from 'node:fs';
import { vectorize, writeSvg } from '@markwright/vectorizer';
import sharp from 'sharp';

const MAX_PIXELS = 100_000_000;

async function main(): Promise<void> {
  const [input, output] = process.argv.slice(2);
  if (!input || !output) throw new Error('Usage: npm run trace -- IN OUT.svg');
  const { data, info } = await sharp(input, { limitInputPixels: MAX_PIXELS })
    .autoOrient()
    .toColorspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const started = performance.now();
  const svg = writeSvg(vectorize({ width: info.width, height: info.height, data }));
  const elapsedMs = performance.now() - started;
  writeFileSync(output, svg);
  process.stderr.write(`TRACE_MS=${elapsedMs.toFixed(1)}\n`);
}

main().catch((error: unknown) => {
  const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
  process.stderr.write(`Could not trace the picture: ${reason}\n`);
  process.exitCode = 1;
});
