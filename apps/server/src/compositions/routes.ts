import { compositions } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../platform/context.ts';
import { mount } from '../platform/mount.ts';
import {
  createComposition,
  duplicateComposition,
  getComposition,
  keptCompositions,
  listCompositions,
  saveRevision,
} from './compositions.ts';

export function compositionRoutes(app: FastifyInstance, context: Context): void {
  mount(app, context, compositions.list, ({ actor, query }) => listCompositions(context, actor, query));
  mount(app, context, compositions.get, ({ actor, params }) => getComposition(context, actor, params.id));
  mount(app, context, compositions.create, ({ actor, body }) => createComposition(context, actor, body));
  mount(app, context, compositions.save, ({ actor, params, body }) => saveRevision(context, actor, params.id, body));
  mount(app, context, compositions.rename, ({ actor, params, body }) =>
    keptCompositions.rename(context, actor, params.id, body.name),
  );
  mount(app, context, compositions.duplicate, ({ actor, params, body }) =>
    duplicateComposition(context, actor, params.id, body.key),
  );
  mount(app, context, compositions.setPicture, ({ actor, params, file, signal }) =>
    keptCompositions.setPicture(context, actor, params.id, file.bytes, signal),
  );
  mount(app, context, compositions.remove, ({ actor, params }) => keptCompositions.remove(context, actor, params.id));
  mount(app, context, compositions.restore, ({ actor, params }) => keptCompositions.restore(context, actor, params.id));
}
