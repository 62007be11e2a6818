/** From a choice to the page where it is paid. */
import { isPaidPlanId, messages, type PaidPlanId } from '@markwright/contract/words';
import type { useNavigate } from '@tanstack/react-router';
import { api } from '../../api.ts';
import { readCheckoutUrl } from './checkoutUrl.ts';

export interface Choice {
  readonly plan: PaidPlanId;
  /** From the waitlist; empty for the founding offer. */
  readonly code: string;
}

/** Starts paying and gives the address to go on at. Throws what the client throws. */
export async function startCheckout({ plan, code }: Choice): Promise<string> {
  const discountCode = code.trim() || undefined;
  return (await api.billing.createCheckoutSession({ body: { planId: plan, discountCode } })).url;
}

/** Leads the browser to an address the server gave. Throws when it is neither ours nor the payment provider's. */
export async function follow(url: string, navigate: ReturnType<typeof useNavigate>): Promise<void> {
  const target = readCheckoutUrl(url, location.origin);
  if (!target) throw new Error(messages.noCheckoutUrl);
  if ('page' in target) await navigate({ href: target.page });
  else location.assign(target.provider);
}

const KEY = 'chosenPlan';

/** The plan a visitor chose before signing in, stored for this tab alone. */
export function keepChoice(choice: Choice): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(choice));
  } catch {
    // No storage: the plan is marked when the person is back, and takes one more click.
  }
}

/** The kept choice, once. */
export function takeChoice(): Choice | undefined {
  try {
    const { plan, code } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
    sessionStorage.removeItem(KEY);
    return isPaidPlanId(plan) ? { plan, code: typeof code === 'string' ? code : '' } : undefined;
  } catch {
    return undefined;
  }
}
