/** The quantity, the price, and the buttons that take the design along: add to cart, order, or save under a link. */
import type { OfferedProduct, SavedDesign, WidgetShop } from '@markwright/contract/schemas';
import { MAX_QUANTITY } from '@markwright/contract/words';
import { Button, IconButton, NumberField } from '@markwright/controls';
import { useDesignState, useEditorState } from '@markwright/editor';
import { hasContent } from '@markwright/scene';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { WidgetAddress } from './address.ts';
import type { EditorApi } from './editorApi.ts';
import type { Host } from './hostPage.ts';
import { OrderForm } from './OrderForm.tsx';
import { formatPrice } from './price.ts';

export interface CheckoutBarProps {
  readonly address: WidgetAddress;
  readonly api: EditorApi;
  readonly shop: WidgetShop | null;
  readonly product: OfferedProduct | undefined;
  readonly quantity: number;
  onQuantity(quantity: number): void;
  /** Saves what is on the stage. Rejects with a sentence. */
  save(): Promise<SavedDesign>;
  readonly host: Host | undefined;
}

type State =
  | { readonly step: 'ready' | 'saving' | 'ordering' }
  | { readonly step: 'added' }
  | { readonly step: 'saved'; readonly design: SavedDesign }
  | { readonly step: 'failed'; readonly message: string };

export function CheckoutBar({ address, api, shop, product, quantity, onQuantity, save, host }: CheckoutBarProps) {
  const composition = useEditorState((state) => state.composition);
  const isBusyPicture = useDesignState(
    ({ status, job }) => status === 'uploading' || (job !== undefined && job !== 'store'),
  );
  const [state, setState] = useState<State>({ step: 'ready' });
  const [lastComposition, setLastComposition] = useState(composition);
  // Messages about the design before it changed are out of date.
  if (lastComposition !== composition) {
    setLastComposition(composition);
    if (state.step === 'added' || state.step === 'saved' || state.step === 'failed') setState({ step: 'ready' });
  }
  if (!product) return null;

  const isEmpty = !hasContent(composition);
  const isWaiting = isEmpty || isBusyPicture || state.step === 'saving';
  const take = async (then: (design: SavedDesign) => State) => {
    setState({ step: 'saving' });
    try {
      setState(then(await save()));
    } catch (error) {
      const message =
        error instanceof Error && error.message ? error.message : 'Something went wrong. Please try again.';
      setState({ step: 'failed', message });
      host?.send({ type: 'error', message });
    }
  };
  const addToCart = () =>
    take((design) => {
      host?.send({ type: 'add-to-cart', ...design });
      return { step: 'added' };
    });
  const keep = () => take((design) => ({ step: 'saved', design }));
  const isOrdered = shop?.checkout === true && address.shop !== undefined;

  return (
    <section aria-label="Take it along" className="border-line border-t bg-paper px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Quantity value={quantity} onChange={onQuantity} />
        <Price product={product} currency={shop?.currency} quantity={quantity} />
        <div className="ml-auto flex flex-wrap items-center gap-2 max-sm:w-full max-sm:*:flex-1">
          {host && (
            <Button
              variant="primary"
              size="lg"
              disabled={isWaiting}
              isBusy={state.step === 'saving'}
              onClick={addToCart}
            >
              Add to cart
            </Button>
          )}
          {isOrdered && (
            <Button
              variant={host ? 'secondary' : 'primary'}
              size="lg"
              disabled={isWaiting}
              onClick={() => setState({ step: 'ordering' })}
            >
              Order
            </Button>
          )}
          {!host && (
            <Button
              variant={isOrdered ? 'secondary' : 'primary'}
              size="lg"
              disabled={isWaiting}
              isBusy={state.step === 'saving'}
              onClick={keep}
            >
              Save design
            </Button>
          )}
        </div>
      </div>
      <div aria-live="polite">
        {isEmpty && <Note>Add a picture or a text first.</Note>}
        {!isEmpty && isBusyPicture && <Note>The picture is being prepared.</Note>}
        {state.step === 'added' && <Note>Added to the cart. You can go on with another one.</Note>}
        {state.step === 'saved' && <SavedNote design={state.design} shop={address.shop} />}
      </div>
      {state.step === 'failed' && (
        <p role="alert" className="mt-2 text-danger text-sm">
          {state.message}
        </p>
      )}
      {state.step === 'ordering' && address.shop !== undefined && (
        <OrderForm
          api={api}
          shopKey={address.shop}
          quantity={quantity}
          save={save}
          onClose={() => setState({ step: 'ready' })}
        />
      )}
    </section>
  );
}

const Note = ({ children }: { children: ReactNode }) => <p className="mt-2 text-graphite text-sm">{children}</p>;

function Quantity({ value, onChange }: { value: number; onChange(value: number): void }) {
  return (
    <div className="flex items-center gap-1">
      <IconButton icon="minus" label="One less" disabled={value <= 1} onClick={() => onChange(value - 1)} />
      <NumberField
        label="Quantity"
        value={value}
        min={1}
        max={MAX_QUANTITY}
        onCommit={onChange}
        className="h-8! w-14"
      />
      <IconButton icon="plus" label="One more" disabled={value >= MAX_QUANTITY} onClick={() => onChange(value + 1)} />
    </div>
  );
}

function Price({
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

const COPIED_MS = 2000;

/** A picture of what was saved, and the address that opens it again. */
function SavedNote({ design: { designId, previewUrl }, shop }: { design: SavedDesign; shop: string | undefined }) {
  const link = `${location.origin}/widget?${new URLSearchParams({ ...(shop && { shop }), design: designId })}`;
  const [isCopied, setCopied] = useState(false);
  const card = useRef<HTMLDivElement>(null);
  // On a phone it comes below what is seen.
  useEffect(() => card.current?.scrollIntoView({ block: 'nearest' }), []);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <div ref={card} className="mt-3 flex scroll-my-3 items-center gap-3 rounded-card border border-line p-3">
      <img
        src={previewUrl}
        alt="The saved design"
        className="size-16 shrink-0 rounded-control bg-bone object-contain"
      />
      <div className="min-w-0 flex-1">
        <p className="font-medium text-sm">Saved. Come back to it by its link.</p>
        <div className="mt-1 flex items-center gap-2">
          <input
            readOnly
            aria-label="Link to the design"
            value={link}
            onFocus={(event) => event.target.select()}
            className="h-8 w-full min-w-0 rounded-control border border-edge bg-paper px-2 text-graphite text-xs pointer-coarse:h-10"
          />
          <Button
            onClick={() => {
              // A frame may have no clipboard: the link stands there to be copied by hand.
              navigator.clipboard?.writeText(link).then(
                () => setCopied(true),
                () => undefined,
              );
            }}
          >
            {isCopied ? 'Copied!' : 'Copy'}
          </Button>
        </div>
      </div>
    </div>
  );
}
