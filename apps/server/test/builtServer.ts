/** Built programs, which start in a third of the time of their sources. globalSetup.ts builds them. */
import { fileURLToPath } from 'node:url';

const programIn = (folder: string, name: string) => ({
  entry: fileURLToPath(new URL(`../${folder}/${name}.js`, import.meta.url)),
  execArgv: [],
});

export const mainProgram = programIn('dist', 'main');
export const commandProgram = programIn('dist', 'markwright');
export const workerProgram = programIn('dist', 'worker');
export const modelWorkerProgram = programIn('dist', 'modelWorker');
/** Programs of the tests. */
export const drawProgram = programIn('.build/test', 'drawChild');
export const holdDatabaseProgram = programIn('.build/test', 'holdDatabase');
export const poolWorkerProgram = programIn('.build/test', 'poolWorker');
