import { billing, users } from '@markwright/contract';
import type { FastifyInstance } from 'fastify';
import { renewSession } from '../accounts/sessions.ts';
import { findGuestUsage, findUsage } from '../allowances/allowances.ts';
import type { Context } from '../platform/context.ts';
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

export function billingRoutes(app: FastifyInstance, context: Context): void {
  mount(app, context, users.stats, async ({ actor }) => ({
    ...(await findUsage(context, actor)),
    jwtToken: await renewSession(context, actor),
  }));
  mount(app, context, users.guestUsage, ({ actor }) => findGuestUsage(context, actor));

  mount(app, context, billing.createCheckoutSession, ({ actor, body }) => createCheckout(context, actor, body));
  mount(app, context, billing.verifySubscription, ({ actor, body }) =>
    verifySubscription(context, actor, body.sessionId),
  );
  mount(app, context, billing.refreshSubscription, ({ actor }) => refreshSubscription(context, actor));
  mount(app, context, billing.subscription, ({ actor }) => findMySubscription(context, actor));
  mount(app, context, billing.portal, ({ actor }) => openPortal(context, actor));

  mount(app, context, billing.testCheckout, ({ actor, params }) => findTestCheckout(context, actor, params.id));
  mount(app, context, billing.endTestCheckout, ({ actor, params, body }) =>
    endTestCheckout(context, actor, params.id, body.outcome),
  );
  mount(app, context, billing.changeTestSubscription, ({ actor, body }) =>
    changeTestSubscription(context, actor, body.change),
  );
  void app.register(async (scope) => webhookRoute(scope, context));
}

const MAX_NOTICE_BYTES = 64 * 1024;

/** Mounts the provider's webhook. The signature covers the raw bytes, so this scope parses nothing. */
function webhookRoute(scope: FastifyInstance, context: Context): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  scope.post('/api/stripe/webhook', { bodyLimit: MAX_NOTICE_BYTES }, async (request) => {
    const signature = request.headers['stripe-signature'];
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    await applyNotice(context, await context.payments.readNotice(body, typeof signature === 'string' ? signature : ''));
    return { received: true };
  });
}
