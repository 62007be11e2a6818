import { admin } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import {
  changeRole,
  inviteAdministrator,
  listAdministrators,
  removeAdministrator,
  withdrawInvitation,
} from '../accounts/administrators.ts';
import type { Context } from '../platform/context.ts';
import { mount } from '../platform/mount.ts';
import { readStorage, readStorageOwners } from '../storage/readers.ts';
import { readVectorizerStatus, toggleVectorizer } from '../tracing/tiers.ts';
import { readAudit, readFeedback, readOverview, readSecurityEvents, readUsers, readWaitlist } from './readers.ts';
import { endSessionsOf } from './sessions.ts';

export function adminRoutes(app: FastifyInstance, context: Context): void {
  mount(app, context, admin.vectorizerStatus, () => readVectorizerStatus(context));
  mount(app, context, admin.toggleVectorizer, ({ actor }) => toggleVectorizer(context, actor));
  mount(app, context, admin.audit, ({ query }) => readAudit(context, query));
  mount(app, context, admin.administrators, () => listAdministrators(context));
  mount(app, context, admin.changeRole, ({ actor, params, body }) => changeRole(context, actor, params.id, body.role));
  mount(app, context, admin.removeAdministrator, ({ actor, params }) => removeAdministrator(context, actor, params.id));
  mount(app, context, admin.invite, ({ actor, body }) => inviteAdministrator(context, actor, body));
  mount(app, context, admin.withdrawInvitation, ({ actor, params }) => withdrawInvitation(context, actor, params.id));
  mount(app, context, admin.securityEvents, ({ query }) => readSecurityEvents(context, query));
  mount(app, context, admin.feedback, ({ query }) => readFeedback(context, query.before));
  mount(app, context, admin.waitlist, ({ query }) => readWaitlist(context, query.before));
  mount(app, context, admin.overview, () => readOverview(context));
  mount(app, context, admin.storage, () => readStorage(context));
  mount(app, context, admin.storageOwners, ({ query }) => readStorageOwners(context, query.before));
  mount(app, context, admin.users, ({ query }) => readUsers(context, query));
  mount(app, context, admin.endSessions, ({ actor, params }) => endSessionsOf(context, actor, params.id));
}
