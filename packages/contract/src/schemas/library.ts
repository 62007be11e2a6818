import { MAX_NAME_LENGTH, SavedComposition } from '@markwright/scene';
import { z } from 'zod';
import { library as libraryPaths } from '../paths/library.ts';
import { LIBRARY_KINDS, MAX_LIBRARY_SIDE_MM } from '../words/library.ts';
import { defineCalls } from './call.ts';
import { IdParams, labelOf } from './text.ts';

const EntryName = labelOf(MAX_NAME_LENGTH, {
  tooLong: `Please keep the name under ${MAX_NAME_LENGTH} characters.`,
  missing: 'Please give it a name.',
});

const sideMm = z.number().positive().max(MAX_LIBRARY_SIDE_MM);
const Area = z.object({ widthMm: sideMm, heightMm: sideMm });

const Kind = z.enum(LIBRARY_KINDS);

/** An entry of the library, as lists show it. */
export const SavedElements = z.object({
  id: z.string(),
  kind: Kind.describe(
    'Elements to be placed in other designs (`elements`), or a whole composition to begin with (`template`).',
  ),
  name: z.string(),
  openParts: z.number().int().min(0).describe('How many parts of a template a customer may change.'),
  widthMm: z.number().describe('The width of the box around the elements.'),
  heightMm: z.number(),
  pictureUrl: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
export type SavedElements = z.output<typeof SavedElements>;

export const SavedElementsDetail = SavedElements.extend({
  area: Area.describe('The machine area that the percentages of the elements refer to. They lie around its middle.'),
  composition: SavedComposition,
});
export type SavedElementsDetail = z.output<typeof SavedElementsDetail>;

/** The idempotency key: random, made by the caller. The same call sent again makes nothing new. */
const key = z.string().regex(/^[\w-]{16,64}$/);

const notThere = 'The entry does not exist, or it belongs to someone else.';

export const library = defineCalls(libraryPaths, {
  list: {
    summary: 'List the library',
    description:
      'Returns what the account has saved, the newest first, 50 a page. `search` looks at names, `kind` selects one kind.',
    query: z.object({
      before: z.string().max(100).optional(),
      search: z.string().trim().max(100).optional(),
      kind: Kind.optional(),
    }),
    reply: z.object({ entries: z.array(SavedElements), next: z.string().nullable() }),
  },
  get: {
    summary: 'Read saved elements',
    description: 'Returns an entry of the library with its elements.',
    params: IdParams,
    reply: SavedElementsDetail,
    errors: { 404: notThere },
  },
  create: {
    summary: 'Save elements to the library',
    description:
      'Keeps the elements of a composition, to be placed in others at the same size; as a `template`, the whole ' +
      'composition with its product. Artworks must be of the account’s own designs. A repeated call with the same key makes no second entry.',
    body: z.object({
      key,
      kind: Kind.default('elements'),
      name: EntryName,
      composition: SavedComposition,
      area: Area,
      widthMm: sideMm,
      heightMm: sideMm,
    }),
    reply: SavedElements,
    errors: {
      404: 'A design that an artwork shows does not exist, or it belongs to someone else.',
      409: 'The key belongs to an entry that was deleted.',
      413: 'The elements are too large.',
      507: 'The library is full, or the server’s disk is.',
    },
  },
  rename: {
    summary: 'Rename saved elements',
    description: 'Changes the name of an entry of the library.',
    params: IdParams,
    body: z.object({ name: EntryName }),
    reply: SavedElements,
    errors: { 404: notThere },
  },
  setPicture: {
    summary: 'Store the picture of saved elements',
    description: 'Stores the small picture that lists show, scaled down to 480 pixels.',
    params: IdParams,
    body: z.object({}),
    reply: SavedElements,
    errors: {
      404: notThere,
      413: 'The picture is larger than 1 MB, or the space for files is full.',
      415: 'The file is not a PNG, JPG or WebP picture.',
      422: 'The picture is damaged or too large.',
      507: 'The server’s disk is full.',
    },
  },
  remove: {
    summary: 'Delete saved elements',
    description: 'Deletes an entry of the library. It can be restored for a day. Designs that it was placed in stay.',
    params: IdParams,
    reply: z.object({ ok: z.literal(true) }),
    errors: { 404: notThere },
  },
  restore: {
    summary: 'Restore saved elements',
    description: 'Restores an entry that was deleted within the last day.',
    params: IdParams,
    reply: SavedElements,
    errors: { 404: notThere, 507: 'The library is full.' },
  },
});
