/**
 * What may become of an order, and by whom.
 *
 *     new ──accept──▶ accepted ──make──▶ made ──send──▶ sent
 *      └───decline───────┴──▶ declined
 *
 * Who makes it does all of this: the maker it was given to, or the shop itself where there is none. `make` waits for
 * the
 * customer's approval, and so does the production file. An approved order is not declined any more. When a maker
 * declines, the order
 * is not over: it goes to the next one, or back to the shop, as new. The shop may take it back until it is approved
 * and accepted.
 */
import type { OrderRole, OrderStatus, OrderStep, ProofState } from '@markwright/contract';

export interface OrderState {
  readonly status: OrderStatus;
  readonly proof: ProofState;
  /** It was given to a maker. */
  readonly hasMaker: boolean;
}

const isMaking = ({ hasMaker }: OrderState, role: OrderRole): boolean => role === (hasMaker ? 'maker' : 'shop');

/** The steps somebody may take with an order as it is. */
export function stepsFor(order: OrderState, role: OrderRole): OrderStep[] {
  const { status, proof, hasMaker } = order;
  const mayDrop = status === 'new' || (status === 'accepted' && proof !== 'approved');
  const steps: OrderStep[] = [];
  if (isMaking(order, role)) {
    if (status === 'new') steps.push('accept');
    if (status === 'accepted' && proof === 'approved') steps.push('make');
    if (status === 'made') steps.push('send');
    if (mayDrop) steps.push('decline');
  }
  if (role === 'shop' && hasMaker && mayDrop) steps.push('take');
  return steps;
}

/** The status a step leads to. */
export function statusAfter({ hasMaker }: OrderState, step: OrderStep): OrderStatus {
  switch (step) {
    case 'accept':
      return 'accepted';
    case 'make':
      return 'made';
    case 'send':
      return 'sent';
    case 'take':
      return 'new';
    case 'decline':
      return hasMaker ? 'new' : 'declined';
  }
}

/** The customer answers the proof until something is made; an approval stands. */
export const mayAnswerProof = ({ status, proof }: OrderState): boolean =>
  proof !== 'approved' && (status === 'new' || status === 'accepted');

/** The production file is for who makes it, once they accepted and the customer approved. */
export const mayDownload = (order: OrderState, role: OrderRole): boolean =>
  isMaking(order, role) && order.proof === 'approved' && ['accepted', 'made', 'sent'].includes(order.status);

/** True when the order waits for this role. */
export const isWaitingFor = (order: OrderState, role: OrderRole): boolean =>
  isMaking(order, role) &&
  stepsFor(order, role).some((step) => step === 'accept' || step === 'make' || step === 'send');
