/** Files whose row is gone, because a crash came between the two or what they belonged to was deleted, and files left half written. */
import { join } from 'node:path';
import type { Context } from './context.ts';
import { sweepUnfinished, WRITTEN_FOLDERS } from './files.ts';

const ORPHAN_AGE_MS = 24 * 60 * 60 * 1000;
const SWEEP_LENGTH = 500;
const LOOKUP_LENGTH = 200;

/** Whose a folder's files are, and which of some owners there are. */
interface Owners {
  ownerOf(key: string): string;
  findKnown(owners: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Removes a folder's files whose owner is not there. Younger than a day they may belong to a call that is under way. At most 500 a sweep. */
export async function sweepOrphans(context: Context, folder: string, { ownerOf, findKnown }: Owners): Promise<void> {
  const newest = context.now().getTime() - ORPHAN_AGE_MS;
  let removed = 0;
  const removeOrphans = async (keys: readonly string[]): Promise<void> => {
    const known = await findKnown([...new Set(keys.map(ownerOf))]);
    for (const key of keys) {
      if (removed >= SWEEP_LENGTH) return;
      if (known.has(ownerOf(key))) continue;
      const modifiedAt = await context.files.modifiedAt(key);
      if (!modifiedAt || modifiedAt.getTime() > newest) continue;
      await context.files.delete(key);
      removed++;
    }
  };

  let keys: string[] = [];
  for await (const key of context.files.list(folder)) {
    keys.push(key);
    if (keys.length < LOOKUP_LENGTH) continue;
    await removeOrphans(keys);
    keys = [];
    if (removed >= SWEEP_LENGTH) return;
  }
  if (keys.length > 0) await removeOrphans(keys);
}

/** Longer than any call is at a file. */
const FORGOTTEN_MS = 60 * 60 * 1000;

/** Removes what a server left half written that was killed while others went on. */
export async function sweepForgotten({ config, now }: Context): Promise<void> {
  const before = now().getTime() - FORGOTTEN_MS;
  for (const folder of WRITTEN_FOLDERS) await sweepUnfinished(join(config.dataDir, folder), before);
}
