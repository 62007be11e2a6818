/** Batches: one design with the names of a list, a file for each row. */
import { InkRect, parseComposition, saveComposition } from '@markwright/scene';
import { z } from 'zod';
import { batchCalls as batchPaths } from '../paths/batches.ts';
import {
  BATCH_DAYS,
  GANG_SHEET,
  MAX_BATCH_ROWS,
  MAX_PROOF_PIECES,
  MAX_ROW_PICTURES,
  PIECES_PER_EXPORT,
} from '../words/batches.ts';
import { defineCalls } from './call.ts';
import { FileFormat, FileRequest } from './machineFiles.ts';
import { IdParams, StorableText } from './text.ts';

const cell = StorableText.pipe(z.string().max(2_000, 'A cell has at most 2,000 characters.'));

const BatchFit = z.object({
  minimumPercent: z
    .number()
    .min(20)
    .max(100)
    .default(60)
    .describe('How far a text that is too long may shrink, in percent of its size.'),
  overflow: z
    .enum(['break', 'ask'])
    .default('ask')
    .describe('What is done with a text that is too long at that size: two lines, or its row is refused.'),
  widthsMm: z
    .record(z.string().max(80), z.number().positive().max(10_000))
    .default({})
    .describe(
      'The widest that a text may be, by the id of its element. Otherwise as wide as it is in the composition. A text ' +
        'with a `circle` (radiusMm, side, edge, sweepDeg) shrinks to its arc instead, and its circle stays as it is.',
    ),
});

const MOST_MM = 10_000;
const lengthMm = z.number().positive().max(MOST_MM);
const placeMm = z.number().min(0).max(MOST_MM);
const count = z.number().int().min(1).max(300);

const JigLayout = z.object({
  kind: z.literal('jig'),
  bedWidthMm: lengthMm,
  bedHeightMm: lengthMm,
  columns: count,
  rows: count,
  pitchXMm: placeMm.describe('From the middle of a slot to the middle of the next one.'),
  pitchYMm: placeMm,
  offsetXMm: placeMm.describe('Of the first blank’s corner from the bed’s top left corner.'),
  offsetYMm: placeMm,
  rotationDeg: z.literal([0, 90, 180, 270]).default(0).describe('How far the blank in each slot is turned, clockwise.'),
  isSerpentine: z.boolean().default(false).describe('Fills each second row backwards.'),
  brokenSlots: z
    .array(z.number().int().min(1))
    .max(300)
    .default([])
    .describe('Slots that stay empty, counted row by row from 1, whatever the order.'),
  blank: z
    .object({ widthMm: lengthMm, heightMm: lengthMm })
    .optional()
    .describe('The size of the blank, with the print area in its middle. Absent: that of the print area.'),
  clearanceMm: z.number().min(0).max(20).default(0.3).describe('The space around a blank in the jig’s own file.'),
  hasMarks: z.boolean().default(false).describe('Adds registration marks in the corners of the bed.'),
});

const GangLayout = z.object({
  kind: z.literal('gang'),
  widthMm: lengthMm.default(GANG_SHEET.widthMm),
  lengthMm: lengthMm.default(GANG_SHEET.lengthMm).describe('The most; a sheet ends with its last piece.'),
  gapMm: z.number().min(0.1).max(100).default(GANG_SHEET.gapMm).describe('Between pieces, at least.'),
  canRotate: z.boolean().default(true).describe('Turns pieces by right angles where more fit.'),
  packBy: z
    .enum(['boxes', 'shapes'])
    .optional()
    .describe(
      'By `shapes`, pieces lie in each other’s bays, with the gap around their outlines, where that takes less film ' +
        'than their boxes; lists of up to 500 pieces. Absent: by their boxes.',
    ),
});

export const BatchLayout = z.discriminatedUnion('kind', [JigLayout, GangLayout]);
export type BatchLayout = z.output<typeof BatchLayout>;

const pictureName = StorableText.pipe(z.string().min(1).max(255));

const BatchPictures = z
  .record(
    pictureName,
    z.object({
      designId: z.string().min(1).max(64),
      ink: z
        .optional(InkRect)
        .describe('The box around the ink of its trace, in fractions of the picture. Absent: the whole picture.'),
    }),
  )
  .refine(
    (pictures) => Object.keys(pictures).length <= MAX_ROW_PICTURES,
    `A list names at most ${MAX_ROW_PICTURES} pictures.`,
  );

export const BatchRequest = z.object({
  composition: FileRequest.shape.composition,
  format: FileFormat.exclude(['package', 'sheet', 'paperTest']),
  preset: FileRequest.shape.preset,
  options: FileRequest.shape.options,
  columns: z.array(cell).min(1).max(100),
  rows: z
    .array(z.array(cell).max(100))
    .min(1, 'The list has no row.')
    .max(MAX_BATCH_ROWS, `A list has at most ${MAX_BATCH_ROWS.toLocaleString('en-US')} rows.`),
  pictures: BatchPictures.optional().describe(
    'The designs that the cells of a `pictureColumn` name, by their names. Case, folders and endings of names do not ' +
      'count. A picture is as large as it can be in the box of its artwork, in the middle of it. An empty cell takes ' +
      'the design of the artwork.',
  ),
  fit: BatchFit.prefault({}),
  layout: BatchLayout.optional().describe(
    'How pieces lie together on sheets: in the slots of a jig, or packed on a gang sheet. Absent: a file for each.',
  ),
  leaveOutWrong: z
    .boolean()
    .default(false)
    .describe('Leaves out the rows whose piece would be a wrong one. Otherwise the call is refused with them.'),
  leaveOut: z
    .array(z.number().int().min(1))
    .max(MAX_BATCH_ROWS)
    .optional()
    .describe('The numbers of rows that are not approved, from 1. They are left out, and the others keep theirs.'),
});
export type BatchRequest = z.output<typeof BatchRequest>;

export const Batch = z.object({
  id: z.string(),
  state: z.enum(['waiting', 'making', 'done', 'failed']),
  pieces: z.number().int(),
  sheets: z.number().int().nullable().describe('The sheets that its pieces lie on; null where each is a file.'),
  done: z.number().int().describe('The files that are made.'),
  leftOut: z.array(z.number().int()).describe('The numbers of the rows that are left out, from 1.'),
  exports: z.number().int().describe('The production exports that it takes. They are given back when it fails.'),
  problem: z.string().nullable().describe('Why it failed.'),
  filename: z.string(),
  url: z.string().nullable().describe('The address of the package, once it is done.'),
  createdAt: z.iso.datetime(),
  deletedAt: z.iso.datetime().describe('The day from which on it is not kept.'),
});
export type Batch = z.output<typeof Batch>;

/** Two names, as the calls take them. */
function exampleNames() {
  const composition = saveComposition(
    parseComposition({ version: 0, data: { machine: 'laser', texts: [{ id: 'name', text: '{name}' }] } }),
  );
  const rows = [['Ada'], ['Grace']];
  return { names: { summary: 'Two names as SVG', value: { composition, format: 'svg', columns: ['Name'], rows } } };
}

export const batchCalls = defineCalls(batchPaths, {
  create: {
    summary: 'Make a file for each row of a list',
    description:
      'Takes a composition with `{column}` in its texts and a list, and makes a numbered file for each row, in the ' +
      'background. Each text is fitted to its own width. The package is a ZIP with the files, `rows.csv` and a job ' +
      `sheet. With a layout the pieces lie together on sheets, a file and a production export each; otherwise ` +
      `${PIECES_PER_EXPORT} started pieces are one production export. A batch that fails or is deleted before ` +
      'it is done gives them back. The same request again is the same batch. A row with an empty cell, with a letter ' +
      'that no font has, with a text that does not fit or with a picture that is not there refuses the call, or is left ' +
      'out with `leaveOutWrong`.',
    body: BatchRequest,
    examples: exampleNames,
    reply: Batch,
    errors: {
      402: 'The allowance of the month has too little left.',
      404: 'The design or the product does not exist.',
      422: 'A row cannot be made. The message names the first ones.',
    },
  },
  proof: {
    summary: 'Draw a proof of a list for the customer',
    description:
      'Takes what `POST /api/batches` takes, and draws the pieces on their product into a PDF that the customer ' +
      'signs: each with the number of its row, its cells and the size of its marks, several on a page that fits A4 ' +
      'and US letter. Rows that are left out of the batch are left out of it. It takes no production export, and ' +
      `has at most ${MAX_PROOF_PIECES} pieces. Format, options and layout change nothing of it. The plan Free has a ` +
      'watermark on each piece, as on mockups.',
    body: BatchRequest,
    examples: exampleNames,
    reply: z.object({
      url: z.string().describe('The address of the PDF, which is kept for some days.'),
      filename: z.string(),
      pieces: z.number().int(),
    }),
    errors: {
      404: 'The design or the product does not exist.',
      422: 'A row cannot be made, or there are too many. The message says so.',
    },
  },
  list: {
    summary: 'List batches',
    description: `Returns the account’s newest 20 batches. A batch is kept for ${BATCH_DAYS} days.`,
    reply: z.object({ batches: z.array(Batch) }),
  },
  find: {
    summary: 'Read the progress of a batch',
    description: 'Returns how many pieces are made, and the address of the package once it is done.',
    params: IdParams,
    reply: Batch,
    errors: { 404: 'The batch does not exist.' },
  },
  remove: {
    summary: 'Cancel or delete a batch',
    description: 'Deletes a batch with its files. One that is not done is canceled, and its exports are given back.',
    params: IdParams,
    reply: z.object({ ok: z.literal(true) }),
    errors: { 404: 'The batch does not exist.' },
  },
});
