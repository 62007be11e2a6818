/** Leads from the choice of a plan to the page where it is paid. */
import { isPaidPlanId, messages, type PaidPlanId } from '@markwright/contract/words';
import { api } from '../../api.ts';
import type { useNavigate } from '../../navigation.tsx';
import { readCheckoutUrl } from './checkoutUrl.ts';

export interface Choice {
  readonly plan: PaidPlanId;
  /** The code from the waitlist; empty for the founding offer. */
  readonly code: string;
}

/** Creates a checkout and returns its address. Throws what the client throws. */
export async function startCheckout({ plan, code }: Choice): Promise<string> {
  const discountCode = code.trim() || undefined;
  return (await api.billing.createCheckoutSession({ body: { planId: plan, discountCode } })).url;
}

/** Opens an address from the server. Throws when it is neither on this site nor the payment provider's. */
export async function follow(url: string, navigate: ReturnType<typeof useNavigate>): Promise<void> {
  const target = readCheckoutUrl(url, location.origin);
  if (!target) throw new Error(messages.noCheckoutUrl);
  if ('page' in target) await navigate({ to: target.page });
  else location.assign(target.provider);
}

const KEY = 'chosenPlan';

/** Stores the plan that a guest chose before signing in, for this tab alone. */
export function storeChoice(choice: Choice): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(choice));
  } catch {
    // Without storage the plan is highlighted after signing in, and takes one more click.
  }
}

/** Returns the stored choice and deletes it. */
export function takeChoice(): Choice | undefined {
  try {
    const { plan, code } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
    sessionStorage.removeItem(KEY);
    return isPaidPlanId(plan) ? { plan, code: typeof code === 'string' ? code : '' } : undefined;
  } catch {
    return undefined;
  }
}
