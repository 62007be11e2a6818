import { getPriority, setPriority } from 'node:os';

/** How much nicer than the server a worker is. More would starve pictures where other programs need the machine. */
const NICER_BY = 5;
const NICEST = 19;

/**
 * Lets a process work when the server does not need the processor, so that pictures do not slow down other calls. Call
 * it right after the start: threads inherit the priority when they are created.
 */
export function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, Math.min(NICEST, getPriority() + NICER_BY));
  } catch {
    // It has ended already, or the system does not allow it: the process works all the same.
  }
}
