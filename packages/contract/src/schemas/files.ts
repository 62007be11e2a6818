/** The production files that an account made. */
import { z } from 'zod';
import { fileCalls as filePaths } from '../paths/files.ts';
import { MADE_FILE_DAYS } from '../words/exportFilename.ts';
import { defineCalls } from './call.ts';
import { FileFormat } from './machineFiles.ts';
import { IdParams } from './text.ts';

export const MadeFile = z.object({
  id: z.string(),
  format: FileFormat,
  filename: z.string(),
  widthMm: z.number().describe('Of a piece, for the package of a batch.'),
  heightMm: z.number(),
  sizeBytes: z.number().int().nullable().describe('Null for the package of a batch that was not downloaded yet.'),
  sha256: z
    .string()
    .nullable()
    .describe('Of the whole file, 64 hexadecimal digits. That of a package is known once it was downloaded.'),
  pieces: z.number().int().nullable().describe('The pieces of a batch, whose package this is. Null for a single file.'),
  designFilename: z.string().describe('The name of the first picture in it. Empty without one.'),
  productName: z.string().describe('Empty without a product.'),
  createdAt: z.iso.datetime().describe('When it was made last.'),
  url: z.string().nullable().describe('The address of the file. Null when it is not kept any more.'),
  deletedAt: z.iso.datetime().nullable().describe('The day from which on it is not kept, unless it is made again.'),
});
export type MadeFile = z.output<typeof MadeFile>;

export const fileCalls = defineCalls(filePaths, {
  list: {
    summary: 'List the files that were made',
    description:
      'Returns 50 production files of the account at a time, the newest first. They can be downloaded again without ' +
      `charge for ${MADE_FILE_DAYS} days after they were made or asked for last. What is known of a file, such as its ` +
      'SHA-256, stays in the list for a year and a month. The packages of finished batches are in it, too.',
    query: z.object({ before: z.string().max(400).optional().describe('The `next` of the page before.') }),
    reply: z.object({ files: z.array(MadeFile), next: z.string().nullable() }),
  },
  remove: {
    summary: 'Delete a file that was made',
    description: 'Deletes a file and its line in the list. Its charge stays, and making it again this month is free.',
    params: IdParams,
    reply: z.object({ ok: z.literal(true) }),
    errors: { 404: 'The file does not exist.' },
  },
});
