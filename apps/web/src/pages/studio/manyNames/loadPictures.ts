/** Takes the pictures of a list: unpacks them, and has each uploaded and traced once. */
import type { Artwork } from '@markwright/scene';
import { type RowPicture, toPictureKey } from '@markwright/scene/rows';
import { isZip, type PictureFile, typeOf, type ZipPictures } from '../../../studioHost/pictureZip/readPictureZip.ts';

/** A picture of a list with its trace. */
export interface TracedPicture extends RowPicture {
  readonly artwork: Artwork;
  /** The address of a drawing of it. */
  readonly thumbUrl: string;
}

/** What the pictures are loaded with. Each rejects with a sentence, or with the signal's reason. */
export interface PictureHost {
  readZip(file: Blob, signal: AbortSignal): Promise<ZipPictures>;
  /** Uploads and traces. */
  trace(picture: PictureFile, signal: AbortSignal): Promise<TracedPicture>;
}

export interface PictureProgress {
  /** The pictures that are done, failed ones included. */
  readonly done: number;
  readonly total: number;
}

export interface LoadOptions {
  readonly signal: AbortSignal;
  /** The pictures of this list by the hashes of their bytes. New ones are added. */
  readonly byHash: Map<string, TracedPicture>;
  onProgress(progress: PictureProgress): void;
}

export interface LoadedPictures {
  /** By the keys of their names. */
  readonly pictures: ReadonlyMap<string, TracedPicture>;
  /** A sentence for each file that gave no picture. */
  readonly problems: readonly string[];
}

/**
 * Loads pictures one after the other, as the server takes the traces of a caller. The same bytes are uploaded once. Of
 * several pictures with one name the first is taken. Once it is aborted, it resolves with what is there.
 */
export async function loadPictures(
  files: readonly File[],
  { readZip, trace }: PictureHost,
  { signal, byHash, onProgress }: LoadOptions,
): Promise<LoadedPictures> {
  const pictures = new Map<string, TracedPicture>();
  const problems: string[] = [];
  const isOver = () => signal.aborted;
  const say = (name: string, error: unknown) => {
    if (!isOver()) problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  };

  const candidates: PictureFile[] = [];
  for (const file of files) {
    try {
      const { pictures: ofFile, problems: ofZip } = await readFile(file, readZip, signal);
      candidates.push(...ofFile);
      problems.push(...ofZip);
    } catch (error) {
      say(file.name, error);
    }
  }
  const hashes = await Promise.all(candidates.map(({ bytes }) => hashOf(bytes)));
  const entries = pickFirst(candidates, hashes, problems);
  let done = 0;
  onProgress({ done, total: entries.length });
  for (const { key, picture, hash } of entries) {
    if (isOver()) break;
    try {
      const result = byHash.get(hash) ?? (await trace(picture, signal));
      byHash.set(hash, result);
      pictures.set(key, { ...result, filename: picture.name });
    } catch (error) {
      say(picture.name, error);
    }
    onProgress({ done: ++done, total: entries.length });
  }
  return { pictures, problems };
}

interface NamedPicture {
  readonly key: string;
  readonly picture: PictureFile;
  readonly hash: string;
}

/** Returns the first picture of each name, and says of the others that they are left out, unless they are the same. */
function pickFirst(candidates: readonly PictureFile[], hashes: readonly string[], problems: string[]): NamedPicture[] {
  const byKey = new Map<string, NamedPicture>();
  for (const [i, picture] of candidates.entries()) {
    const key = toPictureKey(picture.name);
    const first = byKey.get(key);
    if (key === '') problems.push(`${picture.name}: A list cannot name this file. Give it a name.`);
    else if (!first) byKey.set(key, { key, picture, hash: hashes[i]! });
    else if (first.hash !== hashes[i]) {
      problems.push(`${picture.name}: ${first.picture.name} has the same name in a list, and is taken.`);
    }
  }
  return [...byKey.values()];
}

async function readFile(file: File, readZip: PictureHost['readZip'], signal: AbortSignal): Promise<ZipPictures> {
  const head = new Uint8Array(await file.slice(0, 1024).arrayBuffer());
  if (isZip(head)) return readZip(file, signal);
  const type = typeOf(head);
  if (!type) return { pictures: [], problems: [`${file.name}: This is no PNG, JPG, SVG or ZIP.`] };
  return { pictures: [{ name: file.name, type, bytes: new Uint8Array(await file.arrayBuffer()) }], problems: [] };
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
