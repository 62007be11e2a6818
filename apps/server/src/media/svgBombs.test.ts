import { SLOW_DRAWING } from '@markwright/scene';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawProgram } from '../../test/builtServer.ts';
import { createRandom, repetitions, seed } from '../../test/campaign.ts';
import type { DrawJobs } from '../../test/drawChild.ts';
import { randomSvg, svgBombs } from '../../test/svgBombs.ts';
import type { Pool } from '../platform/ports/mediaPool.ts';
import { createPool } from './pool.ts';
import { hasProc, readProc } from './processUsage.ts';
import type { PoolRunOptions } from './workerProcess.ts';

/** The limit of processor time for reading and drawing one SVG. */
const MOST_CPU_MS = 2000;

let pool: Pool<DrawJobs, PoolRunOptions>;
beforeAll(() => {
  pool = createPool<DrawJobs>({ ...drawProgram, size: 1, log: pino({ level: 'silent' }), restartPauseMs: 0 });
});
afterAll(() => pool.close());

/** Draws as the server does. Returns the outcome, or the sentence of the refusal, and the processor time. */
async function draw(svg: string): Promise<{ outcome: string; cpuMs: number }> {
  const artist = { caller: { name: 'artist', lane: 'account', payers: [] } } as const;
  const { pid } = await pool.run('start', {}, artist);
  const before = (await readProc(pid))!.processorMs;
  let cpuMs = 0;
  const measure = async (): Promise<void> => {
    const usage = await readProc(pid);
    if (usage) cpuMs = Math.max(cpuMs, usage.processorMs - before);
  };
  // A process that was ended cannot be read any more.
  const readings = setInterval(measure, 20);
  const outcome = await pool.run('draw', { svg }, artist).catch((error: Error) => error.message);
  clearInterval(readings);
  await measure();
  return { outcome, cpuMs };
}

describe.runIf(hasProc)('drawings made to be slow are refused or drawn within two seconds of processor time', () => {
  test.each(Object.entries(svgBombs).filter((_, i) => i % repetitions(5, 1) === 0))('%s', async (_name, svg) => {
    expect((await draw(svg)).cpuMs).toBeLessThan(MOST_CPU_MS);
  });

  // The estimate refuses nearly all that would be slow, in a small part of the time. The limit of a step ends the rest.
  const count = repetitions(5, 1000);
  test('for every random drawing', { timeout: count * 20_000 }, async () => {
    const slow: string[] = [];
    let exceededCount = 0;
    for (let i = 0; i < count; i++) {
      const { cpuMs, outcome } = await draw(randomSvg(createRandom(seed + i)));
      if (outcome === SLOW_DRAWING) exceededCount++;
      if (!(cpuMs < MOST_CPU_MS)) slow.push(`seed ${seed + i}: ${outcome}, ${Math.round(cpuMs)} ms`);
    }
    expect(slow).toEqual([]);
    expect(exceededCount).toBeLessThanOrEqual(Math.max(1, count / 100));
  });
});
