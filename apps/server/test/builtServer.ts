/** The built programs of the server: they start in a third of the time of the sources. globalSetup.ts builds them. */
import { fileURLToPath } from 'node:url';

const program = (name: string) => ({
  entry: fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url)),
  execArgv: [],
});

export const mainProgram = program('main');
export const workerProgram = program('worker');
export const modelWorkerProgram = program('modelWorker');
