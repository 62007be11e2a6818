/**
 * Bundles a bench as the server's programs are bundled (`apps/server/vite.config.ts`), so that it measures what the
 * product runs: tsx gives every function a name as it is made, which in some loops takes longer than their work.
 */
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { MEDIA_ENVIRONMENT } from '../apps/server/src/media/workerModules.ts';
import serverConfig from '../apps/server/vite.config.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Node's arguments for a bundle: the heap limit of the server's worker. */
export const WORKER_ARGS = ['--max-old-space-size=384'] as const;

/** The environment of a process that measures what the worker does. */
export const WORKER_ENVIRONMENT: Readonly<Record<string, string | undefined>> = {
  ...process.env,
  ...MEDIA_ENVIRONMENT,
};

/** Returns the path of a bench's bundle, by its `import.meta.url`. */
export async function bundleBench(url: string): Promise<string> {
  const entry = fileURLToPath(url);
  const name = basename(entry, '.ts');
  const outDir = join(root, '.build/bench', name);
  const { build: serverBuild, ...config } = serverConfig;
  const rollupOptions = { ...serverBuild?.rollupOptions, input: { [name]: entry } };
  await build({
    ...{ ...config, root, configFile: false, publicDir: false, logLevel: 'warn' },
    build: { ...serverBuild, outDir, emptyOutDir: true, rollupOptions },
  });
  return join(outDir, `${name}.js`);
}
