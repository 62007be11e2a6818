import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawProgram } from '../../test/builtServer.ts';
import { createRandom, repetitions, seed } from '../../test/campaign.ts';
import type { DrawReply } from '../../test/drawChild.ts';
import { randomSvg, svgBombs } from '../../test/svgBombs.ts';
import { hasProc, readProc } from './processUsage.ts';

/** The limit of processor time for reading and drawing one SVG. */
const MOST_CPU_MS = 2000;

let child: ChildProcess;
beforeAll(start);
afterAll(() => child.kill('SIGKILL'));

function start(): void {
  child = fork(drawProgram.entry, { execArgv: drawProgram.execArgv, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
}

/** Draws in a child process, which is ended over the limit, as the pool does, and may be ended by the renderer. */
async function draw(svg: string): Promise<DrawReply | { outcome: 'ended'; cpuMs: number }> {
  await drawInChild('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'); // until it has loaded
  return drawInChild(svg);
}

async function drawInChild(svg: string): Promise<DrawReply | { outcome: 'ended'; cpuMs: number }> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const before = (await readProc(child.pid))?.processorMs ?? 0;
  const watch = setInterval(async () => {
    const usage = await readProc(child.pid);
    if (usage && usage.processorMs - before > 2 * MOST_CPU_MS && !signal.aborted) child.kill('SIGKILL');
  }, 200);
  const exit = once(child, 'exit', { signal }).then(() => undefined);
  const message = once(child, 'message', { signal }).then(([reply]) => reply as DrawReply);
  child.send(svg);
  const reply = await Promise.race([message, exit]);
  waiting.abort();
  clearInterval(watch);
  await Promise.allSettled([message, exit]);
  if (reply) return reply;
  start();
  return { outcome: 'ended', cpuMs: 2 * MOST_CPU_MS };
}

describe.runIf(hasProc)('drawings made to be slow are refused or drawn within two seconds of processor time', () => {
  test.each(Object.entries(svgBombs).filter((_, i) => i % repetitions(5, 1) === 0))('%s', async (_name, svg) => {
    expect((await draw(svg)).cpuMs).toBeLessThan(MOST_CPU_MS);
  });

  // The estimate knows most of what a renderer does, not all. The pool ends the job of the rest, see pool.test.ts.
  const count = repetitions(5, 1000);
  test('for at least 99 of a hundred random drawings', { timeout: count * 20_000 }, async () => {
    const slow: string[] = [];
    for (let i = 0; i < count; i++) {
      const { cpuMs, outcome } = await draw(randomSvg(createRandom(seed + i)));
      if (cpuMs >= MOST_CPU_MS || outcome === 'ended')
        slow.push(`seed ${seed + i}: ${outcome}, ${Math.round(cpuMs)} ms`);
    }
    expect(slow.length, slow.join('\n')).toBeLessThanOrEqual(Math.max(1, count / 100));
  });
});
