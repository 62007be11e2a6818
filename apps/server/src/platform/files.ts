/**
 * The file store: a port, and its adapter for a disk (`s3Files.ts` has the one for S3). The server creates the keys; a
 * stranger's file name is never one.
 */
import { createReadStream } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from './errors.ts';

interface StoredFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** A file whose bytes have not been read yet. The reader of the stream closes it. */
export interface OpenedFile {
  readonly stream: Readable;
  readonly sizeBytes: number;
  readonly mediaType: string;
}

/** A file that a listing names. */
export interface ListedFile {
  readonly key: string;
  readonly sizeBytes: number;
  /** The time of its last `put`. */
  readonly modifiedAt: Date;
}

/**
 * A key is `folder/…/name.extension` of `a-z A-Z 0-9 - _ .`, at most 200 characters; its extension says the media
 * type, so `put` refuses a pair that disagrees. What `put` has acknowledged survives the end of the process and of
 * the machine, and a reader sees either the whole file or none. Every method throws unavailable, in bounded time, while
 * the store cannot be reached.
 */
export interface FileStore {
  /** The name of the folder or bucket, for messages to the operator. */
  readonly place: string;
  /** Replaces an existing file. Throws storageFull when the store is full or quotas forbid writing. */
  put(key: string, bytes: Uint8Array, mediaType: string): Promise<void>;
  get(key: string): Promise<StoredFile | undefined>;
  open(key: string): Promise<OpenedFile | undefined>;
  has(key: string): Promise<boolean>;
  /** Returns the size of a file and the time of its last `put`; undefined when there is no such file. */
  stat(key: string): Promise<{ readonly sizeBytes: number; readonly modifiedAt: Date } | undefined>;
  /** Does nothing when there is no such file. */
  delete(key: string): Promise<void>;
  /** Deletes many files, in no order. Those that do not exist do no harm. */
  deleteMany(keys: readonly string[]): Promise<void>;
  /**
   * Lists the files below a folder, e.g. `designs/`, in the order of their keys, from the first one after `after` on.
   * An empty prefix means all.
   */
  list(prefix: string, after?: string): AsyncIterable<ListedFile>;
  /** Returns the room on the disk; undefined for a store that has no such limit. */
  space(): Promise<{ readonly freeBytes: number; readonly totalBytes: number } | undefined>;
  /** Throws when files cannot be written. */
  check(): Promise<void>;
  /** Returns the id of the installation that the files belong to; undefined when it was never written. */
  readInstallation(): Promise<string | undefined>;
  /** Writes the id unless there is one: of simultaneous calls, one writes. */
  writeInstallation(id: string): Promise<void>;
}

/** The place of the installation's id in a store. It is not a key, so that no listing names it. */
export const INSTALLATION = '.markwright/installation';

const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
  json: 'application/json',
  csv: 'text/csv',
  dxf: 'application/dxf',
  pdf: 'application/pdf',
  tiff: 'image/tiff',
  zip: 'application/zip',
  lbrn2: 'application/octet-stream',
  xcs: 'application/octet-stream',
  plt: 'application/octet-stream',
  icc: 'application/vnd.iccprofile',
  otf: 'font/otf',
  bin: 'application/octet-stream',
};

const FREE_FLOOR = 0.05;
const TEMPORARY = '.part';

/** Returns the media type of a key by its extension. Throws for a key that no store accepts. */
export function mediaTypeOf(key: string): string {
  const mediaType = findMediaType(key);
  if (!mediaType) throw new RangeError(`Not a file key: ${JSON.stringify(key.slice(0, 200))}`);
  return mediaType;
}

/** Returns the media type of a key; undefined for one that no store accepts. */
export function findMediaType(key: string): string | undefined {
  const parts = key.split('/');
  const isPlain = key.length <= 200 && parts.every((part) => /^[\w-][\w.-]*$/.test(part) && !part.includes('..'));
  return isPlain ? mediaTypes[/\.([a-z0-9]+)$/.exec(key)?.[1] ?? ''] : undefined;
}

/** Stores files below one folder of a local disk, which is created when missing. */
export async function openDiskFiles(folder: string): Promise<FileStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pathOf = (key: string): string => join(folder, ...key.split('/'));

  async function refuseWhenNearlyFull(sizeBytes: number): Promise<void> {
    const disk = await statfs(folder).catch((error: unknown) => {
      throw isCode(error, 'ENOENT') ? filesAway(error) : error; // the folder was removed
    });
    const freeBytes = disk.bavail * disk.bsize - sizeBytes;
    // A large disk may be filled further than a small one: a gigabyte free is enough.
    if (freeBytes < Math.min(FREE_FLOOR * disk.blocks * disk.bsize, 2 ** 30)) throw storageFull();
  }

  async function put(key: string, bytes: Uint8Array, mediaType: string): Promise<void> {
    if (mediaTypeOf(key) !== mediaType) throw new RangeError(`The key ${key} does not stand for ${mediaType}.`);
    const path = pathOf(key);
    const temporary = `${path}.${crypto.randomUUID()}${TEMPORARY}`;
    try {
      await refuseWhenNearlyFull(bytes.byteLength);
      await makeFolder(dirname(path));
      await writeWhole(temporary, bytes);
      await rename(temporary, path);
      await syncFolder(dirname(path));
    } catch (error) {
      // the first error already describes the problem with the disk
      await rm(temporary, { force: true }).catch(() => undefined);
      throw toStorageError(error) ?? error;
    }
  }

  /**
   * Creates a folder and syncs its parent, because the folder's name has to be as durable as the file in it. Creates
   * one folder after another: `mkdir` with `recursive` reports ENOENT when the disk is full or read-only.
   */
  async function makeFolder(path: string): Promise<void> {
    if (await isFolder(path)) return;
    if (path !== folder) await makeFolder(dirname(path));
    await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
      if (!isCode(error, 'EEXIST')) throw error; // created concurrently
    });
    await syncFolder(dirname(path));
  }

  async function remove(key: string): Promise<void> {
    mediaTypeOf(key);
    await rm(pathOf(key), { force: true }).catch(ignoreMissing);
  }

  const isFolder = async (path: string): Promise<boolean> =>
    (await stat(path).catch(ignoreMissing))?.isDirectory() ?? false;

  async function* walk(path: string, after: string): AsyncIterable<string> {
    const entries = await readdir(path, { withFileTypes: true }).catch(ignoreMissing);
    const parts = (entries ?? []).map((entry) => {
      const inner = join(path, entry.name);
      const key = relative(folder, inner).split(sep).join('/');
      return { inner, key: entry.isDirectory() ? `${key}/` : key, isFolder: entry.isDirectory() };
    });
    // A slash is a character of the keys like any other.
    for (const { inner, key, isFolder } of parts.sort((a, b) => (a.key < b.key ? -1 : 1))) {
      if (isFolder && (key > after || after.startsWith(key))) yield* walk(inner, after);
      else if (!isFolder && key > after && !key.endsWith(TEMPORARY)) yield key;
    }
  }

  return {
    place: `the folder ${folder}`,
    put,
    async get(key) {
      const mediaType = mediaTypeOf(key);
      const bytes = await readFile(pathOf(key)).catch(ignoreMissing);
      return bytes && { bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), mediaType };
    },
    async open(key) {
      const mediaType = mediaTypeOf(key);
      const path = pathOf(key);
      const file = await stat(path).catch(ignoreMissing);
      if (!file?.isFile()) return undefined;
      return { stream: createReadStream(path), sizeBytes: file.size, mediaType };
    },
    async has(key) {
      mediaTypeOf(key);
      return (await stat(pathOf(key)).catch(ignoreMissing))?.isFile() ?? false;
    },
    async stat(key) {
      mediaTypeOf(key);
      const file = await stat(pathOf(key)).catch(ignoreMissing);
      return file && { sizeBytes: file.size, modifiedAt: file.mtime };
    },
    async space() {
      const disk = await statfs(folder);
      return { freeBytes: disk.bavail * disk.bsize, totalBytes: disk.blocks * disk.bsize };
    },
    delete: remove,
    async deleteMany(keys) {
      for (const key of keys) await remove(key);
    },
    async *list(prefix, after = '') {
      // Walk only the folder that the prefix names.
      const below = join(folder, ...prefix.split('/').slice(0, -1));
      // Skip files that a file manager or a backup left there (.DS_Store).
      for await (const key of walk(below, after)) {
        if (!key.startsWith(prefix) || !findMediaType(key)) continue;
        const file = await stat(pathOf(key)).catch(ignoreMissing);
        if (file) yield { key, sizeBytes: file.size, modifiedAt: file.mtime };
      }
    },
    async check() {
      const probe = join(folder, `check-${crypto.randomUUID()}${TEMPORARY}`);
      const handle = await open(probe, 'wx', 0o600);
      await handle.close();
      await rm(probe);
    },
    async readInstallation() {
      return (await readFile(join(folder, INSTALLATION), 'utf8').catch(ignoreMissing))?.trim();
    },
    async writeInstallation(id) {
      const path = join(folder, INSTALLATION);
      const temporary = `${path}.${crypto.randomUUID()}${TEMPORARY}`;
      await makeFolder(dirname(path));
      await writeWhole(temporary, Buffer.from(`${id}\n`));
      await link(temporary, path).catch((error: unknown) => {
        if (!isCode(error, 'EEXIST')) throw error;
      });
      await rm(temporary);
      await syncFolder(dirname(path));
    },
  };
}

/** Deletes half-written files of a killed process. Without `before`, call it only while no other process writes. */
export async function sweepUnfinished(folder: string, before = Number.POSITIVE_INFINITY): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(ignoreMissing);
  for (const entry of entries ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await sweepUnfinished(path, before);
    else if (entry.name.endsWith(TEMPORARY)) {
      const file = await stat(path).catch(ignoreMissing);
      if (file && file.mtimeMs < before) await rm(path, { force: true });
    }
  }
}

/** The folders of the data folder in which a file can be left half written. */
export const WRITTEN_FOLDERS = ['files', 'incoming'] as const;

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return; // folders cannot be opened on Windows, and renames are journaled
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const AWAY = ['EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'ESTALE', 'ETIMEDOUT'];

/** Returns the AppError for a failure of the disk; undefined for any other error. */
export function toStorageError(error: unknown): AppError | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined;
  if (isCode(error, 'ENOSPC') || isCode(error, 'EDQUOT')) return storageFull(error);
  if (isCode(error, 'EROFS')) {
    return new AppError('storageFull', 'The server’s disk cannot be written just now, so nothing more can be saved.', {
      cause: error,
    });
  }
  if (!AWAY.some((code) => isCode(error, code))) return undefined;
  return filesAway(error);
}

/** Returns the error for a store that cannot be reached. */
export function filesAway(cause: unknown): AppError {
  return new AppError('unavailable', 'The studio cannot reach its files just now. Please try again in a moment.', {
    retryAfterSeconds: 3,
    cause,
  });
}

function storageFull(cause?: unknown): AppError {
  return new AppError('storageFull', 'The server’s disk is nearly full, so nothing more can be saved just now.', {
    cause,
  });
}

function ignoreMissing(error: unknown): undefined {
  if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return undefined;
  throw error;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
