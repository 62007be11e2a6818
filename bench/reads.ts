/**
 * Measures GET /api/products at the built server, as a browser asks for it without a copy of its own: 500 requests a
 * second while 20 guests trace pictures, then 200 a second alone. Requests are sent at fixed times, whether earlier
 * ones are answered or not, and a request's time runs from the moment it was due. This process, which sends them, runs
 * at lower priority than the server. Also prints the processor time of the server's main process for each request, and
 * its memory. `--quick` takes 10 seconds for each part.
 */
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setPriority } from 'node:os';
import sharp from 'sharp';
import { processorMs, quantile, withBuiltServer } from './builtStudio.ts';
import { readReply, requestTrace, uploadPicture } from './designCalls.ts';

const isQuick = process.argv.includes('--quick');
const WARM_UP_SECONDS = 3;
const BUSY = { perSecond: 500, seconds: isQuick ? 10 : 60 };
const ALONE = { perSecond: 200, seconds: isQuick ? 10 : 300 };
const TRACES = 20;
/** Fewer calls a minute from each address than the limit. */
const ADDRESSES = 250;
const BAR_MS = 50;
const TIMEOUT_MS = 30_000;

interface Outcome {
  readonly times: number[];
  /** The number of each error. */
  readonly errors: Map<string, number>;
  readonly seconds: number;
  /** Processor time of the server's main process, per request. */
  readonly processorMs: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 256, timeout: 4_000 });
let isMet = true;

await withBuiltServer(
  async (url, pid) => {
    // After the server's start, which would inherit it.
    setPriority(2);
    await send(url, pid, { perSecond: BUSY.perSecond, seconds: WARM_UP_SECONDS });

    const tracing = new AbortController();
    const outcomes = new Map<string, number>();
    const guests = Array.from({ length: TRACES }, (_, i) => traceUntil(tracing.signal, url, i, outcomes));
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const busy = await send(url, pid, BUSY);
    tracing.abort();
    await Promise.all(guests);
    print(`${BUSY.perSecond} req/s with ${TRACES} traces running`, busy);
    console.log(`traces: ${[...outcomes].map(([outcome, count]) => `${count} × ${outcome}`).join(', ') || 'none'}`);

    const memory: number[] = [residentMb(pid)];
    const watch = setInterval(() => memory.push(residentMb(pid)), 1_000);
    const alone = await send(url, pid, ALONE);
    clearInterval(watch);
    print(`${ALONE.perSecond} req/s alone`, alone);
    console.log(
      `memory of the server over ${ALONE.seconds} s: ${memory[0]!.toFixed(0)} MB at first,`,
      `${memory.at(-1)!.toFixed(0)} MB at last, ${Math.max(...memory).toFixed(0)} MB at most`,
    );
    isMet = [busy, alone].every(({ times, errors }) => errors.size === 0 && quantile(times, 0.99) <= BAR_MS);
    agent.destroy();
  },
  { PUBLIC_URL: 'http://127.0.0.1' }, // then it believes the addresses that a proxy forwards
);
console.log(`${isMet ? 'bar met' : 'BAR MISSED'}: p99 <= ${BAR_MS} ms, and no error`);
process.exitCode = isMet ? 0 : 1;

/** Sends requests at a fixed rate and waits for all their answers. */
async function send(url: string, pid: number, { perSecond, seconds }: typeof BUSY): Promise<Outcome> {
  const count = perSecond * seconds;
  const times: number[] = [];
  const errors = new Map<string, number>();
  const usedMs = processorMs(pid);
  const startTime = performance.now();
  let requestCount = 0;
  await new Promise<void>((resolve) => {
    let replyCount = 0;
    const timer = setInterval(() => {
      for (
        ;
        requestCount < count && performance.now() - startTime >= (requestCount * 1000) / perSecond;
        requestCount++
      ) {
        const dueTime = startTime + (requestCount * 1000) / perSecond;
        void read(url, `198.51.100.${requestCount % ADDRESSES}`).then((error) => {
          if (error === undefined) times.push(performance.now() - dueTime);
          else errors.set(error, (errors.get(error) ?? 0) + 1);
          if (++replyCount === count) resolve();
        });
      }
      if (requestCount === count) clearInterval(timer);
    }, 1);
  });
  return {
    times,
    errors,
    seconds: (performance.now() - startTime) / 1000,
    processorMs: (processorMs(pid) - usedMs) / count,
  };
}

/** Reads the catalogue to its end. Returns what went wrong. */
function read(url: string, address: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const headers = { 'accept-encoding': 'gzip, deflate, br', 'x-forwarded-for': address };
    const request = get(`${url}/api/products`, { agent, headers, timeout: TIMEOUT_MS }, (answer) => {
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.on('error', (error) => resolve(error.message));
      answer.on('end', () => resolve(answer.statusCode === 200 && bytes > 0 ? undefined : `${answer.statusCode}`));
    });
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', (error) => resolve(error.message));
  });
}

/** Uploads and traces one picture after another, each as another guest. Counts how each ended. */
async function traceUntil(
  signal: AbortSignal,
  url: string,
  place: number,
  outcomes: Map<string, number>,
): Promise<void> {
  for (let round = 0; !signal.aborted; round++) {
    const bytes = await drawPicture(place + round);
    const outcome = await uploadAndTrace(url, `203.0.${place}.${round % ADDRESSES}`, bytes).then(
      () => 'traced',
      (error: Error) => error.message,
    );
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (outcome !== 'traced') await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function uploadAndTrace(url: string, address: string, bytes: Buffer): Promise<void> {
  const design = await uploadPicture(url, { 'x-forwarded-for': address }, { bytes, name: 'picture.png' });
  await readReply(await requestTrace(url, design.headers, design.designId));
}

/** Draws a blurred picture of circles, another one for each seed. */
function drawPicture(seed: number): Promise<Buffer> {
  const circles = Array.from({ length: 60 }, (_, i) => {
    const at = (i + 1) * (seed + 7);
    return `<circle cx="${(at * 131) % 1000}" cy="${(at * 71) % 800}" r="${20 + (at % 60)}" fill="hsl(${at % 360} 70% 50%)"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="800">${circles.join('')}</svg>`;
  return sharp(Buffer.from(svg)).flatten({ background: '#fff' }).blur(1.2).png().toBuffer();
}

function print(name: string, { times, errors, seconds, processorMs }: Outcome): void {
  const figures = [0.5, 0.99].map((q) => `p${q * 100} ${quantile(times, q).toFixed(1)} ms`).join(', ');
  const faults = [...errors].map(([error, count]) => `${count} × ${error}`).join(', ') || 'none';
  console.log(
    `${name}: ${(times.length / seconds).toFixed(0)} req/s done; ${figures}; errors: ${faults};`,
    `${processorMs.toFixed(2)} ms of processor time for each`,
  );
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
