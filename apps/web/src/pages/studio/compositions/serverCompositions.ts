/** The account's compositions on the server, as autosave and the list use them. */
import type { CompositionSummary } from '@markwright/contract/schemas';
import { parseComposition } from '@markwright/scene';
import { api } from '../../../api.ts';
import { ask } from '../../../studioHost/ask.ts';
import type { ServerCompositions } from './autosave.ts';

/** Browsers send a request to its end after the page was left when its body is below 64 kB. */
const KEEPALIVE_BYTES = 60_000;

export const serverCompositions: ServerCompositions = {
  create: (body) => ask(api.compositions.create({ body }, keepalive(body))),
  save: (id, body) => ask(api.compositions.save({ params: { id }, body }, keepalive(body))),
  rename: (id, name) => ask(api.compositions.rename({ params: { id }, body: { name } })),
  async get(id) {
    const reply = await ask(api.compositions.get({ params: { id } }));
    return { ...reply, composition: parseComposition(reply.composition) };
  },
};

const keepalive = (body: object) => ({ keepalive: JSON.stringify(body).length < KEEPALIVE_BYTES });

export const uploadThumbnail = (id: string, thumbnail: Blob): Promise<CompositionSummary> =>
  ask(api.compositions.setPicture({ params: { id }, file: new File([thumbnail], 'picture') }));
