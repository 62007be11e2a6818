/** The quantity, the price, and the buttons that take the design along: add to cart, order, or save under a link. */
import type { OfferedProduct, SavedDesign, WidgetShop } from '@markwright/contract/schemas';
import { Button } from '@markwright/controls';
import { useDesignState, useEditorState } from '@markwright/editor';
import { hasContent } from '@markwright/scene';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Problem } from '../ui/Problem.tsx';
import type { WidgetAddress } from './address.ts';
import type { Host } from './hostPage.ts';
import type { OrderReceipt } from './OrderStep.tsx';
import { Price, Quantity } from './Quantity.tsx';
import type { PiecesPart } from './usePieces.tsx';

export interface CheckoutBarProps {
  readonly address: WidgetAddress;
  readonly shop: WidgetShop | null;
  readonly product: OfferedProduct | undefined;
  readonly quantity: number;
  /** Different words on each piece. */
  readonly pieces: PiecesPart;
  onQuantity(quantity: number): void;
  /** Saves what is on the stage. Rejects with a sentence. */
  save(): Promise<SavedDesign>;
  readonly host: Host | undefined;
  /** The order of the design as it is on the stage. */
  readonly receipt: OrderReceipt | undefined;
  /** Opens the order; absent where the shop takes none here. */
  readonly onOrder: (() => void) | undefined;
  /** True while the order is open beside the stage, with quantity, price and buttons of its own. */
  readonly isOrdering: boolean;
  /** The place beside the stage for what was saved; where the stage has a height of its own, it stands in the bar. */
  readonly aside: HTMLElement | null;
}

type State =
  | { readonly step: 'ready' | 'saving' }
  | { readonly step: 'added' }
  | { readonly step: 'saved'; readonly design: SavedDesign }
  | { readonly step: 'failed'; readonly message: string };

export function CheckoutBar(props: CheckoutBarProps) {
  const { address, shop, product, quantity, pieces, onQuantity, save, host, receipt, onOrder, isOrdering, aside } =
    props;
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
  const bar = useRef<HTMLElement>(null);
  const wasOrdering = useRef(isOrdering);
  useEffect(() => {
    // Whoever comes back from the order stands where they left.
    if (wasOrdering.current && !isOrdering) bar.current?.querySelector<HTMLElement>('[data-order]')?.focus();
    wasOrdering.current = isOrdering;
  }, [isOrdering]);
  if (!product) return null;

  const isEmpty = !hasContent(composition);
  const isWaiting = isEmpty || isBusyPicture || pieces.problem !== undefined || state.step === 'saving';
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
  const savedNote = state.step === 'saved' && <SavedNote design={state.design} shop={address.shop} />;
  const note =
    (isEmpty && 'Add a picture or a text first.') ||
    (isBusyPicture && 'The picture is being prepared.') ||
    pieces.problem ||
    (state.step === 'added' && 'Added to the cart. You can go on with another one.') ||
    (receipt && `Order ${receipt.number} is placed. The proof comes by mail to ${receipt.email}.`);
  const mayOrder = onOrder !== undefined && receipt === undefined;
  // As high as the bar with its buttons, so that the stage keeps its size. A phone shows the order alone.
  if (isOrdering) {
    return (
      <p className="flex min-h-[65px] items-center pointer-coarse:min-h-[69px] border-line border-t bg-paper px-4 text-graphite text-sm max-md:hidden">
        {receipt
          ? `Order ${receipt.number} is placed.`
          : product?.templateId === undefined
            ? 'It is ordered as it stands here: you can still move and change it.'
            : 'It is ordered as it stands here.'}
      </p>
    );
  }

  return (
    <section ref={bar} aria-label="Take it along" className="border-line border-t bg-paper px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Quantity value={quantity} max={pieces.max} onChange={onQuantity} />
        {pieces.control}
        <Price product={product} currency={shop?.currency} quantity={quantity} />
        {/* In the line of the buttons, so that the stage above keeps its size when this goes. */}
        <p aria-live="polite" className="min-w-40 flex-1 text-graphite text-sm max-sm:w-full empty:hidden">
          {note}
        </p>
        {state.step === 'failed' && <Problem className="min-w-40 flex-1">{state.message}</Problem>}
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
          {mayOrder && (
            <Button
              variant={host ? 'secondary' : 'primary'}
              size="lg"
              disabled={isWaiting}
              onClick={onOrder}
              data-order=""
            >
              Order
            </Button>
          )}
          {!host && (
            <Button
              variant={onOrder ? 'secondary' : 'primary'}
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
      {aside ? (
        createPortal(savedNote, aside)
      ) : (
        <div aria-live="polite" className="not-empty:mt-3">
          {savedNote}
        </div>
      )}
    </section>
  );
}

const COPIED_MS = 2000;

/** A picture of what was saved, and the address that opens it again. */
function SavedNote({ design: { designId, previewUrl }, shop }: { design: SavedDesign; shop: string | undefined }) {
  const link = `${location.origin}/widget?${new URLSearchParams({ ...(shop && { shop }), design: designId })}`;
  const [isCopied, setCopied] = useState(false);
  const card = useRef<HTMLDivElement>(null);
  // On a phone it comes below what is seen.
  useEffect(() => {
    // In braces: newer browsers return a promise, which React would call when the card goes.
    card.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <div ref={card} className="flex scroll-my-3 items-center gap-3 rounded-card border border-line bg-paper p-3">
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
