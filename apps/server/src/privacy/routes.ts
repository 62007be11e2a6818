import { users } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../platform/context.ts';
import { mount } from '../platform/mount.ts';
import { deleteAccount } from './deleteAccount.ts';
import { takeoutData } from './takeout.ts';

export function privacyRoutes(app: FastifyInstance, context: Context): void {
  mount(app, context, users.takeoutData, async ({ actor, reply }) => {
    const day = context.now().toISOString().slice(0, 10);
    const data = await takeoutData(context, actor);
    reply.header('content-disposition', `attachment; filename="markwright-my-data-${day}.json"`);
    return data;
  });
  mount(app, context, users.deleteAccount, ({ actor, body }) => deleteAccount(context, actor, body));
}
