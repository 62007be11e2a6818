/** A worker with jobs that the pool must survive. */
import { serveJobs } from '../src/media/serveJobs.ts';
import { AppError } from '../src/platform/errors.ts';

export interface TestJobs {
  echo: { input: { bytes: Uint8Array }; output: { bytes: Uint8Array; pid: number } };
  wait: { input: { ms: number }; output: { pid: number } };
  waitElsewhere: { input: { pid: number }; output: { pid: number } };
  burn: { input: { ms: number }; output: undefined };
  burnInStep: { input: { ms: number; limitMs: number; laterMs: number }; output: undefined };
  stick: { input: Record<string, never>; output: undefined };
  swell: { input: Record<string, never>; output: never };
  keep: { input: { mb: number; ms?: number }; output: { pid: number } };
  crash: { input: { how: 'exit' | 'kill' | 'throw' | 'overflow' }; output: never };
  refuse: { input: Record<string, never>; output: never };
  environment: { input: Record<string, never>; output: { names: string[] } };
}

const buffers: Buffer[] = [];

serveJobs<TestJobs>({
  echo: async ({ bytes }) => ({ bytes, pid: process.pid }),
  wait: async ({ ms }, report) => {
    report({ stage: 'waiting', fraction: 0.5 });
    await new Promise((resolve) => setTimeout(resolve, ms));
    return { pid: process.pid };
  },
  // Ends in any process but this one.
  waitElsewhere: async ({ pid }, report) => {
    report({ stage: 'waiting', fraction: 0.5 });
    return process.pid === pid ? new Promise<never>(() => {}) : { pid: process.pid };
  },
  // Uses the processor, and handles no event meanwhile.
  burn: async ({ ms }) => burn(ms),
  burnInStep: async ({ ms, limitMs, laterMs }, _report, limitStep) => {
    await limitStep({ processorMs: limitMs, refusal: 'This step is too slow.' }, async () => burn(ms));
    return burn(laterMs);
  },
  // Like native code: no event is handled meanwhile.
  stick: async () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    return undefined;
  },
  swell: async () => {
    for (;;) {
      buffers.push(Buffer.alloc(8 * 2 ** 20, 1)); // outside the JavaScript heap, like decoded pixels
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  },
  keep: async ({ mb, ms = 0 }) => {
    buffers.push(Buffer.alloc(mb * 2 ** 20, 1));
    await new Promise((resolve) => setTimeout(resolve, ms));
    return { pid: process.pid };
  },
  crash: async ({ how }) => {
    if (how === 'exit') process.exit(3);
    if (how === 'kill') process.kill(process.pid, 'SIGKILL');
    if (how === 'overflow') queueMicrotask(() => reach(0));
    if (how === 'throw') throw new TypeError('secret detail of a bug');
    return new Promise<never>(() => {});
  },
  refuse: async () => {
    throw new AppError('unsupported', 'This file is not a JPG, PNG or SVG picture.');
  },
  environment: async () => ({ names: Object.keys(process.env) }),
});

function burn(ms: number): undefined {
  const start = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(start);
    if ((user + system) / 1000 >= ms) return undefined;
  }
}

function reach(depth: number): number {
  return reach(depth + 1) + 1;
}
