import { users } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../platform/context.ts';
import { mount } from '../platform/mount.ts';
import { deleteAccount } from './deleteAccount.ts';
import { findTakeout, removeTakeout, startTakeout, takeoutFileRoute } from './takeouts.ts';

export function privacyRoutes(app: FastifyInstance, context: Context): void {
  mount(app, context, users.startTakeout, ({ actor }) => startTakeout(context, actor));
  mount(app, context, users.findTakeout, ({ actor }) => findTakeout(context, actor));
  mount(app, context, users.removeTakeout, ({ actor }) => removeTakeout(context, actor));
  mount(app, context, users.deleteAccount, ({ actor, body }) => deleteAccount(context, actor, body));
  takeoutFileRoute(app, context);
}
