import { auth, users } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../openContext.ts';
import { type CallContext, mount } from '../platform/mount.ts';
import { deleteAccount, exportData } from '../privacy/takeout.ts';
import { findMe, logIn, signUp, type Visitor } from './accounts.ts';
import { changePassword, forgotPassword, resetPassword } from './passwordChange.ts';
import { endOtherSessions, endSession, listSessions, logOut } from './sessions.ts';
import { resendVerification, verifyEmail } from './verification.ts';

const ok = { ok: true } as const;

export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, auth.signup, (call) => signUp(deps, toVisitor(call), call.body));
  mount(app, deps, auth.login, (call) => logIn(deps, toVisitor(call), call.body));
  mount(app, deps, auth.me, ({ actor }) => findMe(deps, actor));
  mount(app, deps, auth.logout, async ({ actor }) => {
    await logOut(deps, actor);
    return ok;
  });

  mount(app, deps, auth.changePassword, ({ actor, body }) => changePassword(deps, actor, body));
  mount(app, deps, auth.forgotPassword, (call) => forgotPassword(deps, toVisitor(call), call.body.email));
  mount(app, deps, auth.resetPassword, (call) => resetPassword(deps, toVisitor(call), call.body));
  mount(app, deps, auth.verifyEmail, (call) => verifyEmail(deps, toVisitor(call), call.body.token));
  mount(app, deps, auth.resendVerification, ({ actor }) => resendVerification(deps, actor));

  mount(app, deps, auth.sessions, ({ actor }) => listSessions(deps, actor));
  mount(app, deps, auth.endSession, async ({ actor, params }) => {
    await endSession(deps, actor, params.id);
    return ok;
  });
  mount(app, deps, auth.endOtherSessions, ({ actor }) => endOtherSessions(deps, actor));

  mount(app, deps, users.exportData, async ({ actor, reply }) => {
    const day = deps.now().toISOString().slice(0, 10);
    const data = await exportData(deps, actor);
    reply.header('content-disposition', `attachment; filename="markwright-my-data-${day}.json"`);
    return data;
  });
  mount(app, deps, users.deleteAccount, ({ actor, body }) => deleteAccount(deps, actor, body.password));
}

const toVisitor = ({ visitor, request }: Pick<CallContext<typeof auth.login>, 'visitor' | 'request'>): Visitor => ({
  ...visitor,
  userAgent: request.headers['user-agent'] ?? '',
});
