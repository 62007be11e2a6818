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
export const mediaWorkerModule = () => childModule('worker');
export const modelWorkerModule = () => childModule('modelWorker');
