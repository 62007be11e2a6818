import { compositions } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../openContext.ts';
import { mount } from '../platform/mount.ts';
import {
  createComposition,
  duplicateComposition,
  getComposition,
  listCompositions,
  removeComposition,
  renameComposition,
  restoreComposition,
  saveRevision,
  setPicture,
} from './compositions.ts';

export function compositionRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, compositions.list, ({ actor, query }) => listCompositions(deps, actor, query));
  mount(app, deps, compositions.get, ({ actor, params }) => getComposition(deps, actor, params.id));
  mount(app, deps, compositions.create, ({ actor, body }) => createComposition(deps, actor, body));
  mount(app, deps, compositions.save, ({ actor, params, body }) => saveRevision(deps, actor, params.id, body));
  mount(app, deps, compositions.rename, ({ actor, params, body }) =>
    renameComposition(deps, actor, params.id, body.name),
  );
  mount(app, deps, compositions.duplicate, ({ actor, params, body }) =>
    duplicateComposition(deps, actor, params.id, body.key),
  );
  mount(app, deps, compositions.setPicture, ({ actor, params, file, signal }) =>
    setPicture(deps, actor, params.id, file.bytes, signal),
  );
  mount(app, deps, compositions.remove, ({ actor, params }) => removeComposition(deps, actor, params.id));
  mount(app, deps, compositions.restore, ({ actor, params }) => restoreComposition(deps, actor, params.id));
}
