/** Returns the processor time of this process in milliseconds, which other processes do not influence. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Returns the smallest of up to five measurements in milliseconds, and stops at the first one below the limit. A long
 * one may be caused by a slow machine, not by the code.
 */
export async function quickest(limitMs: number, measure: () => number | Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 5 && least >= limitMs; tries++) least = Math.min(least, await measure());
  return least;
}
