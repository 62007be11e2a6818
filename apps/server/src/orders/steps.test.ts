import { ORDER_STATUSES, ORDER_STEPS, type OrderRole, PROOF_STATES } from '@markwright/contract';
import { expect, test } from 'vitest';
import { createRandom } from '../../test/campaign.ts';
import { isWaitingFor, mayAnswerProof, mayDownload, type OrderState, statusAfter, stepsFor } from './steps.ts';

const roles: readonly OrderRole[] = ['shop', 'maker'];
const everyState: OrderState[] = ORDER_STATUSES.flatMap((status) =>
  PROOF_STATES.flatMap((proof) => [true, false].map((hasMaker) => ({ status, proof, hasMaker }))),
);

test('2,000 orders with random steps follow the transitions of the diagram and end', () => {
  const lines = new Set(['new accepted', 'accepted made', 'made sent', 'new declined', 'accepted declined']);
  const ends = { sent: 0, declined: 0, open: 0 };
  for (let seed = 1; seed <= 2_000; seed++) {
    const random = createRandom(seed);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
    let order: OrderState = { status: 'new', proof: 'open', hasMaker: random() < 0.5 };
    let wasApproved = false;
    for (let turn = 0; turn < 30; turn++) {
      if (random() < 0.4) {
        if (!mayAnswerProof(order)) continue;
        order = { ...order, proof: pick(['approved', 'change']) };
        wasApproved ||= order.proof === 'approved';
        continue;
      }
      const role = pick(roles);
      const step = pick(ORDER_STEPS);
      if (!stepsFor(order, role).includes(step)) continue;
      const next = statusAfter(order, step);
      const isPassedOn = step === 'take' || (step === 'decline' && order.hasMaker);
      if (isPassedOn) expect(next).toBe('new');
      else expect(lines).toContain(`${order.status} ${next}`);
      if (step !== 'take') expect(role).toBe(order.hasMaker ? 'maker' : 'shop');
      order = { ...order, status: next, hasMaker: isPassedOn ? step === 'decline' && random() < 0.5 : order.hasMaker };
      if (['made', 'sent'].includes(next)) expect(order.proof).toBe('approved');
    }
    if (wasApproved) expect(order.proof).toBe('approved');
    ends[order.status === 'sent' || order.status === 'declined' ? order.status : 'open']++;
  }
  expect(Math.min(ends.sent, ends.declined)).toBeGreaterThan(100);
});

test('somebody can always act, until the order is over', () => {
  for (const order of everyState) {
    if (order.proof === 'approved' && ['sent', 'declined'].includes(order.status)) continue;
    const canGoOn = roles.some((role) => stepsFor(order, role).length > 0) || mayAnswerProof(order);
    expect(canGoOn, JSON.stringify(order)).toBe(!['sent', 'declined'].includes(order.status));
  }
});

test('only the maker may download the file, after acceptance and approval', () => {
  const downloads = everyState.flatMap((order) =>
    roles.filter((role) => mayDownload(order, role)).map((role) => ({ order, role })),
  );
  for (const { order, role } of downloads) {
    expect([order.proof, role]).toEqual(['approved', order.hasMaker ? 'maker' : 'shop']);
    expect(['accepted', 'made', 'sent']).toContain(order.status);
  }
  expect(downloads).toHaveLength(6);
});

test('an order waits for at most one party', () => {
  for (const order of everyState) {
    expect(roles.filter((role) => isWaitingFor(order, role)).length).toBeLessThan(2);
  }
});
