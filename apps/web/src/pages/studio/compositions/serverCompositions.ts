/** The account's works on the server, as autosave and the list use them. */
import type { CompositionSummary } from '@markwright/contract';
import { parseComposition } from '@markwright/scene';
import { api } from '../../../api.ts';
import { ask } from '../../../studioHost/ask.ts';
import type { RemoteWorks } from './autosave.ts';

/** What a browser still sends when the page is left. */
const KEEPALIVE_BYTES = 60_000;

export const remoteWorks: RemoteWorks = {
  create: (body) => ask(api.compositions.create({ body }, leaving(body))),
  save: (id, body) => ask(api.compositions.save({ params: { id }, body }, leaving(body))),
  rename: (id, name) => ask(api.compositions.rename({ params: { id }, body: { name } })),
  async get(id) {
    const work = await ask(api.compositions.get({ params: { id } }));
    return { ...work, composition: parseComposition(work.composition) };
  },
};

const leaving = (body: object) => ({ keepalive: JSON.stringify(body).length < KEEPALIVE_BYTES });

export const setPicture = (id: string, picture: Blob): Promise<CompositionSummary> =>
  ask(api.compositions.setPicture({ params: { id }, file: new File([picture], 'picture') }));
