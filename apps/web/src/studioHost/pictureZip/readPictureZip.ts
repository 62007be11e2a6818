/**
 * Reads the pictures of a ZIP from a stranger. What is unpacked is counted as it comes, whatever the archive says of
 * its sizes, so that a small file cannot fill the memory. Names are labels only: nothing is written anywhere.
 */

import { MAX_ROW_PICTURES, MAX_UPLOAD_BYTES } from '@markwright/contract/words';
import { Unzip, type UnzipFile, UnzipInflate } from 'fflate';

const MB = 1024 * 1024;

export const ZIP_LIMITS = {
  bytes: 300 * MB,
  /** Files and folders, pictures or not. */
  entries: 2_000,
  pictures: MAX_ROW_PICTURES,
  pictureBytes: MAX_UPLOAD_BYTES,
  totalBytes: 400 * MB,
  /** How much larger the whole may become than the archive, once it is larger than `freeBytes`. */
  ratio: 100,
  freeBytes: 16 * MB,
} as const;

/** A ZIP of which nothing is taken. The message is a sentence for the person who chose it. */
export class ZipRefused extends Error {
  override readonly name = 'ZipRefused';
}

/** A picture, by the name of its file without folders. */
export interface PictureFile {
  readonly name: string;
  readonly type: PictureType;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export type PictureType = 'image/png' | 'image/jpeg' | 'image/svg+xml';

export interface ZipPictures {
  readonly pictures: readonly PictureFile[];
  /** The files that are no pictures, a sentence each. */
  readonly problems: readonly string[];
}

/** What a push may unpack at once is this times the largest ratio of deflate, about 1,000. */
const CHUNK_BYTES = 16 * 1024;
/** The bytes that a type is decided by. */
const HEAD_BYTES = 1024;

/**
 * Returns the pictures of a ZIP in its order. Files of the system, such as `.DS_Store`, are left out in silence, others
 * are named. Throws ZipRefused for what is no ZIP, is cut off, has no picture, or breaks `ZIP_LIMITS`. Cost: linear in
 * what is unpacked. Memory: that of the pictures.
 */
export function readPictureZip(zip: Uint8Array): ZipPictures {
  if (zip.length > ZIP_LIMITS.bytes) throw new ZipRefused('This ZIP is larger than 300 MB. Make it in parts.');
  if (!isZip(zip)) throw new ZipRefused('This file is no ZIP.');
  if (!hasEnd(zip)) throw new ZipRefused('This ZIP is cut off. Download or make it again.');
  const entries: Entry[] = [];
  let count = 0;
  let unpackedBytes = 0;
  /** Set in callbacks, whose errors the library would take for faults of a file. */
  let refusal: string | undefined;

  function open(file: UnzipFile): void {
    count += 1;
    if (count > ZIP_LIMITS.entries) {
      refusal = `This ZIP has more than ${ZIP_LIMITS.entries.toLocaleString('en-US')} files. Put the pictures alone into one.`;
    }
    if (refusal !== undefined || isOfSystem(file.name)) return;
    const entry = new Entry(toLabel(file.name));
    entries.push(entry);
    file.ondata = (error, chunk, isLast) => {
      if (error) entry.fail('is damaged, or locked with a password.');
      else {
        unpackedBytes += chunk.length;
        entry.add(chunk, isLast);
      }
      refusal ??= findExcess(unpackedBytes, zip.length, entries);
    };
    file.start();
  }

  const archive = new Unzip(open);
  archive.register(UnzipInflate);
  try {
    for (let at = 0; at < zip.length; at += CHUNK_BYTES) {
      archive.push(zip.subarray(at, at + CHUNK_BYTES), at + CHUNK_BYTES >= zip.length);
      if (refusal !== undefined) throw new ZipRefused(refusal);
    }
  } catch (error) {
    if (error instanceof ZipRefused) throw error;
    throw new ZipRefused('This ZIP is damaged. Make it again.');
  }
  const pictures = entries.flatMap((entry) => entry.picture ?? []);
  if (pictures.length === 0) throw new ZipRefused('This ZIP has no PNG, JPG or SVG.');
  return { pictures, problems: entries.flatMap((entry) => entry.problem ?? []) };
}

function findExcess(unpackedBytes: number, zipBytes: number, entries: readonly Entry[]): string | undefined {
  const { totalBytes, freeBytes, ratio, pictures } = ZIP_LIMITS;
  if (unpackedBytes > totalBytes) return 'The pictures of this ZIP are larger than 400 MB together. Make it in parts.';
  if (unpackedBytes > freeBytes && unpackedBytes > ratio * zipBytes) {
    return 'This ZIP unpacks to more than 100 times its size, as no pictures do.';
  }
  // The list grows by one at a time, and most of it is pictures.
  if (entries.length > pictures && entries.filter(({ isPicture }) => isPicture).length > pictures) {
    return `This ZIP has more than ${pictures} pictures. Make it in parts.`;
  }
  return undefined;
}

/** A file of an archive while it is unpacked. What is no picture, or too large, is let go at once. */
class Entry {
  picture: PictureFile | undefined;
  problem: string | undefined;
  private chunks: Uint8Array[] = [];
  private length = 0;
  private type: PictureType | undefined;
  private readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  get isPicture(): boolean {
    return this.type !== undefined;
  }

  add(chunk: Uint8Array, isLast: boolean): void {
    if (this.problem !== undefined) return;
    this.chunks.push(chunk.slice());
    this.length += chunk.length;
    if (this.length > ZIP_LIMITS.pictureBytes) {
      this.fail('is larger than 20 MB.');
      return;
    }
    if (!this.type && (isLast || this.length >= HEAD_BYTES)) {
      const head = this.join();
      this.type = typeOf(head);
      if (!this.type) this.fail(isZip(head) ? 'is a ZIP in the ZIP.' : 'is no PNG, JPG or SVG.');
    }
    if (!isLast || !this.type) return;
    this.picture = { name: this.name, type: this.type, bytes: this.join() };
    this.chunks = [];
  }

  fail(reason: string): void {
    this.problem ??= `“${this.name}” ${reason}`;
    this.chunks = [];
  }

  private join(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.length);
    let at = 0;
    for (const chunk of this.chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return bytes;
  }
}

const startsWith = (bytes: Uint8Array, ...head: number[]) => head.every((byte, i) => bytes[i] === byte);

/** True for bytes that begin as a ZIP does, also an empty one. */
export const isZip = (bytes: Uint8Array): boolean =>
  startsWith(bytes, 0x50, 0x4b, 3, 4) || startsWith(bytes, 0x50, 0x4b, 5, 6);

/** Decides the type of a picture by its first bytes, whatever its name. The server reads the whole of it. */
export function typeOf(bytes: Uint8Array): PictureType | undefined {
  if (startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (startsWith(bytes, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  const isUtf16 = startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff);
  const encoding = isUtf16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
  const text = new TextDecoder(encoding).decode(bytes.subarray(0, HEAD_BYTES)).trimStart();
  return /^<(?:\?xml|!doctype svg|!--|svg[\s>])/i.test(text) ? 'image/svg+xml' : undefined;
}

/** The end of a central directory, and the longest comment after it. */
const END_BYTES = 22 + 65_535;

function hasEnd(zip: Uint8Array): boolean {
  for (let at = zip.length - 22; at >= Math.max(0, zip.length - END_BYTES); at--) {
    if (zip[at] === 0x50 && startsWith(zip.subarray(at), 0x50, 0x4b, 5, 6)) return true;
  }
  return false;
}

/** Folders, and what systems put beside pictures. */
const isOfSystem = (path: string): boolean =>
  /[\\/]$/.test(path) ||
  /(?:^|[\\/])(?:__MACOSX[\\/]|\.|Thumbs\.db$|desktop\.ini$)/i.test(path.replace(/^(?:\.{1,2}[\\/])+/, ''));

/** Characters that would change how the words around a name are read, or not be seen. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const NAME_LENGTH = 200;

/** Returns the name of a file without its folders. */
function toLabel(path: string): string {
  const name = toUtf8(path)
    .replace(/^.*[\\/]/su, '')
    .replace(UNSEEN, '')
    .trim()
    .normalize('NFC');
  return [...name].slice(0, NAME_LENGTH).join('') || 'A file without a name';
}

/** A Mac writes names in UTF-8 and does not say so: they are then read as Latin-1. */
function toUtf8(name: string): string {
  const bytes = Uint8Array.from(name, (char) => char.charCodeAt(0));
  if (![...name].every((char) => char.charCodeAt(0) < 256)) return name;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return name;
  }
}
