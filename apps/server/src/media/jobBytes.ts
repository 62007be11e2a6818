/**
 * The inputs and outputs of shared jobs on their way: small ones in the row of the job, large ones in the file store.
 * They are written as `v8.serialize` does, which child processes use too.
 */
import { deserialize, serialize } from 'node:v8';
import { inArray } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import type { FileStore } from '../platform/files.ts';
import { sweepOrphans } from '../platform/orphans.ts';
import { mediaJobs } from './tables.ts';

/** The folder of these files. They are not counted: they go with their job. */
export const JOB_FOLDER = 'jobs/';
/** The most bytes in a row. To write them costs the database less than another file costs the store. */
const INLINE_BYTES = 32 * 1024;

type Store = Pick<FileStore, 'put' | 'get'>;
/** `input`, or the output of a run. */
type Part = 'input' | `output-${number}`;

/** Returns the key of a part that is a file. One folder has all of them, because no folder is ever deleted. */
export const partKey = (id: string, part: Part): string => `${JOB_FOLDER}${id}.${part}.bin`;

/** Packs a value. Returns the bytes for the row, or undefined after it has stored them as a file. */
export async function packPart(files: Store, id: string, part: Part, value: unknown): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(serialize(value));
  if (bytes.length <= INLINE_BYTES) return bytes;
  await files.put(partKey(id, part), bytes, 'application/octet-stream');
  return undefined;
}

/** Unpacks a value from the bytes of the row, or of the file. Throws when neither is there. */
export async function unpackPart(
  files: Store,
  id: string,
  part: Part,
  rowBytes: Uint8Array | undefined,
): Promise<unknown> {
  const bytes = rowBytes ?? (await files.get(partKey(id, part)))?.bytes;
  if (!bytes) throw new Error(`The ${part} of the media job ${id} is gone.`);
  return deserialize(bytes);
}

/** Deletes the files of jobs whose server ended before it could. */
export async function sweepJobParts(context: Context): Promise<void> {
  await sweepOrphans(context, JOB_FOLDER, {
    ownerOf: (key) => key.slice(JOB_FOLDER.length).split('.')[0] ?? '',
    async findExisting(ids) {
      const rows = await context.db
        .select({ id: mediaJobs.id })
        .from(mediaJobs)
        .where(inArray(mediaJobs.id, [...ids]));
      return new Set(rows.map(({ id }) => id));
    },
  });
}
