import { admin } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../openContext.ts';
import { mount } from '../platform/mount.ts';
import { readVectorizerStatus, toggleVectorizer } from '../tracing/tiers.ts';
import { readAudit, readFeedback, readOverview, readUsers, readWaitlist } from './readers.ts';

export function adminRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, admin.vectorizerStatus, () => readVectorizerStatus(deps));
  mount(app, deps, admin.toggleVectorizer, ({ actor }) => toggleVectorizer(deps, actor));
  mount(app, deps, admin.audit, ({ query }) => readAudit(deps, query));
  mount(app, deps, admin.feedback, ({ query }) => readFeedback(deps, query.before));
  mount(app, deps, admin.waitlist, ({ query }) => readWaitlist(deps, query.before));
  mount(app, deps, admin.overview, () => readOverview(deps));
  mount(app, deps, admin.users, ({ query }) => readUsers(deps, query));
}
