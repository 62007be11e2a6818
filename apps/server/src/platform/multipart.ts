/** Reads the one file of a multipart body and its few text fields, within limits. */
import type {} from '@fastify/multipart'; // what it adds to a request
import type { Call } from '@markwright/contract';
import type { FastifyRequest } from 'fastify';
import { AppError } from './errors.ts';

export interface UploadedFile {
  readonly bytes: Uint8Array;
  /** A label: the last part of what the client called it, without control characters. */
  readonly filename: string;
  /** What the client says it is. The bytes decide. */
  readonly mediaType: string;
}

const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 64 * 1024;

/**
 * Throws invalid for a body that is not multipart, broken, or without a file that must be there, and tooLarge beyond the limits. The
 * total is bounded too: one file, and 20 fields of 64 kB.
 */
export async function readMultipart(
  request: FastifyRequest,
  file: NonNullable<Call['file']>,
): Promise<{ file: UploadedFile | undefined; fields: Record<string, string> }> {
  if (!request.isMultipart()) throw new AppError('unsupported', 'Send the file as multipart form data.');
  const fields: Record<string, string> = Object.create(null);
  let found: UploadedFile | undefined;

  const limits = {
    fileSize: file.maxBytes,
    files: 1,
    fields: MAX_FIELDS,
    fieldSize: MAX_FIELD_BYTES,
    fieldNameSize: 100,
    parts: MAX_FIELDS + 1,
    headerPairs: 50,
  };
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') {
        const bytes = await part.toBuffer();
        if (part.fieldname !== file.field) continue;
        found = { bytes, filename: labelOf(part.filename), mediaType: part.mimetype };
      } else {
        if (part.fieldnameTruncated || part.valueTruncated)
          throw new AppError('tooLarge', 'A field of the form is too long.');
        fields[part.fieldname] = String(part.value);
      }
    }
  } catch (error) {
    if (error instanceof AppError || isTooLarge(error)) throw error;
    throw new AppError('invalid', 'The upload is incomplete or damaged. Please try again.', { cause: error });
  }
  if (!found && !file.isOptional)
    throw new AppError('invalid', `The file is missing: send it in the field “${file.field}”.`);
  return { file: found, fields };
}

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
