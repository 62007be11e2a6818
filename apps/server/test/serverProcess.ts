/** The real program in its own process, as an operator would run it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { mainProgram } from './builtServer.ts';

export interface ServerProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Returns its log so far. */
  readLog(): string;
  /** The lines that it printed until it was ready. */
  readonly printed: readonly string[];
  readonly startMs: number;
  /** Lists the process ids of its children: the database and the workers. */
  children(): number[];
  /** Sends a signal and waits for the exit. Returns the exit code, null after a kill. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts the program and waits until it is ready. Throws with its output when it exits before. */
export async function startServerProcess(
  dataDir: string,
  environment: Record<string, string> = {},
  program: { entry: string; execArgv: string[]; args?: string[] } = mainProgram,
): Promise<ServerProcess> {
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, [...program.execArgv, program.entry, ...(program.args ?? [])], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', WORKERS: '1', LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // The process ends with the tests, whatever happens to them.
  const stop = (): void => void child.kill('SIGTERM');
  process.once('exit', stop);
  child.once('close', () => process.off('exit', stop));
  const printedLines: string[] = [];
  let stderrTail = '';
  child.stderr.on('data', (data) => {
    stderrTail = (stderrTail + data).slice(-100_000);
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      printedLines.push(line);
      const address = /^Markwright is ready at (https?:\S+)$/.exec(line)?.[1];
      if (address) setImmediate(resolve, address); // the other lines of the greeting come in the same write
    });
    // Not at its exit: its last output may arrive later.
    child.once('close', (code) =>
      reject(new Error(`The server ended with ${code}: ${printedLines.join('\n')}\n${stderrTail}`)),
    );
  });
  return {
    url,
    child,
    readLog: () => stderrTail,
    printed: printedLines,
    startMs: performance.now() - startedAtMs,
    children: () =>
      readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
        .trim()
        .split(' ')
        .filter(Boolean)
        .map(Number),
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exit = once(child, 'close'); // after its last words
      child.kill(signal);
      const [code] = await exit;
      return code;
    },
  };
}
