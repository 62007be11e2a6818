// npm run kernels: compiles packages/vectorizer/kernels to WebAssembly and writes its bytes into a module, because a
// browser's worker, the server, tests and the command line read the same TypeScript sources. With --check, it compares
// only.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../packages/vectorizer/', import.meta.url));
const target = `${root}src/kernels/bytes.ts`;

/** Returns the text of the module. */
export async function compileKernels() {
  const { default: compiler } = await import('assemblyscript/asc');
  let bytes;
  const options = ['-O3', '--runtime', 'stub', '--noAssert', '--uncheckedBehavior', 'always', '--initialMemory', '96'];
  const { error, stderr } = await compiler.main(
    ['kernels/index.ts', '--baseDir', root, '-o', 'kernels.wasm', ...options, '--enable', 'simd,bulk-memory'],
    {
      writeFile(_name, contents) {
        bytes = contents;
      },
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`${error.message}\n${stderr}`);
  const lines = Buffer.from(bytes)
    .toString('base64')
    .match(/.{1,110}/g);
  return `/** Made by \`npm run kernels\` of \`packages/vectorizer/kernels\`: a module of WebAssembly, in base64. */
export const BYTES =
${lines.map((line) => `  '${line}'`).join(' +\n')};
`;
}

export const readKernels = () => readFileSync(target, 'utf8');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = await compileKernels();
  if (!process.argv.includes('--check')) writeFileSync(target, text);
  else if (text !== readKernels()) {
    console.error('src/kernels/bytes.ts is not what the sources compile to: run npm run kernels.');
    process.exitCode = 1;
  }
}
