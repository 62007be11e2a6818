import { billing, users } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import { renewSession } from '../accounts/sessions.ts';
import { findGuestUsage, findUsage } from '../allowances/allowances.ts';
import type { Deps } from '../openContext.ts';
import { mount } from '../platform/mount.ts';
import {
  applyNotice,
  createCheckout,
  findMySubscription,
  openPortal,
  refreshSubscription,
  verifySubscription,
} from './subscriptions.ts';
import { changeTestSubscription, endTestCheckout, findTestCheckout } from './testCheckout.ts';

export function billingRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, users.stats, async ({ actor }) => ({
    ...(await findUsage(deps, actor)),
    jwtToken: await renewSession(deps, actor),
  }));
  mount(app, deps, users.guestUsage, ({ actor }) => findGuestUsage(deps, actor));

  mount(app, deps, billing.createCheckoutSession, ({ actor, body }) => createCheckout(deps, actor, body));
  mount(app, deps, billing.verifySubscription, ({ actor, body }) => verifySubscription(deps, actor, body.sessionId));
  mount(app, deps, billing.refreshSubscription, ({ actor }) => refreshSubscription(deps, actor));
  mount(app, deps, billing.subscription, ({ actor }) => findMySubscription(deps, actor));
  mount(app, deps, billing.portal, ({ actor }) => openPortal(deps, actor));

  mount(app, deps, billing.testCheckout, ({ actor, params }) => findTestCheckout(deps, actor, params.id));
  mount(app, deps, billing.endTestCheckout, ({ actor, params, body }) =>
    endTestCheckout(deps, actor, params.id, body.outcome),
  );
  mount(app, deps, billing.changeTestSubscription, ({ actor, body }) =>
    changeTestSubscription(deps, actor, body.change),
  );
  void app.register(async (scope) => webhookRoute(scope, deps));
}

const MAX_NOTICE_BYTES = 64 * 1024;

/** The signature is over the bytes as they came, so in this scope nothing parses them. */
function webhookRoute(scope: FastifyInstance, deps: Deps): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  scope.post('/api/stripe/webhook', { bodyLimit: MAX_NOTICE_BYTES }, async (request) => {
    const signature = request.headers['stripe-signature'];
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    await applyNotice(deps, await deps.payments.readNotice(body, typeof signature === 'string' ? signature : ''));
    return { received: true };
  });
}
