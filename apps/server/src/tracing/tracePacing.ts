/** Paces the traces of one caller: one trace after another, at the tier's interval. */
import { setTimeout as wait } from 'node:timers/promises';
import type { VectorizerMode } from '@markwright/contract';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../platform/mount.ts';
import { ownerOf } from '../platform/ownership.ts';
import { reserveSlot } from '../platform/rateLimit.ts';

/** A caller who would wait longer than this is refused. */
const MAX_WAIT_MS = 4_000;

/**
 * Waits for the caller's next slot and takes it. A slot is taken only when it is due, so a caller who goes away
 * meanwhile leaves it to the next request. Throws tooMany, with the seconds to wait, when the slot is not near, and
 * the signal's reason.
 */
export async function paceTrace(
  context: Context,
  actor: Actor,
  mode: VectorizerMode,
  signal: AbortSignal,
): Promise<void> {
  const intervalMs = context.vectorizerPaceMs[mode];
  if (intervalMs === 0) return;
  const waitsUntil = performance.now() + MAX_WAIT_MS;
  for (;;) {
    signal.throwIfAborted();
    const waitMs = await reserveSlot(context, ownerOf(actor), intervalMs);
    if (waitMs === 0) return;
    if (performance.now() + waitMs > waitsUntil) throw tooSoon(waitMs);
    await wait(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

function tooSoon(waitMs: number): AppError {
  const seconds = Math.ceil(waitMs / 1000);
  return new AppError(
    'tooMany',
    `Several of your pictures are being traced already. Please try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`,
    { retryAfterSeconds: seconds },
  );
}
