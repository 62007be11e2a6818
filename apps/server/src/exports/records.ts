import { createHash } from 'node:crypto';
import { ensureGuest } from '../accounts/guests.ts';
import type { Context } from '../platform/context.ts';
import { newId } from '../platform/ids.ts';
import type { Actor } from '../platform/mount.ts';
import { ownerColumns } from '../platform/ownership.ts';
import { exportRecords } from './tables.ts';

export interface Saved {
  readonly kind: 'vector' | 'mockup';
  readonly designFilename?: string | null | undefined;
  readonly productName?: string | null | undefined;
  readonly vectorMode?: string | null | undefined;
}

/** Notes that a file was saved. The same note again on the same day changes nothing; no counter changes ever. */
export async function recordExport(context: Context, actor: Actor, saved: Saved): Promise<{ recorded: true }> {
  const { kind, designFilename = null, productName = null, vectorMode = null } = saved;
  const owner = ownerColumns(actor);
  const now = context.now();
  const day = now.toISOString().slice(0, 10);
  const identity = JSON.stringify([owner, day, kind, designFilename, productName, vectorMode]);
  const key = createHash('sha256').update(identity).digest('hex');
  if (actor.kind === 'guest') await ensureGuest(context, actor);
  await context.db
    .insert(exportRecords)
    .values({ id: newId(), ...owner, kind, key, designFilename, productName, vectorMode, createdAt: now })
    .onConflictDoNothing({ target: exportRecords.key });
  return { recorded: true };
}
