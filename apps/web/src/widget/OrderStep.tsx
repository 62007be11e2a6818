/**
 * The order as a step of its own, without an account: what the machine could not make, how the shop reaches the
 * customer, and what happens once the order is placed. It stays mounted while the customer goes back to the design, so
 * that nothing they wrote is lost.
 */
import type {
  CallReply,
  OfferedProduct,
  orderCalls,
  SavedDesign,
  Town,
  WidgetShop,
} from '@markwright/contract/schemas';
import { Button, Field, TextArea, TextInput } from '@markwright/controls';
import { newId } from '@markwright/editor';
import { type ComponentProps, useCallback, useEffect, useId, useRef, useState } from 'react';
import { TownField } from '../makers/TownField.tsx';
import { Problem } from '../ui/Problem.tsx';
import { useForm } from '../ui/useForm.ts';
import type { EditorApi } from './editorApi.ts';
import { FindingList, type OrderCheck, useOrderCheck } from './OrderFindings.tsx';
import { formatPrice } from './price.ts';
import { Price, Quantity } from './Quantity.tsx';
import type { PiecesPart } from './usePieces.tsx';

export type OrderReceipt = CallReply<typeof orderCalls.place>;

export interface OrderStepProps {
  readonly api: EditorApi;
  readonly shop: WidgetShop;
  readonly shopKey: string;
  readonly product: OfferedProduct;
  readonly quantity: number;
  /** Different words on each piece. */
  readonly pieces: PiecesPart;
  onQuantity(quantity: number): void;
  readonly isShown: boolean;
  /** Saves what is on the stage. Rejects with a sentence. */
  save(): Promise<SavedDesign>;
  onPlaced(receipt: OrderReceipt): void;
  /** Returns to the design, which keeps the form; once the order is placed, the next one is another. */
  onBack(isPlaced: boolean): void;
}

export function OrderStep(props: OrderStepProps) {
  const { isShown, onPlaced, onBack } = props;
  const [receipt, setReceipt] = useState<OrderReceipt>();
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const check = useOrderCheck(isShown && receipt === undefined);
  // The heading is another one once the order is placed.
  useEffect(() => {
    if (isShown) heading.current?.focus();
  }, [isShown, receipt]);

  return (
    <section aria-labelledby={headingId} className="px-4 pb-5 md:pt-1">
      <div className="sticky top-0 z-10 -mx-4 flex min-h-14 items-center gap-1 border-line border-b bg-paper px-2">
        <Button size="lg" variant="ghost" icon="arrowLeft" onClick={() => onBack(receipt !== undefined)}>
          {receipt ? 'Go on designing' : 'Back to the design'}
        </Button>
      </div>
      <h2 ref={heading} id={headingId} tabIndex={-1} className="mt-4 text-xl outline-none [overflow-wrap:anywhere]">
        {receipt ? `Order ${receipt.number} is placed` : 'Your order'}
      </h2>
      {receipt ? (
        <Receipt {...receipt} />
      ) : (
        <OrderForm
          {...props}
          check={check}
          onPlaced={(next) => {
            setReceipt(next);
            onPlaced(next);
          }}
        />
      )}
    </section>
  );
}

/** What happens after the order, in its order. */
function Receipt({ email, shopName, totalCents, currency }: OrderReceipt) {
  const steps = [
    `A mail to ${email} brings the proof: look at it and approve it.`,
    `${shopName || 'The shop'} has it made once you have approved it.${totalCents === null ? '' : ` The total is ${formatPrice(totalCents, currency)}.`}`,
    'You hear by mail when it is on its way.',
  ];
  return (
    <ol className="mt-3 grid gap-3">
      {steps.map((words, i) => (
        <li key={words} className="grid grid-cols-[24px_minmax(0,1fr)] gap-x-3 text-sm">
          <span
            aria-hidden="true"
            className="measure grid size-6 place-items-center rounded-full border border-edge text-graphite"
          >
            {i + 1}
          </span>
          <span className="pt-0.5 [overflow-wrap:anywhere]">{words}</span>
        </li>
      ))}
    </ol>
  );
}

function OrderForm({ check, ...props }: OrderStepProps & { readonly check: OrderCheck }) {
  const { api, shop, shopKey, product, quantity, pieces, isShown, onQuantity, save, onPlaced } = props;
  // Sent again after a lost answer, it is the same order.
  const [key] = useState(newId);
  const [town, setTown] = useState<Town | null>(null);
  const searchTowns = useCallback(
    (q: string, signal: AbortSignal) => api.makers.places({ query: { q } }, { signal }),
    [api],
  );
  const { formProps, errors, isBusy } = useForm({
    names: ['asItIs', 'name', 'email', 'phone', 'address', 'note'],
    async submit({ asItIs: _asItIs, ...contact }, form) {
      if (pieces.problem !== undefined) return { form: pieces.problem };
      const findings = await check.settle();
      const tick = form.elements.namedItem('asItIs');
      if (findings.length > 0 && !(tick instanceof HTMLInputElement && tick.checked)) {
        return { asItIs: 'Change what was found, or tick this.' };
      }
      try {
        // Saved again with each try: it may have changed since the first.
        const { designId, line } = await save();
        const body = { key, shop: shopKey, designId, quantity, pieces: line.pieces, contact, place: town };
        onPlaced(await api.orders.place({ body }));
        return undefined;
      } catch (error) {
        return {
          form: error instanceof Error && error.message ? error.message : 'Your order was not sent. Please try again.',
        };
      }
    },
  });

  return (
    <>
      <p className="mt-1 text-sm [overflow-wrap:anywhere]">{product.name}</p>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
        <Quantity value={quantity} max={pieces.max} onChange={onQuantity} />
        <Price product={product} currency={shop.currency} quantity={quantity} />
      </div>
      <div className="mt-3 grid gap-3">
        {pieces.control}
        {isShown && pieces.table}
      </div>
      <form {...formProps} noValidate={false} aria-label="Your order" className="mt-4 grid gap-3">
        <FindingList check={check} error={errors.asItIs} />
        <Input label="Name" name="name" autoComplete="name" required maxLength={120} />
        <Input label="Email" name="email" type="email" autoComplete="email" required maxLength={300} />
        <Input label="Phone (optional)" name="phone" type="tel" autoComplete="tel" maxLength={40} />
        <Input label="Address to send it to" name="address" autoComplete="street-address" maxLength={500} />
        <TownField
          label="Your town (optional)"
          hint="Where the shop works with local makers, it is made near you."
          search={searchTowns}
          value={town}
          onChange={setTown}
        />
        <Field label="A note for the maker">
          {(control) => <TextArea {...control} name="note" rows={2} maxLength={2000} />}
        </Field>
        <Problem>{errors.form}</Problem>
        <Button type="submit" variant="primary" size="lg" isBusy={isBusy} className="mt-1 w-full">
          Place order
        </Button>
        <p className="text-graphite text-xs">
          Nothing is made before you have seen the proof and approved it. It comes by mail.
        </p>
      </form>
    </>
  );
}

function Input({ label, ...rest }: { label: string } & ComponentProps<'input'>) {
  return <Field label={label}>{(control) => <TextInput {...control} {...rest} />}</Field>;
}
