/**
 * Returns a seeded generator of whole random numbers 0..2³² - 1: a linear congruential generator (Numerical Recipes).
 * The high bits are the random ones. The same seed gives the same numbers on every machine.
 */
export function createGenerator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
}
