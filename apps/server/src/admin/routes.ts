import { admin } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { mount } from '../platform/mount.ts';
import { readVectorizerStatus, toggleVectorizer } from './vectorizer.ts';

export function adminRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, admin.vectorizerStatus, () => readVectorizerStatus(deps));
  mount(app, deps, admin.toggleVectorizer, ({ actor }) => toggleVectorizer(deps, actor));
}
