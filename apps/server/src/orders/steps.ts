/**
 * The state machine of an order: its statuses, and the steps that each role may take.
 *
 *     new ──accept──▶ accepted ──make──▶ made ──send──▶ sent
 *      └───decline───────┴──▶ declined
 *
 * The maker takes all of these steps: the maker the order was routed to, or the shop itself where there is none. `make`
 * and the production file need the customer's approval. An approved order cannot be declined any more. When a maker
 * declines, the order is not over: it goes to the next maker, or back to the shop, as new. The shop may take it back
 * until it is approved and accepted.
 */
import type { OrderRole, OrderStatus, OrderStep, ProofState } from '@markwright/contract';

/** The part of an order that decides which steps are allowed. */
export interface OrderState {
  readonly status: OrderStatus;
  readonly proof: ProofState;
  /** True when the order was routed to a maker. */
  readonly hasMaker: boolean;
}

const isMaking = ({ hasMaker }: OrderState, role: OrderRole): boolean => role === (hasMaker ? 'maker' : 'shop');

/** Returns the steps that a role may take with an order in this state. */
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

/** Returns the status that a step leads to. */
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

/** True while the customer may answer the proof: until something is made. An approval is final. */
export const mayAnswerProof = ({ status, proof }: OrderState): boolean =>
  proof !== 'approved' && (status === 'new' || status === 'accepted');

/** True for the maker of an accepted order, once the customer has approved: they may download the production file. */
export const mayDownload = (order: OrderState, role: OrderRole): boolean =>
  isMaking(order, role) && order.proof === 'approved' && ['accepted', 'made', 'sent'].includes(order.status);

/** True when the order waits for this role. */
export const isWaitingFor = (order: OrderState, role: OrderRole): boolean =>
  isMaking(order, role) &&
  stepsFor(order, role).some((step) => step === 'accept' || step === 'make' || step === 'send');
