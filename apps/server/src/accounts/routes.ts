import { apiKeyCalls, auth } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../platform/context.ts';
import { type CallContext, mount } from '../platform/mount.ts';
import { type AdoptGuest, completeSignIn, findMe, logIn, signUp, type Visitor } from './accounts.ts';
import { acceptInvitation, readInvitation } from './administrators.ts';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './apiKeys.ts';
import { readKnownDevices } from './knownDevices.ts';
import { changePassword, forgotPassword, resetPassword } from './passwordChange.ts';
import {
  confirmSecondFactor,
  disableSecondFactor,
  readSecondFactor,
  renewRecoveryCodes,
  setUpSecondFactor,
} from './secondFactor.ts';
import { endOtherSessions, endSession, listSessions, logOut } from './sessions.ts';
import { resendVerification, verifyEmail } from './verification.ts';

const ok = { ok: true } as const;

export function accountRoutes(app: FastifyInstance, context: Context, adopt: AdoptGuest): void {
  mount(app, context, auth.signup, (call) => signUp(context, toVisitor(context, call), call.body, adopt));
  mount(app, context, auth.login, (call) => logIn(context, toVisitor(context, call), call.body, adopt));
  mount(app, context, auth.completeLogin, (call) =>
    completeSignIn(context, toVisitor(context, call), call.body, adopt),
  );
  mount(app, context, auth.me, ({ actor }) => findMe(context, actor));
  mount(app, context, auth.logout, async ({ actor }) => {
    await logOut(context, actor);
    return ok;
  });

  mount(app, context, auth.changePassword, ({ actor, body }) => changePassword(context, actor, body));
  mount(app, context, auth.forgotPassword, (call) =>
    forgotPassword(context, toVisitor(context, call), call.body.email),
  );
  mount(app, context, auth.resetPassword, (call) => resetPassword(context, toVisitor(context, call), call.body));
  mount(app, context, auth.verifyEmail, (call) => verifyEmail(context, toVisitor(context, call), call.body.token));
  mount(app, context, auth.resendVerification, ({ actor }) => resendVerification(context, actor));

  mount(app, context, auth.secondFactor, ({ actor }) => readSecondFactor(context, actor));
  mount(app, context, auth.setUpSecondFactor, ({ actor, body }) => setUpSecondFactor(context, actor, body.password));
  mount(app, context, auth.confirmSecondFactor, ({ actor, body }) => confirmSecondFactor(context, actor, body.code));
  mount(app, context, auth.renewRecoveryCodes, ({ actor, body }) => renewRecoveryCodes(context, actor, body));
  mount(app, context, auth.disableSecondFactor, ({ actor, body }) => disableSecondFactor(context, actor, body));

  mount(app, context, auth.invitation, ({ visitor, body }) => readInvitation(context, visitor, body.token));
  mount(app, context, auth.acceptInvitation, ({ actor, body }) => acceptInvitation(context, actor, body.token));

  mount(app, context, auth.sessions, ({ actor }) => listSessions(context, actor));
  mount(app, context, auth.endSession, async ({ actor, params }) => {
    await endSession(context, actor, params.id);
    return ok;
  });
  mount(app, context, auth.endOtherSessions, ({ actor }) => endOtherSessions(context, actor));

  mount(app, context, apiKeyCalls.list, ({ actor }) => listApiKeys(context, actor));
  mount(app, context, apiKeyCalls.create, ({ actor, body }) => createApiKey(context, actor, body));
  mount(app, context, apiKeyCalls.rotate, ({ actor, params, body }) => rotateApiKey(context, actor, params.id, body));
  mount(app, context, apiKeyCalls.revoke, ({ actor, params }) => revokeApiKey(context, actor, params.id));
}

const toVisitor = (
  context: Context,
  { visitor, request, reply }: Pick<CallContext<typeof auth.login>, 'visitor' | 'request' | 'reply'>,
): Visitor => ({
  ...visitor,
  userAgent: request.headers['user-agent'] ?? '',
  devices: readKnownDevices(context, request, reply),
});
