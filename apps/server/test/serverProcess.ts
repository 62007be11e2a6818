/** The real program in a process of its own, as an operator would run it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { mainProgram } from './builtServer.ts';

export interface ServerProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it has logged until now. */
  logged(): string;
  /** Lines it printed until it was ready. */
  readonly printed: readonly string[];
  readonly startMs: number;
  /** Process numbers of its children: the database and the workers. */
  children(): number[];
  /** Sends a signal and waits for the end; gives the exit code, null after a kill. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts it and waits until it says that it is ready. Throws with what it printed when it ends before. */
export async function startServerProcess(
  dataDir: string,
  environment: Record<string, string> = {},
  program: { entry: string; execArgv: string[] } = mainProgram,
): Promise<ServerProcess> {
  const started = performance.now();
  const child = spawn(process.execPath, [...program.execArgv, program.entry], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', WORKERS: '2', LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Whatever becomes of the test, nothing of it runs on.
  const stop = (): void => void child.kill('SIGTERM');
  process.once('exit', stop);
  child.once('close', () => process.off('exit', stop));
  const printed: string[] = [];
  let complaint = '';
  child.stderr.on('data', (data) => {
    complaint = (complaint + data).slice(-100_000);
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      printed.push(line);
      const found = /^Markwright is ready at (http:\S+)$/.exec(line)?.[1];
      if (found) setImmediate(resolve, found); // what it prints with it comes in the same breath
    });
    // Not at its exit: its last words may be on the way then.
    child.once('close', (code) =>
      reject(new Error(`The server ended with ${code}: ${printed.join('\n')}\n${complaint}`)),
    );
  });
  return {
    url,
    child,
    logged: () => complaint,
    printed,
    startMs: performance.now() - started,
    children: () =>
      readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
        .trim()
        .split(' ')
        .filter(Boolean)
        .map(Number),
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const gone = once(child, 'close'); // after its last words
      child.kill(signal);
      const [code] = await gone;
      return code;
    },
  };
}
