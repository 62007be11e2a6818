/** An order without an account: how the shop reaches the customer, and what goes with it. */
import type { CallReply, orderCalls, SavedDesign, Town } from '@markwright/contract/schemas';
import { Button, Field, TextArea, TextInput } from '@markwright/controls';
import { newId } from '@markwright/editor';
import { type ComponentProps, useCallback, useEffect, useId, useRef, useState } from 'react';
import { TownField } from '../makers/TownField.tsx';
import { useForm } from '../ui/useForm.ts';
import type { EditorApi } from './editorApi.ts';
import { formatPrice } from './price.ts';

export interface OrderFormProps {
  readonly api: EditorApi;
  readonly shopKey: string;
  readonly quantity: number;
  /** Saves what is on the stage. Rejects with a sentence. */
  save(): Promise<SavedDesign>;
  onClose(): void;
}

type OrderReceipt = CallReply<typeof orderCalls.place>;

export function OrderForm({ api, shopKey, quantity, save, onClose }: OrderFormProps) {
  const [receipt, setReceipt] = useState<OrderReceipt>();
  // Sent again after a lost answer, it is the same order.
  const [key] = useState(newId);
  const [town, setTown] = useState<Town | null>(null);
  const searchTowns = useCallback(
    (q: string, signal: AbortSignal) => api.makers.places({ query: { q } }, { signal }),
    [api],
  );
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  // The heading is another one once the order is placed.
  useEffect(() => heading.current?.focus(), [receipt]);

  const { formProps, errors, isBusy } = useForm({
    names: ['name', 'email', 'phone', 'address', 'note'],
    async submit(contact) {
      try {
        // Saved again with each try: it may have changed since the first.
        const { designId } = await save();
        const body = { key, shop: shopKey, designId, quantity, contact, place: town };
        setReceipt(await api.orders.place({ body }));
        return undefined;
      } catch (error) {
        return { form: error instanceof Error && error.message ? error.message : 'The order did not go out.' };
      }
    },
  });

  if (receipt) {
    return (
      <div className="mt-4 border-success border-l-2 pl-3">
        <h2 ref={heading} tabIndex={-1} className="text-base outline-none">
          Order {receipt.number} is placed
        </h2>
        <ol className="mt-1 grid list-decimal gap-0.5 pl-5 text-graphite text-sm">
          <li>A mail to {receipt.email} brings the proof: look at it and approve it.</li>
          <li>
            {receipt.shopName || 'The shop'} has it made, and not before.
            {receipt.totalCents !== null && ` The total is ${formatPrice(receipt.totalCents, receipt.currency)}.`}
          </li>
          <li>You hear by mail when it is on its way.</li>
        </ol>
        <Button className="mt-3" onClick={onClose}>
          Go on designing
        </Button>
      </div>
    );
  }
  return (
    <form
      {...formProps}
      noValidate={false}
      aria-labelledby={headingId}
      className="mt-4 grid gap-3 border-line border-t pt-4 sm:grid-cols-2"
    >
      <h2 ref={heading} id={headingId} tabIndex={-1} className="text-base outline-none sm:col-span-2">
        Your order
      </h2>
      <Input label="Name" name="name" autoComplete="name" required maxLength={120} />
      <Input label="Email" name="email" type="email" autoComplete="email" required maxLength={300} />
      <Input label="Phone, if you like" name="phone" type="tel" autoComplete="tel" maxLength={40} />
      <Input label="Address to send it to" name="address" autoComplete="street-address" maxLength={500} />
      <TownField
        label="Your town, if you like"
        hint="Where the shop works with local makers, it is made near you."
        search={searchTowns}
        value={town}
        onChange={setTown}
        className="sm:col-span-2"
      />
      <Field label="A note for the maker" className="sm:col-span-2">
        {(control) => <TextArea {...control} name="note" rows={2} maxLength={2000} />}
      </Field>
      {errors.form && (
        <p role="alert" className="text-danger text-sm sm:col-span-2">
          {errors.form}
        </p>
      )}
      <div className="flex flex-wrap gap-2 sm:col-span-2">
        <Button type="submit" variant="primary" size="lg" isBusy={isBusy}>
          Place order
        </Button>
        <Button size="lg" onClick={onClose}>
          Not yet
        </Button>
      </div>
    </form>
  );
}

function Input({ label, ...rest }: { label: string } & ComponentProps<'input'>) {
  return <Field label={label}>{(control) => <TextInput {...control} {...rest} />}</Field>;
}
