/**
 * Traces honest pictures on a machine that is busy with twenty other programs. Six guests send a picture each at the
 * same time and read the progress stream; a seventh cancels. Prints each answer, its stages and places in the line, and
 * the time until it came. The bar: every picture is answered, none is called too much work, and a job that was
 * canceled leaves its process. `--quick` takes five programs.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { PROGRESS_STREAM_TYPE } from '@markwright/contract';
import sharp from 'sharp';
import { processorMs, quantile, withBuiltServer } from './builtStudio.ts';
import { requestTrace, uploadPicture } from './designCalls.ts';

const PROGRAMS = process.argv.includes('--quick') ? 5 : 20;
const GUESTS = 6;
/** A photograph by a phone, reduced as the studio does. */
const WIDTH = 1600;
const HEIGHT = 1200;

interface Line {
  readonly stage?: string;
  readonly place?: number;
  readonly reply?: unknown;
  readonly status?: number;
  readonly refusal?: { readonly message: string };
}

interface Outcome {
  readonly text: string;
  readonly seconds: number;
}

let isMet = true;
await withBuiltServer(
  async (url, pid) => {
    const pictures = await Promise.all(Array.from({ length: GUESTS + 1 }, (_, i) => drawPicture(i)));
    const programs = Array.from({ length: PROGRAMS }, startProgram);
    try {
      await new Promise((resolve) => setTimeout(resolve, 20_000)); // until the load has risen
      const cancel = new AbortController();
      const cancellation = trace(url, GUESTS, pictures[GUESTS]!, cancel.signal, () => cancel.abort()).catch(
        (error: Error) => error.name,
      );
      const outcomes = await Promise.all(pictures.slice(0, GUESTS).map((bytes, i) => trace(url, i, bytes)));
      for (const [i, { text, seconds }] of outcomes.entries()) {
        console.log(`guest ${i + 1}: ${seconds.toFixed(1)} s; ${text}`);
        if (!text.endsWith('traced')) isMet = false;
      }
      const times = outcomes.map(({ seconds }) => seconds);
      console.log(`median ${quantile(times, 0.5).toFixed(1)} s, longest ${Math.max(...times).toFixed(1)} s`);
      console.log(`load of the machine over a minute: ${loadavg()[0]!.toFixed(1)}`);

      const outcome = await cancellation;
      const restMs = await measureWork(pid);
      console.log(`canceled at its first line: ${JSON.stringify(outcome)}; then the workers used ${restMs} ms in 3 s`);
      if (outcome !== 'AbortError' || restMs > 500) isMet = false;
    } finally {
      for (const program of programs) program.kill('SIGKILL');
    }
  },
  { PUBLIC_URL: 'http://127.0.0.1' }, // then it believes the addresses that a proxy forwards
);
console.log(`${isMet ? 'bar met' : 'BAR MISSED'}: every picture is traced on the busy machine, and canceled work ends`);
process.exitCode = isMet ? 0 : 1;

function startProgram(): ChildProcess {
  return spawn(process.execPath, ['-e', 'for (;;) Math.sqrt(2);'], { stdio: 'ignore' });
}

/** Uploads and traces a picture as a guest of an address of its own. Throws an AbortError when canceled. */
async function trace(
  url: string,
  guest: number,
  bytes: Buffer,
  signal?: AbortSignal,
  onFirstLine?: () => void,
): Promise<Outcome> {
  const startTime = performance.now();
  const secondsSince = () => (performance.now() - startTime) / 1000;
  const guestHeaders = { 'x-forwarded-for': `203.0.113.${guest}` };
  const design = await uploadPicture(url, guestHeaders, { bytes, name: 'picture.jpg' }).catch((error: Error) => error);
  if (design instanceof Error) return { text: `upload ${design.message}`, seconds: secondsSince() };
  const headers = { ...design.headers, accept: PROGRESS_STREAM_TYPE };
  const answer = await requestTrace(url, headers, design.designId, signal);
  let text = '';
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    if (text === '') onFirstLine?.();
    text += chunk;
  }
  const lines = answer.headers.get('content-type')?.startsWith(PROGRESS_STREAM_TYPE)
    ? text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Line] : []))
    : [{ status: answer.status, refusal: JSON.parse(text) } as Line];
  const steps = lines.flatMap(({ place, stage, reply, status, refusal }) => {
    if (place) return [`number ${place} in line`];
    if (reply) return ['traced'];
    return stage ?? (refusal && `${status} ${refusal.message}`) ?? [];
  });
  return { text: steps.join(', '), seconds: secondsSince() };
}

/** Returns the processor time of the server's workers in three seconds, in ms; on Linux alone. */
async function measureWork(pid: number): Promise<number> {
  const before = childrenMs(pid);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  return childrenMs(pid) - before;
}

function childrenMs(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return children
    .filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('worker'))
    .reduce((sum, child) => sum + processorMs(child), 0);
}

/** Draws a photograph of a logo: a light page in uneven light, a few shapes, some noise. Another one for each seed. */
function drawPicture(seed: number): Promise<Buffer> {
  const hue = (seed * 47) % 360;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <defs><linearGradient id="light"><stop stop-color="#f8f6f0"/><stop offset="1" stop-color="#d8d4cc"/></linearGradient>
    <filter id="noise"><feTurbulence baseFrequency="0.9" numOctaves="2" seed="${seed}"/><feColorMatrix type="saturate" values="0"/>
    <feComponentTransfer><feFuncA type="linear" slope="0.08"/></feComponentTransfer></filter></defs>
    <rect width="100%" height="100%" fill="url(#light)"/>
    <circle cx="800" cy="560" r="340" fill="hsl(${hue} 60% 35%)"/><circle cx="800" cy="560" r="270" fill="#f0eee8"/>
    <path d="M600 700L800 300L1000 700Z" fill="hsl(${(hue + 120) % 360} 60% 40%)"/>
    <path d="M520 1000h560v40h-560z" fill="#222"/><rect width="100%" height="100%" filter="url(#noise)"/></svg>`;
  return sharp(Buffer.from(svg)).blur(1.5).jpeg({ quality: 82 }).toBuffer();
}
