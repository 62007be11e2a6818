/** The modules that child processes run. */
import { fileURLToPath } from 'node:url';

/**
 * Finds the module of a child process. The built programs lie beside the built server; from sources they run through
 * the TypeScript loader.
 */
const childModule = (name: string): { entry: string; execArgv: string[] } =>
  import.meta.url.endsWith('.ts')
    ? {
        entry: fileURLToPath(new URL(`./${name}.ts`, import.meta.url)),
        execArgv: ['--import', import.meta.resolve('tsx')],
      }
    : { entry: fileURLToPath(new URL(`./${name}.js`, import.meta.url)), execArgv: [] };

/**
 * The environment variables of media workers. Drawing and compressing run on Node's pool of threads, and each thread
 * keeps freed memory in a store of its own: with four of them the package of a thousand crossing lines took 50 MB more.
 */
export const MEDIA_ENVIRONMENT = { UV_THREADPOOL_SIZE: '2', MALLOC_ARENA_MAX: '2' } as const;

export const mediaWorkerModule = () => ({ ...childModule('worker'), environment: MEDIA_ENVIRONMENT });
export const modelWorkerModule = () => childModule('modelWorker');
