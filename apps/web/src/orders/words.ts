/** The texts about orders that several pages show. */
import type { OrderDetail, OrderEvent, OrderedThing, OrderSummary } from '@markwright/contract/schemas';
import type { OrderStatus, ProofState } from '@markwright/contract/words';
import { formatMoney } from '../ui/money.ts';

export const statusWords: Record<OrderStatus, string> = {
  new: 'New',
  accepted: 'Accepted',
  made: 'Made',
  sent: 'Sent',
  declined: 'Declined',
};

/** Returns the tone of the badge for a status. */
export const toneOf = (status: OrderStatus) =>
  (({ new: 'accent', accepted: 'quiet', made: 'quiet', sent: 'good', declined: 'bad' }) as const)[status];

export const machineWords = {
  laser: 'Laser',
  uv: 'UV print',
  sublimation: 'Sublimation',
  dtf: 'DTF transfer',
} as const;

const MM_PER_INCH = 25.4;

/** Writes `76.2 × 50.8 mm (3 × 2 in)`. */
function sizeWords({ widthMm, heightMm }: { widthMm: number; heightMm: number }): string {
  const mm = (value: number) => Number(value.toFixed(1));
  const inches = (value: number) => Number((value / MM_PER_INCH).toFixed(2));
  return `${mm(widthMm)} × ${mm(heightMm)} mm (${inches(widthMm)} × ${inches(heightMm)} in)`;
}

type PriceParts = Pick<OrderSummary, 'quantity' | 'currency' | 'unitPriceCents' | 'totalCents'>;

/** Writes `3 × $12.50 = $37.50`. */
export function priceWords({ quantity, currency, unitPriceCents, totalCents }: PriceParts): string {
  if (unitPriceCents === null || totalCents === null) return 'Agreed on by mail';
  if (quantity === 1) return formatMoney(totalCents, currency);
  return `${quantity} × ${formatMoney(unitPriceCents, currency)} = ${formatMoney(totalCents, currency)}`;
}

export const totalWords = ({ currency, totalCents }: PriceParts): string =>
  totalCents === null ? 'by mail' : formatMoney(totalCents, currency);

/** Returns the parts of an order by name, each with its size. Several pictures are numbered. */
export function partsOf({
  area,
  design,
  otherDesigns = [],
  texts,
}: OrderedThing): readonly (readonly [name: string, size: string])[] {
  const pictures = design ? [design, ...otherDesigns] : [];
  return [
    ...pictures.map(
      (size, index) => [pictures.length > 1 ? `Picture ${index + 1}` : 'Picture', sizeWords(size)] as const,
    ),
    ...texts.map((text) => [`“${text.text.replace(/\s*\n\s*/g, ' / ')}” in ${text.font}`, sizeWords(text)] as const),
    ['Print area', sizeWords(area)],
  ];
}

export const proofWords: Record<ProofState, string> = {
  open: 'Waiting for the customer',
  approved: 'Approved',
  change: 'Change requested',
};

const actorNames = { customer: 'The customer', shop: 'The shop', maker: 'The maker', server: '' } as const;
const actionNames: Readonly<Record<string, string>> = {
  created: 'ordered it',
  accepted: 'accepted it',
  declined: 'declined it',
  made: 'made it',
  sent: 'sent it',
  taken: 'took it back',
  approved: 'approved the proof',
  change: 'asked for a change',
  file: 'took the production file',
};

/** Writes `The maker accepted it`. */
export function eventWords({ kind, actor }: OrderEvent): string {
  if (kind === 'routed') return 'It was given to a maker';
  if (kind === 'returned') return 'It came back to the shop';
  return `${actorNames[actor] || 'Somebody'} ${actionNames[kind] ?? kind}`;
}

/** Returns a sentence about the next step of this account. */
export function nextWords({ role, status, proof, steps, makerName, isWaiting }: OrderDetail): string {
  if (status === 'declined') return 'Declined. The customer was told.';
  if (status === 'sent') return 'Done: it is on its way.';
  if (!isWaiting && role === 'shop' && makerName) {
    return status === 'new' ? `Waits for ${makerName} to accept it.` : `${makerName} makes it.`;
  }
  if (status === 'new') return 'Accept it, or decline it.';
  if (status === 'made') return 'Send it, and say so here.';
  if (steps.includes('make')) return 'Approved: download the file and make it.';
  return proof === 'change'
    ? 'The customer asks for a change. Settle it with them: they approve this proof, or order anew.'
    : 'Nothing is made before the customer approves the proof.';
}
