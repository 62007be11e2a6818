/** The server with real payments without Stripe: the official SDK against the local peer. */
import type { FastifyInstance } from 'fastify';
import { createStripePayments } from '../src/billing/stripePayments.ts';
import { createTestApp, type TestApp, type TestOptions } from './server.ts';
import { SECRET_KEY, type StripeEvent, type StripePeer, sign, startStripePeer, WEBHOOK_SECRET } from './stripePeer.ts';

export interface StripeApp {
  readonly server: TestApp;
  readonly peer: StripePeer;
  /** Sends an event to the webhook, signed now by default. */
  deliver(event: StripeEvent, signature?: string, app?: FastifyInstance): Promise<{ statusCode: number }>;
  close(): Promise<void>;
}

export async function createStripeApp(options: TestOptions = {}): Promise<StripeApp> {
  let server: TestApp | undefined;
  const now = (): Date => server?.context.now() ?? new Date();
  const peer = await startStripePeer({ now });
  const payments = await createStripePayments({
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    now,
    peer: peer.address,
  });
  const testApp = await createTestApp({ ...options, payments });
  server = testApp;
  return {
    server: testApp,
    peer,
    deliver: (event, signature, app = testApp.app) => {
      const payload = JSON.stringify(event);
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signature ?? sign(payload, now()),
      };
      return app.inject({ method: 'POST', url: '/api/stripe/webhook', payload, headers });
    },
    async close() {
      await testApp.close();
      await peer.close();
    },
  };
}
