/** The states and steps of an order. */

export const ORDER_STATUSES = ['new', 'accepted', 'made', 'sent', 'declined'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];
/**
 * The steps that shop and maker can take. With `take` the shop takes the order back from a maker and makes it itself.
 */
export const ORDER_STEPS = ['accept', 'decline', 'make', 'send', 'take'] as const;
export type OrderStep = (typeof ORDER_STEPS)[number];
/** The customer's last answer to the proof. */
export const PROOF_STATES = ['open', 'approved', 'change'] as const;
export type ProofState = (typeof PROOF_STATES)[number];
/** The role in which an account sees an order. */
export const ORDER_ROLES = ['shop', 'maker'] as const;
export type OrderRole = (typeof ORDER_ROLES)[number];
/** The most orders that are made together. */
export const MAX_TOGETHER = 100;
/** The longest note on an order, in characters. */
export const MAX_ORDER_WORDS = 2_000;
