/**
 * The files of the background models on this server. The id of a model is a hash of its bytes: it names the same model
 * on every server, and masks that were stored under it are never those of another file.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Logger } from 'pino';
import type { ModelKey } from '../platform/ports/mediaJobs.ts';

interface ModelFilesSettings {
  /** The folder that may hold `isnet.onnx` and `u2net.onnx`. */
  readonly folder: string;
  /** The operator's own model, which replaces those. */
  readonly modelPath: string | undefined;
  readonly log: Logger;
}

/** The models that lie on this server. */
export interface ModelFiles {
  /** Lists the models whose files are there, without those that were given up. Does not throw. */
  list(): Promise<ModelKey[]>;
  pathOf(name: ModelKey['name']): string;
  /** Leaves a model alone for ten minutes, and tells the operator. */
  giveUp(model: ModelKey, problem: string): void;
}

const SECOND_CHANCE_MS = 10 * 60 * 1000;
/** Read at a time: hashing it holds the server for some milliseconds. */
const CHUNK_BYTES = 2 ** 20;

/** Looks for no file yet. */
export function openModelFiles({ folder, modelPath, log }: ModelFilesSettings): ModelFiles {
  const names: readonly ModelKey['name'][] = modelPath ? ['custom'] : ['isnet', 'u2net'];
  const pathOf = (name: ModelKey['name']): string => modelPath ?? join(folder, `${name}.onnx`);
  const unusable = new Set<string>();
  /** The hashes of the files as they were last seen; `stamp` changes when a file is written. */
  const hashes = new Map<string, { readonly stamp: string; readonly hash: Promise<string> }>();

  function giveUp({ name, id }: ModelKey, problem: string): void {
    unusable.add(id);
    setTimeout(() => unusable.delete(id), SECOND_CHANCE_MS).unref(); // the disk or the memory may have been full
    log.error({ path: pathOf(name), problem }, 'this background model cannot be used');
  }

  async function find(name: ModelKey['name']): Promise<ModelKey | undefined> {
    const path = pathOf(name);
    const file = await stat(path).catch(() => undefined);
    if (!file?.isFile()) return undefined;
    const stamp = `${name}-${file.size}-${file.mtimeMs}`;
    if (unusable.has(stamp)) return undefined;
    if (hashes.get(path)?.stamp !== stamp) hashes.set(path, { stamp, hash: hashFile(path) });
    try {
      const id = `${name}-${await hashes.get(path)!.hash}`;
      return unusable.has(id) ? undefined : { name, id };
    } catch (error) {
      if (hashes.get(path)?.stamp === stamp) hashes.delete(path);
      if (!unusable.has(stamp)) giveUp({ name, id: stamp }, String(error));
      return undefined;
    }
  }

  return {
    async list() {
      const models = await Promise.all(names.map(find));
      return models.flatMap((model) => model ?? []);
    },
    pathOf,
    giveUp,
  };
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: CHUNK_BYTES }), hash);
  return hash.digest('hex').slice(0, 32);
}
