import { parseComposition, SLOW_DRAWING } from '@markwright/scene';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawProgram, workerProgram } from '../../test/builtServer.ts';
import { createRandom, repetitions, seed, stressTest } from '../../test/campaign.ts';
import type { DrawJobs, DrawOutcome } from '../../test/drawChild.ts';
import { randomSvg, svgBombs, undrawableSvgs } from '../../test/svgBombs.ts';
import type { LimitStep, MediaJobs } from '../platform/ports/mediaJobs.ts';
import { PoisonJobError, type Pool } from '../platform/ports/mediaPool.ts';
import { decodePicture } from './decode.ts';
import { draw as drawComposition } from './draw.ts';
import { DRAWING_LIMIT } from './drawingLimit.ts';
import { createPool } from './pool.ts';
import { hasProc, readProc } from './processUsage.ts';
import { makeProductPicture } from './productPicture.ts';
import { trace } from './trace.ts';
import type { PoolRunOptions } from './workerProcess.ts';

/** The limit of processor time for reading and drawing one SVG. */
const MOST_CPU_MS = 2000;

const artist = { caller: { name: 'artist', lane: 'account', payers: [] } } as const;
let pool: Pool<DrawJobs, PoolRunOptions>;
beforeAll(() => {
  pool = createPool<DrawJobs>({ ...drawProgram, size: 1, log: pino({ level: 'silent' }), restartPauseMs: 0 });
});
afterAll(() => pool.close());

/** The ends of a drawing that leave the process as it is, or that the pool chose: not a crash. */
const orderlyEnds: readonly string[] = [
  ...(['drawn', 'refused', 'undrawable'] satisfies DrawOutcome[]),
  DRAWING_LIMIT.refusal,
];
/** The share of random drawings that may end the process all the same: decision 42 expects a few in a thousand. */
const MOST_CRASHES = 0.01;

/** Draws as the server does. Returns the outcome, or the sentence of the refusal, and the processor time. */
async function draw(svg: string): Promise<{ outcome: string; cpuMs: number }> {
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

test('every job reads and draws an SVG in steps with the limit of drawings', async () => {
  const limits: unknown[] = [];
  const limitStep: LimitStep = (limit, step) => {
    limits.push(limit);
    return step();
  };
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="1"><g opacity=".5"><rect width="9" height="9"/><rect width="5" height="5"/></g></svg>';
  const bytes = Buffer.from(drawing);
  await decodePicture(bytes, limitStep);
  await makeProductPicture({ bytes, accept: 'strict' }, limitStep);
  await trace({ picture: { svg: drawing }, options: { threshold: 50 } }, () => {}, limitStep);
  expect(limits).toEqual(Array(4).fill(DRAWING_LIMIT));

  const composition = parseComposition({
    version: 0,
    data: { machine: 'uv', productId: 'p', design: { designId: 'd', filename: 'a.svg', aspect: 9 } },
  });
  const product = {
    picture: { bytes, mediaType: 'image/svg+xml' },
    pictureAspect: 9,
    printArea: { x: 0, y: 0, width: 1, height: 1 },
    printWidthInches: 9,
    printHeightInches: 1,
    finish: { material: 'ceramic', markColor: '#000000' },
  };
  const target = { kind: 'mockup' } as const;
  limits.length = 0;
  await drawComposition(
    { composition, product: undefined, artworks: [{ id: 'design', picture: { svg: drawing } }], target },
    limitStep,
  );
  expect(limits).toEqual([DRAWING_LIMIT]);
  await drawComposition(
    { composition, product, artworks: [{ id: 'design', picture: { svg: drawing } }], target },
    limitStep,
  );
  expect(limits).toEqual(Array(3).fill(DRAWING_LIMIT));
});

describe('the job that decodes pictures', () => {
  let worker: Pool<MediaJobs, PoolRunOptions>;
  beforeAll(() => {
    worker = createPool<MediaJobs>({ ...workerProgram, size: 1, log: pino({ level: 'silent' }), restartPauseMs: 0 });
  });
  afterAll(() => worker.close());

  test.each(Object.entries(undrawableSvgs))(
    'refuses with a sentence what ends the renderer: %s',
    async (_name, svg) => {
      const error = await worker.run('decode', { bytes: Buffer.from(svg) }, artist).catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        code: 'unprocessable',
        message: 'This SVG cannot be drawn. Save it as a picture (PNG) and upload that.',
      });
      expect(error).not.toBeInstanceOf(PoisonJobError); // the process went on
    },
  );

  test.each([
    ['a turbulence frequency of 1e39', 'baseFrequency of feTurbulence'],
    ['a filter region of 1e30', 'width of filter'],
    ['a view box of 1e-300', 'viewBox of svg'],
    ['a nested view box of 1e-300', 'viewBox of svg'],
    ['a rectangle of 1e39', 'width of rect'],
    ['a rectangle at 3e38', 'x of rect'],
  ])('leaves the number out, names it, and the rest can be drawn: %s', async (name, droppedName) => {
    const picture = await worker.run('decode', { bytes: Buffer.from(svgBombs[name]!) }, artist);
    if (!('svg' in picture)) throw new Error('An SVG stays an SVG.');
    expect(picture.droppedTags).toContain(droppedName);
    const { width } = await worker.run('rasterize', { svg: picture.svg, widthPx: 512 }, artist);
    expect(width).toBe(512);
  });
});

stressTest('the worker ends an upload that reads for too long, with the sentence of the estimate', async () => {
  const worker = createPool<MediaJobs>({ ...workerProgram, size: 1, log: pino({ level: 'silent' }) });
  const shapes = '<path d="M1 1h2v2z" opacity=".9"/>'.repeat(150_000);
  const bytes = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${shapes}</svg>`);
  const error = await worker.run('decode', { bytes }, artist).catch((reason: unknown) => reason);
  await worker.close();
  expect(error).toBeInstanceOf(PoisonJobError); // which is remembered, see meteredPool.test.ts
  expect(error).toMatchObject({ code: 'unprocessable', message: SLOW_DRAWING });
});

describe.runIf(hasProc)('drawings made to be slow are refused or drawn within two seconds of processor time', () => {
  test.each(Object.entries(svgBombs).filter((_, i) => i % repetitions(5, 1) === 0))('%s', async (_name, svg) => {
    const { outcome, cpuMs } = await draw(svg);
    expect(cpuMs).toBeLessThan(MOST_CPU_MS);
    expect(orderlyEnds).toContain(outcome);
  });

  // The estimate refuses nearly all that would be slow, in a small part of the time. The limit of a step ends the rest.
  const count = repetitions(5, 1000);
  test('for every random drawing', { timeout: count * 20_000 }, async () => {
    const slow: string[] = [];
    const crashes: string[] = [];
    for (let i = 0; i < count; i++) {
      const { cpuMs, outcome } = await draw(randomSvg(createRandom(seed + i)));
      if (!(cpuMs < MOST_CPU_MS)) slow.push(`seed ${seed + i}: ${outcome}, ${Math.round(cpuMs)} ms`);
      if (!orderlyEnds.includes(outcome)) crashes.push(`seed ${seed + i}: ${outcome}`);
    }
    expect(slow).toEqual([]);
    expect(crashes.length, crashes.join('\n')).toBeLessThanOrEqual(Math.ceil(count * MOST_CRASHES));
  });
});
