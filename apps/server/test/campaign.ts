/**
 * The extent of the campaigns: a quick version in `npm test`, the full one in `npm run test:stress`. A campaign is a
 * race, a series of kills, a run over a corpus, or many guesses. See docs/testing.md.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';

export const isStress = process.env.TEST_TIER === 'stress';

/** Returns the number of repetitions of a campaign in the current tier. */
export const repetitions = (quick: number, stress: number): number => (isStress ? stress : quick);

/** Returns every `step`th entry of a list of details in `npm test`, and the whole list otherwise. */
export const sampleOf = <T>(list: readonly T[], step: number): readonly T[] =>
  list.filter((_, i) => process.env.TEST_TIER !== 'quick' || i % step === 0);

/** A test of the stress tier alone: it kills processes or breaks what they stand on. `npm test` leaves it out. */
export const stressTest = test.runIf(isStress && process.platform === 'linux');

/** The seed of the random campaigns. `TEST_SEED` repeats the campaigns of another run. */
export const seed = Number(process.env.TEST_SEED ?? 20_261_121);

/** The folder of inputs that other projects collected. When it is missing, the run says so at its end. */
const corpora = process.env.CORPORA_DIR || undefined;

export const hasCorpora = corpora !== undefined;

/** Returns every `step`th file of a corpus. */
export function filesOf(corpus: string, step = 1): { name: string; bytes: Buffer }[] {
  const folder = join(corpora!, corpus);
  const names = readdirSync(folder).filter((_, i) => i % step === 0);
  return names.map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
}

/** Returns the text of a list in the corpora; undefined when it is missing. */
export function listText(name: string): string | undefined {
  const path = corpora && join(corpora, 'lists', name);
  return path && existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Returns a seeded generator of numbers from 0 to 1 (mulberry32), so that a campaign can be repeated. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296;
  };
}
