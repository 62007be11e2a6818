/** The questions about the account, and the plan that would answer each. */
import { GUEST_MOCKUPS, type Plan, type PlanId, plans } from '@markwright/contract/words';
import type { AccountReason } from '@markwright/editor';

export interface AccountQuestion {
  readonly reason: AccountReason | 'banner';
  readonly title: string;
  readonly description: string;
}

/** Opens from the link in the banner. */
export const bannerQuestion: AccountQuestion = {
  reason: 'banner',
  title: 'Create an account for unlimited mockups',
  description: 'It takes an email address and a password. Your design stays as it is.',
};

/** Opens by itself when the free mockups are used up. */
export const usageLimitQuestion: AccountQuestion = {
  reason: 'mockups',
  title: 'Free mockups used up',
  description: `You've used all ${GUEST_MOCKUPS} free mockups this month. Create an account to go on. Mockups of text alone stay free.`,
};

/** Returns the smallest plan that allows more of what ran out; undefined on the largest. */
export function nextPlan(current: PlanId, reason: AccountQuestion['reason']): Plan | undefined {
  const counter = reason === 'png' || reason === 'mockups' ? 'mockups' : 'vectors';
  return Object.values(plans).find((plan) => plan[counter] > plans[current][counter]);
}
