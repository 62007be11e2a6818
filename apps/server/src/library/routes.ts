import { library } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../platform/context.ts';
import { mount } from '../platform/mount.ts';
import { createEntry, getEntry, keptEntries, listEntries } from './library.ts';

export function libraryRoutes(app: FastifyInstance, context: Context): void {
  mount(app, context, library.list, ({ actor, query }) => listEntries(context, actor, query));
  mount(app, context, library.get, ({ actor, params }) => getEntry(context, actor, params.id));
  mount(app, context, library.create, ({ actor, body }) => createEntry(context, actor, body));
  mount(app, context, library.rename, ({ actor, params, body }) =>
    keptEntries.rename(context, actor, params.id, body.name),
  );
  mount(app, context, library.setPicture, ({ actor, params, file, signal }) =>
    keptEntries.setPicture(context, actor, params.id, file.bytes, signal),
  );
  mount(app, context, library.remove, ({ actor, params }) => keptEntries.remove(context, actor, params.id));
  mount(app, context, library.restore, ({ actor, params }) => keptEntries.restore(context, actor, params.id));
}
