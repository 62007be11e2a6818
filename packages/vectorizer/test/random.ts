/**
 * Returns a seeded generator of whole random numbers 0..2³² - 1: a linear congruential generator (Numerical Recipes).
 * Only the high bits are random enough. The same seed gives the same numbers on every machine.
 */
export function createGenerator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
}
