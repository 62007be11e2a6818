/** Reads the file of a multipart body, or its many files, and its text fields, within limits. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { Call } from '@markwright/contract';
import type { FastifyRequest } from 'fastify';
import { AppError } from './errors.ts';
import { toStorageError } from './files.ts';

/** The file of a multipart body, in memory. */
export interface UploadedFile {
  readonly bytes: Uint8Array;
  /** A label: the last part of the client's file name, without control characters. */
  readonly filename: string;
  /** The type that the client claims. Only the bytes decide what it is. */
  readonly mediaType: string;
}

const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 64 * 1024;

/** The allowance of a body beyond its file, bytes: for the fields and their headers. */
const MAX_EXTRA_BYTES = (MAX_FIELDS + 1) * MAX_FIELD_BYTES;

/**
 * Throws invalid for a body that is not multipart, broken, or without a file that must be there, and tooLarge beyond
 * the limits: before it reads a body that says so, and otherwise with the first byte that is too much. The total is
 * bounded too: one file, and 20 fields of 64 kB.
 */
export async function readMultipart(
  request: FastifyRequest,
  file: NonNullable<Call['file']>,
): Promise<{ file: UploadedFile | undefined; fields: Record<string, string> }> {
  if (!request.isMultipart()) throw new AppError('unsupported', 'Send the file as multipart form data.');
  if (Number(request.headers['content-length'] ?? 0) > file.maxBytes + MAX_EXTRA_BYTES) throw tooLarge();
  const fields: Record<string, string> = Object.create(null);
  let upload: UploadedFile | undefined;

  const limits = {
    fileSize: file.maxBytes,
    files: 1,
    fields: MAX_FIELDS,
    fieldSize: MAX_FIELD_BYTES,
    fieldNameSize: 100,
    parts: MAX_FIELDS + 1,
    headerPairs: 50,
  };
  // Thrown here, as soon as it is: the plugin reads the file to its end first.
  const options = { limits, throwFileSizeLimit: false };
  try {
    for await (const part of request.parts(options)) {
      if (part.type === 'file') {
        const bytes = await readFilePart(part.file);
        if (part.fieldname !== file.field) continue;
        upload = { bytes, filename: labelOf(part.filename), mediaType: part.mimetype };
      } else {
        if (part.fieldnameTruncated || part.valueTruncated)
          throw new AppError('tooLarge', 'A field of the form is too long.');
        fields[part.fieldname] = String(part.value);
      }
    }
  } catch (error) {
    letGo(request);
    if (error instanceof AppError || isTooLarge(error)) throw error;
    throw new AppError('invalid', 'The upload is incomplete or damaged. Please try again.', { cause: error });
  }
  if (!upload && !file.isOptional)
    throw new AppError('invalid', `The file is missing: send it in the field “${file.field}”.`);
  return { file: upload, fields };
}

const tooLarge = () => new AppError('tooLarge', 'That is larger than what can be sent here.');

/** Reads a file of a body. Throws tooLarge as soon as it is, because the rest may never end. */
async function readFilePart(file: MultipartFile['file']): Promise<Uint8Array> {
  // A short body is parsed before anybody listens.
  if (file.truncated) throw tooLarge();
  file.once('limit', () => file.destroy(tooLarge()));
  const chunks: Buffer[] = [];
  for await (const chunk of file) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Reads the rest of a refused body to nowhere, until the request's time is over: a caller that is cut off while it
 * sends would not see the answer.
 */
function letGo({ raw }: FastifyRequest): void {
  raw.unpipe();
  raw.resume();
}

/** One of many files of a body, kept on disk until the call has ended. */
export interface SpooledFile {
  /** Its position among the files. */
  readonly index: number;
  /** A label, as `UploadedFile` has it. */
  readonly filename: string;
  /** Returns undefined when the file is larger than one file may be. */
  read(): Promise<Uint8Array> | undefined;
}

/** The parts of a multipart body with many files. */
export interface SpooledFiles {
  readonly files: readonly SpooledFile[];
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Removes the files from the disk. */
  discard(): Promise<void>;
}

/**
 * Writes the files of a body to disk, one after another and under names of our own, so that memory holds none of them.
 * Throws as `readMultipart` does, after it removed the files written so far.
 */
export async function readManyFiles(
  request: FastifyRequest,
  spec: NonNullable<Call['files']>,
  dataDir: string,
): Promise<SpooledFiles> {
  if (!request.isMultipart()) throw new AppError('unsupported', 'Send the files as multipart form data.');
  const tooMuch = new AppError(
    'tooLarge',
    `Up to ${spec.maxFiles} files and ${spec.maxTotalBytes / 2 ** 20} MB can be sent at once.`,
  );
  if (Number(request.headers['content-length'] ?? 0) > spec.maxTotalBytes + spec.maxFiles * PART_EXTRA_BYTES) {
    throw tooMuch;
  }
  const folder = incomingFolder(dataDir);
  const spooledFiles: { path: string; filename: string; isTooLarge: boolean }[] = [];
  const discard = async (): Promise<void> => {
    await Promise.all(spooledFiles.map(({ path }) => rm(path, { force: true })));
  };
  const fields: Record<string, string[]> = Object.create(null);
  let totalBytes = 0;

  const limits = {
    fileSize: spec.maxBytes,
    files: spec.maxFiles,
    fields: spec.maxFiles + MAX_FIELDS,
    fieldSize: MAX_FIELD_BYTES,
    fieldNameSize: 100,
    parts: 2 * spec.maxFiles + MAX_FIELDS,
    headerPairs: 50,
  };
  // A file that is too large fails alone: it is cut off, and the call goes on.
  const options = { limits, throwFileSizeLimit: false };
  try {
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    });
    for await (const part of request.parts(options)) {
      if (part.type === 'file') {
        const spooledFile = {
          path: join(folder, `${randomUUID()}.part`),
          filename: labelOf(part.filename),
          isTooLarge: false,
        };
        if (part.fieldname === spec.field) spooledFiles.push(spooledFile);
        const destination =
          part.fieldname === spec.field ? createWriteStream(spooledFile.path, { flags: 'wx', mode: 0o600 }) : nowhere();
        part.file.on('data', (chunk: Buffer) => {
          totalBytes += chunk.length;
          if (totalBytes > spec.maxTotalBytes) destination.destroy(tooMuch);
        });
        await pipeline(part.file, destination);
        spooledFile.isTooLarge = part.file.truncated;
      } else {
        if (part.fieldnameTruncated || part.valueTruncated)
          throw new AppError('tooLarge', 'A field of the form is too long.');
        fields[part.fieldname] ??= [];
        fields[part.fieldname]!.push(String(part.value));
      }
    }
  } catch (error) {
    await discard();
    if (error instanceof AppError) throw error;
    if (isTooLarge(error)) throw tooMuch;
    throw (
      toStorageError(error) ??
      new AppError('invalid', 'The upload is incomplete or damaged. Please try again.', { cause: error })
    );
  }
  const files = spooledFiles.map(({ path, filename, isTooLarge }, index) => ({
    index,
    filename,
    read: () => (isTooLarge ? undefined : readFile(path)),
  }));
  return { files, fields, discard };
}

const PART_EXTRA_BYTES = 8 * 1024;
const incomingFolder = (dataDir: string): string => join(dataDir, 'incoming');
const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'statusCode' in error && error.statusCode === 413;
}

function labelOf(filename: string | undefined): string {
  const last = (filename ?? '').normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  return (
    last
      .replace(/[\p{Cc}\p{Bidi_Control}]/gu, '')
      .trim()
      .slice(0, 255) || 'design'
  );
}
