/** How many, and what they cost. */
import type { OfferedProduct } from '@markwright/contract/schemas';
import { MAX_QUANTITY } from '@markwright/contract/words';
import { IconButton, NumberField } from '@markwright/controls';
import { formatPrice } from './price.ts';

interface QuantityProps {
  readonly value: number;
  readonly max?: number;
  onChange(value: number): void;
}

export function Quantity({ value, max = MAX_QUANTITY, onChange }: QuantityProps) {
  return (
    <div className="flex items-center gap-1">
      <IconButton icon="minus" label="One less" disabled={value <= 1} onClick={() => onChange(value - 1)} />
      <NumberField label="Quantity" value={value} min={1} max={max} onCommit={onChange} className="h-8! w-14" />
      <IconButton icon="plus" label="One more" disabled={value >= max} onClick={() => onChange(value + 1)} />
    </div>
  );
}

export function Price({
  product: { unitPriceCents },
  currency,
  quantity,
}: {
  product: OfferedProduct;
  currency: string | undefined;
  quantity: number;
}) {
  if (unitPriceCents === null || currency === undefined) return null;
  return (
    <p className="text-base tabular-nums">
      <span className="font-semibold">{formatPrice(unitPriceCents * quantity, currency)}</span>
      {quantity > 1 && <span className="ml-2 text-graphite text-sm">{formatPrice(unitPriceCents, currency)} each</span>}
    </p>
  );
}
