/**
 * The pages of the test checkout, while no payment provider is set up. An action there takes effect immediately, as
 * after a webhook.
 */
import { messages, type Subscription, type TestCheckout, type TestOutcome } from '@markwright/contract';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { UserActor } from '../platform/mount.ts';
import type { Payments } from '../platform/ports/payments.ts';
import { findMySubscription, syncSubscription } from './subscriptions.ts';
import type { TestChange, TestPayments } from './testPayments.ts';

/** Returns what an open checkout would charge. Throws notFound for one that is not the account's. */
export async function findTestCheckout(context: Context, actor: UserActor, id: string): Promise<TestCheckout> {
  const checkout = await getTestPayments(context).findTestCheckout(actor.id, id);
  if (!checkout) throw new AppError('notFound', 'This checkout is not known.');
  return { ...checkout, email: actor.email };
}

/** Pays, declines or cancels a checkout and returns the address to go on at. */
export async function endTestCheckout(
  context: Context,
  actor: UserActor,
  id: string,
  outcome: TestOutcome,
): Promise<{ url: string }> {
  const url = await getTestPayments(context).endTestCheckout(actor.id, id, outcome);
  await syncOwn(context, actor);
  return { url };
}

/** Does what a provider's portal and calendar would do. Throws conflict without a running subscription. */
export async function changeTestSubscription(
  context: Context,
  actor: UserActor,
  change: TestChange,
): Promise<Subscription> {
  await getTestPayments(context).changeTestSubscription(actor.id, change);
  await syncOwn(context, actor);
  return findMySubscription(context, actor);
}

/** Returns the test payments. Throws notFound where there are none. */
function getTestPayments({ payments }: Context): TestPayments {
  if (payments.kind === 'none') throw new AppError('notFound', messages.paymentsNotSetUp);
  if (!isTest(payments)) throw new AppError('notFound', 'Payments are real here: there is no test checkout.');
  return payments;
}

const isTest = (payments: Payments): payments is TestPayments => payments.kind === 'test';

async function syncOwn(context: Context, actor: UserActor): Promise<void> {
  const customerId = await context.payments.ensureCustomer({ userId: actor.id, email: actor.email }, undefined);
  await syncSubscription(context, { userId: actor.id, customerId });
}
