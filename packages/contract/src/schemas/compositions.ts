import { MAX_NAME_LENGTH, SavedComposition } from '@markwright/scene';
import { z } from 'zod';
import { compositions as compositionsPaths } from '../paths/compositions.ts';
import { defineCalls } from './call.ts';
import { IdParams, StorableText } from './text.ts';

const CompositionName = StorableText.max(MAX_NAME_LENGTH, `Please keep the name under ${MAX_NAME_LENGTH} characters.`);

/** A saved composition as lists show it. */
export const CompositionSummary = z.object({
  id: z.string(),
  name: z.string().describe('When empty, the composition is called by its product.'),
  productId: z.string().nullable(),
  pictureUrl: z.string().nullable(),
  revision: z.number().int().describe('Increases with every save.'),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type CompositionSummary = z.output<typeof CompositionSummary>;

const CompositionDetail = CompositionSummary.extend({ composition: SavedComposition });

/** The idempotency key: random, made by the caller. The same call sent again makes nothing new. */
const key = z.string().regex(/^[\w-]{16,64}$/);

export const compositions = defineCalls(compositionsPaths, {
  list: {
    summary: 'List compositions',
    description:
      'Returns the account’s saved compositions, the last changed first, 50 a page. `search` looks at ' +
      'names and products.',
    query: z.object({ before: z.string().max(100).optional(), search: StorableText.max(100).optional() }),
    reply: z.object({ compositions: z.array(CompositionSummary), next: z.string().nullable() }),
  },
  get: {
    summary: 'Read a composition',
    description: 'Returns a saved composition with its content.',
    params: IdParams,
    reply: CompositionDetail,
    errors: { 404: 'The composition does not exist, or it belongs to someone else.' },
  },
  create: {
    summary: 'Save a new composition',
    description: 'Saves a composition for the first time. A repeated call with the same key makes no second one.',
    body: z.object({ key, name: CompositionName, composition: SavedComposition }),
    reply: CompositionSummary,
    errors: {
      409: 'The composition with this key has changed since.',
      413: 'The composition is too large.',
      507: 'The account has as many compositions as it may store, or the server’s disk is full.',
    },
  },
  save: {
    summary: 'Save a composition',
    description: 'Saves the next revision of a composition.',
    params: IdParams,
    body: z.object({ revision: z.number().int().min(1), composition: SavedComposition }),
    reply: CompositionSummary,
    errors: {
      404: 'The composition does not exist, or it belongs to someone else.',
      409: 'The composition is not at the revision that this save goes on from.',
      413: 'The composition is too large.',
    },
  },
  rename: {
    summary: 'Rename a composition',
    description: 'Changes the name of a composition. Its revision stays.',
    params: IdParams,
    body: z.object({ name: CompositionName }),
    reply: CompositionSummary,
    errors: { 404: 'The composition does not exist, or it belongs to someone else.' },
  },
  duplicate: {
    summary: 'Copy a composition',
    description: 'Makes a copy. A repeated call with the same key makes no second copy.',
    params: IdParams,
    body: z.object({ key }),
    reply: CompositionSummary,
    errors: {
      404: 'The composition does not exist, or it belongs to someone else.',
      507: 'The account has as many compositions as it may store, or the server’s disk is full.',
    },
  },
  setPicture: {
    summary: 'Store the preview of a composition',
    description: 'Stores the small picture that lists show, scaled down to 480 pixels.',
    params: IdParams,
    body: z.object({}),
    reply: CompositionSummary,
    errors: {
      404: 'The composition does not exist, or it belongs to someone else.',
      413: 'The picture is larger than 1 MB, or the space for files is full.',
      415: 'The file is not a PNG, JPG or WebP picture.',
      422: 'The picture is damaged or too large.',
      507: 'The server’s disk is full.',
    },
  },
  remove: {
    summary: 'Delete a composition',
    description: 'Deletes a composition. It can be restored for a day.',
    params: IdParams,
    reply: z.object({ ok: z.literal(true) }),
    errors: { 404: 'The composition does not exist, or it belongs to someone else.' },
  },
  restore: {
    summary: 'Restore a composition',
    description: 'Restores a composition that was deleted within the last day.',
    params: IdParams,
    reply: CompositionSummary,
    errors: {
      404: 'The composition does not exist, or it belongs to someone else.',
      507: 'The account has as many compositions as it may store.',
    },
  },
});
