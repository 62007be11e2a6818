import { auth } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { type Actor, mount } from '../platform/mount.ts';
import { findMe, logIn, signUp, type Visitor } from './accounts.ts';
import { endSession } from './sessions.ts';

export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, auth.signup, ({ actor, body }) => signUp(deps, toVisitor(actor), body));
  mount(app, deps, auth.login, ({ actor, body }) => logIn(deps, toVisitor(actor), body));
  mount(app, deps, auth.me, ({ actor }) => findMe(deps, actor));
  mount(app, deps, auth.logout, async ({ actor }) => {
    await endSession(deps, actor.sessionId);
    return { ok: true as const };
  });
}

const toVisitor = (actor: Actor): Visitor => ({
  address: actor.address,
  guestId: actor.kind === 'guest' ? actor.guestId : undefined,
});
