import { createHash } from 'node:crypto';
import { ensureGuest } from '../accounts/guests.ts';
import type { Context } from '../platform/context.ts';
import { newId } from '../platform/ids.ts';
import type { Actor } from '../platform/mount.ts';
import { ownerColumns } from '../platform/ownership.ts';
import { exportRecords } from './tables.ts';

/** A file that a person saved. */
export interface ExportRecord {
  readonly kind: 'vector' | 'mockup';
  readonly designFilename?: string | null | undefined;
  readonly productName?: string | null | undefined;
  readonly vectorMode?: string | null | undefined;
}

/** Records that a file was saved. The same record again on the same day changes nothing; no counter ever changes. */
export async function recordExport(context: Context, actor: Actor, record: ExportRecord): Promise<{ recorded: true }> {
  const { kind, designFilename = null, productName = null, vectorMode = null } = record;
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
