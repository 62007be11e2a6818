import { users } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import { renewSession } from '../accounts/sessions.ts';
import type { Deps } from '../deps.ts';
import { mount } from '../platform/mount.ts';
import { findGuestUsage, findUsage } from './allowances.ts';

export function billingRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, users.stats, async ({ actor }) => ({
    ...(await findUsage(deps, actor)),
    jwtToken: await renewSession(deps, actor),
  }));
  mount(app, deps, users.guestUsage, ({ actor }) => findGuestUsage(deps, actor));
}
