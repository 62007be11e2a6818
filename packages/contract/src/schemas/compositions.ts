import { MAX_NAME_LENGTH, SavedComposition } from '@markwright/scene';
import { z } from 'zod';
import { compositions as compositionsPaths } from '../paths/compositions.ts';
import { defineCalls } from './call.ts';
import { StorableText } from './text.ts';

const CompositionName = StorableText.max(MAX_NAME_LENGTH, `Please keep the name under ${MAX_NAME_LENGTH} characters.`);

/** A saved composition as lists show it. */
export const CompositionSummary = z.object({
  id: z.string(),
  /** Blank: it is called by its product. */
  name: z.string(),
  productId: z.string().nullable(),
  pictureUrl: z.string().nullable(),
  /** Goes up with every save. */
  revision: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type CompositionSummary = z.output<typeof CompositionSummary>;

const KeptComposition = CompositionSummary.extend({ composition: SavedComposition });

const One = z.object({ id: z.string().max(64) });
/** Random, made by the caller: the same call sent again makes nothing new. */
const key = z.string().regex(/^[\w-]{16,64}$/);

export const compositions = defineCalls(compositionsPaths, {
  list: {
    summary: "The account's saved compositions, last changed first, 50 at a time; `search` looks at names and products",
    query: z.object({ before: z.string().max(100).optional(), search: StorableText.max(100).optional() }),
    reply: z.object({ compositions: z.array(CompositionSummary), next: z.string().nullable() }),
  },
  get: {
    summary: 'One saved composition, whole',
    params: One,
    reply: KeptComposition,
  },
  create: {
    summary: 'Saves a composition for the first time; the same key again makes no second one',
    body: z.object({ key, name: CompositionName, composition: SavedComposition }),
    reply: CompositionSummary,
  },
  save: {
    summary: 'Saves what a composition became; 409 when it is no longer at the `revision` this goes on from',
    params: One,
    body: z.object({ revision: z.number().int().min(1), composition: SavedComposition }),
    reply: CompositionSummary,
  },
  rename: {
    summary: 'Gives a composition another name; its revision stays',
    params: One,
    body: z.object({ name: CompositionName }),
    reply: CompositionSummary,
  },
  duplicate: {
    summary: 'Copies a composition',
    params: One,
    body: z.object({ key }),
    reply: CompositionSummary,
  },
  setPicture: {
    summary: 'Stores the small picture lists show; at most 480 pixels of it are kept',
    params: One,
    body: z.object({}),
    reply: CompositionSummary,
  },
  remove: {
    summary: 'Deletes a composition; it can be restored for a day',
    params: One,
    reply: z.object({ ok: z.literal(true) }),
  },
  restore: {
    summary: 'Brings back a composition that was just deleted',
    params: One,
    reply: CompositionSummary,
  },
});
