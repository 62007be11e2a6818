/**
 * The widget's page: machine, products and the stage's place are there at once; the editor comes when a product is
 * chosen and fills the places it is given. Framed, the page is as high as what is on it, so nothing may measure itself
 * by the frame's height.
 */
import type { OfferedProduct, Product, SavedDesign } from '@markwright/contract/schemas';
import { findById, type ProductChoice, usualVariant } from '@markwright/contract/words';
import { Button, Icon, SegmentedControl } from '@markwright/controls';
import { inVariant, ProductList, VariantPicker } from '@markwright/editor';
import type { MachineMode, Variant } from '@markwright/scene';
import {
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { toast } from '../ui/notices.ts';
import { ToastsLater } from '../ui/ToastsLater.tsx';
import type { WidgetAddress } from './address.ts';
import type { WidgetApi } from './api.ts';
import type { Host } from './hostPage.ts';
import { Failure, NothingOffered, Placeholder } from './Placeholders.tsx';
import { formatPrice } from './price.ts';
import { sentenceOf, useHeightMessages, useHostCalls, useReadyMessages } from './useHostPage.ts';
import { useWidgetEditor } from './useWidgetEditor.ts';
import { useVisit, type Visit } from './visit.ts';

const modes = [
  { value: 'laser', label: 'Laser' },
  { value: 'uv', label: 'UV print' },
  { value: 'sublimation', label: 'Sublimation' },
] as const satisfies readonly { value: MachineMode; label: string }[];
const dtf = { value: 'dtf', label: 'DTF' } as const;

export interface WidgetProps {
  readonly address: WidgetAddress;
  readonly api: WidgetApi;
  /** The page around the frame, where one listens. */
  readonly host: Host | undefined;
}

export function WidgetPage({ address, api, host }: WidgetProps) {
  const visit = useVisit(api, address.shop);
  const session = useSession(address, api, visit, host);
  const { widgetEditor, parts, isOpening, retry, composition, machine, product, savedSource, template } = session;
  const isList = product === undefined;
  const [isListOpen, setListOpen] = useState(false);
  const isStarted =
    composition !== undefined && (composition.productId !== undefined || composition.elements.length > 0);

  const [panels, setPanels] = useState<HTMLElement | null>(null);
  const [order, setOrder] = useState<HTMLElement | null>(null);
  const [stage, setStage] = useState<HTMLElement | null>(null);
  const [foot, setFoot] = useState<HTMLElement | null>(null);
  const [aside, setAside] = useState<HTMLElement | null>(null);
  const { isFramed } = address;
  const { isOrdering, setOrdering } = useOrdering();
  // Only there the bar takes its height from the stage.
  const [isWide] = useState(() => matchMedia('(width >= 800px)').matches);
  const hasAside = isWide && !isFramed;
  const column = `min-w-0 bg-paper max-md:order-2 md:border-line md:border-r ${isFramed ? 'md:self-stretch' : 'md:min-h-0 md:overflow-y-auto md:[scrollbar-width:thin]'}`;

  return (
    <div
      className={`flex flex-col bg-bone ${isFramed ? '' : 'min-h-dvh md:grid md:h-dvh md:min-h-[520px] md:grid-rows-[auto_minmax(0,1fr)]'}`}
    >
      <header
        className={`flex min-h-14 flex-wrap items-center gap-x-2 gap-y-1 border-line border-b bg-paper px-3 py-2 ${isOrdering ? 'max-md:hidden' : ''}`}
      >
        {session.onlyMachine === machine || template ? (
          <p className="min-w-0 flex-1 truncate px-1 font-medium text-base">
            {visit.shop?.name || 'Design it yourself'}
          </p>
        ) : (
          <SegmentedControl
            label="How it is made"
            value={machine}
            options={session.offersDtf ? [...modes, dtf] : modes}
            onChange={session.chooseMachine}
            // Without products there is nothing to choose, and a shop may turn out to offer one machine.
            className={`min-w-56 flex-1 sm:max-w-80 ${visit.products?.length ? '' : 'invisible'}`}
          />
        )}
        <div className="ml-auto flex items-center">
          {parts && isStarted && <parts.StartOver onClick={session.startOver} />}
          {!isFramed && (
            <a
              href="/"
              className="flex h-9 items-center gap-1.5 rounded-control px-2 text-graphite text-sm hover:text-ink pointer-coarse:h-11"
            >
              <Icon name="arrowLeft" className="size-4" />
              Back
            </a>
          )}
        </div>
      </header>
      {visit.failure ? (
        <Failure failure={visit.failure} onRetry={visit.retry} />
      ) : visit.products?.length === 0 ? (
        <NothingOffered shopName={visit.shop?.name} savedSource={savedSource} onRetry={visit.retry} />
      ) : (
        <main
          className={`flex min-w-0 flex-1 flex-col md:grid md:min-h-0 md:grid-cols-[320px_minmax(0,1fr)] ${isFramed ? 'md:items-start' : 'md:grid-rows-[minmax(0,1fr)]'}`}
        >
          <h1 className="sr-only">Design it yourself{visit.shop?.name ? ` at ${visit.shop.name}` : ''}</h1>
          <div hidden={isOrdering} className={column}>
            {parts && savedSource?.goneProduct !== undefined && isList && (
              <parts.ProductGone name={savedSource.goneProduct} previewUrl={savedSource.previewUrl} />
            )}
            <Section
              title="Product"
              summary={
                product && (
                  <ProductSummary product={product} visit={visit}>
                    {!isList && !isListOpen && <WidgetVariants session={session} />}
                  </ProductSummary>
                )
              }
            >
              {!isList && (
                <Button size="sm" aria-expanded={isListOpen} onClick={() => setListOpen(!isListOpen)} className="mt-2">
                  {isListOpen ? 'Keep this one' : 'Change product'}
                </Button>
              )}
              {(isList || isListOpen) && (
                <ProductList
                  products={visit.products}
                  finder={visit.finder}
                  failure={undefined}
                  onRetry={visit.retry}
                  choice={session.choice}
                  machine={machine}
                  note={(choice) => priceOf(choice as OfferedProduct, visit)}
                  onChoose={(product, variant) => {
                    setListOpen(false);
                    session.chooseProduct(product, variant);
                  }}
                  onVariant={(product, variant) => session.chooseProduct(product, variant)}
                  className="mt-2"
                  layout="short"
                />
              )}
            </Section>
            {parts && session.question && <parts.ReplaceQuestion {...session.question} />}
            {parts && session.undoReplacement && <parts.ReplacedNote onUndo={session.undoReplacement} />}
            {parts && savedSource && !isList && <parts.ReopenedNote {...savedSource} />}
            {parts && session.isLimitReached && <parts.LimitReached shopName={visit.shop?.name} />}
            <div ref={setPanels} />
            {hasAside && (
              <div
                ref={setAside}
                aria-live="polite"
                className="sticky bottom-0 not-empty:border-line not-empty:border-t not-empty:bg-paper not-empty:p-3"
              />
            )}
          </div>
          <div ref={setOrder} hidden={!isOrdering} className={`${column} max-md:flex-1`} />
          <div className={`flex min-w-0 flex-col max-md:contents ${isFramed ? '' : 'md:min-h-0'}`}>
            <div
              ref={setStage}
              data-stage=""
              className={`relative min-w-0 bg-bone max-md:order-1 max-md:border-line max-md:border-b ${isFramed ? 'h-[min(108vw,440px)] md:h-[560px]' : 'md:h-auto md:min-h-0 md:flex-1'} ${isFramed ? '' : isOrdering ? 'max-md:h-[34dvh] max-md:min-h-[220px]' : 'top-0 z-10 max-md:h-[44dvh] max-md:min-h-[260px] max-md:[@media(min-height:600px)]:sticky'} ${session.productId === undefined ? 'max-md:hidden' : ''}`}
            >
              {(!parts || session.productId === undefined) && (
                <Placeholder isOpening={isOpening} onRetry={retry} hasDesign={isStarted} />
              )}
            </div>
            <div ref={setFoot} className="max-md:order-3" />
          </div>
        </main>
      )}
      {parts && composition && <parts.ChangeMessages host={host} composition={composition} product={product} />}
      {parts && widgetEditor && panels && order && stage && foot && (
        <parts.EditorPanels
          widgetEditor={widgetEditor}
          slots={{ panels, order, stage, foot, aside }}
          address={address}
          shop={visit.shop ?? null}
          product={product}
          host={host}
          isOrdering={isOrdering}
          onOrdering={setOrdering}
        />
      )}
      <ToastsLater />
    </div>
  );
}

/** Returns if the order is open. On a phone it has the page to itself: the page scrolls to its start and back again. */
function useOrdering() {
  const [isOrdering, setOrdering] = useState(false);
  const designScroll = useRef(0);
  const setAndKeepScroll = useCallback((next: boolean) => {
    if (next) designScroll.current = scrollY;
    setOrdering(next);
  }, []);
  useLayoutEffect(() => {
    // In braces: newer browsers return a promise, which React would call at the next change.
    scrollTo(0, isOrdering ? 0 : designScroll.current);
  }, [isOrdering]);
  return { isOrdering, setOrdering: setAndKeepScroll };
}

/**
 * Returns the chosen machine and product, and what is on the stage. Before the editor is loaded, the page holds machine
 * and product; from then on the editor does.
 */
function useSession(address: WidgetAddress, api: WidgetApi, visit: Visit, host: Host | undefined) {
  const { widgetEditor, open, ...loading } = useWidgetEditor(address, api, visit);
  const [firstMachine, setFirstMachine] = useState(address.machine);
  const [firstChoice, setFirstChoice] = useState<ProductChoice>({});
  const [isStarting, setStarting] = useState(false);
  const [pendingChoice, setPendingChoice] = useState<{
    readonly product: Product;
    readonly variant: Variant | undefined;
  }>();
  const composition = useSyncExternalStore(
    widgetEditor?.editor.subscribe ?? subscribeToNothing,
    () => widgetEditor?.editor.getState().composition,
  );
  const state = useSyncExternalStore(widgetEditor?.subscribe ?? subscribeToNothing, () => widgetEditor?.getState());
  const { finder } = visit;
  const offersDtf = visit.shop?.offersDtf ?? false;
  // Of many products only some are here.
  const onlyMachine = visit.finder ? undefined : findOnlyMachine(visit.products, offersDtf);
  // Until the shop is known, a page that begins with DTF has its word.
  const isOffered = firstMachine !== 'dtf' || offersDtf || !visit.products;
  const wantedMachine = onlyMachine ?? (isOffered ? firstMachine : 'laser');
  const machine = composition?.machine ?? wantedMachine;
  const productId = composition ? composition.productId : firstChoice.productId;
  const variant = composition ? composition.variant : firstChoice.variant;
  const choice = useMemo(() => ({ productId, variant }), [productId, variant]);
  const baseProduct = visit.products && findById(visit.products, productId);
  useEffect(() => {
    document.documentElement.dataset.machine = machine;
  }, [machine]);

  const chooseMachine = (next: MachineMode) => {
    setFirstMachine(next);
    widgetEditor?.editor.dispatch({ type: 'setMachine', machine: next });
  };
  const chooseProduct = useCallback(
    (product: Product, variant?: Variant, isSure = false) => {
      const { productId } = product;
      // A list of choices has the products as they are offered.
      const offer = product as OfferedProduct;
      const isToBeAsked = !isSure && widgetEditor?.replaces(offer);
      setPendingChoice(isToBeAsked ? { product, variant } : undefined);
      if (isToBeAsked) return;
      setFirstChoice({ productId, variant });
      const first = { machine: wantedMachine, productId, variant };
      if (widgetEditor) void widgetEditor.choose(offer, variant).catch(sayNotOpened);
      else if (offer.templateId === undefined) void open(first).catch(() => undefined);
      else {
        // The product is on the stage together with its template.
        const opening = open({ machine: wantedMachine, productId: undefined });
        setStarting(true);
        void opening
          .then((editor) => editor.choose(offer, variant).catch(sayNotOpened))
          .catch(() => undefined)
          .finally(() => setStarting(false));
      }
    },
    [widgetEditor, open, wantedMachine],
  );
  const openSaved = useCallback(
    async (designId: string) => {
      const reply = await api.widget.open({ params: { id: designId }, body: {} });
      await (await open({ machine: 'laser', productId: undefined })).show(reply);
    },
    [api, open],
  );
  const save = useCallback(async (): Promise<SavedDesign> => {
    if (!widgetEditor) throw new Error('Please choose a product first.');
    return widgetEditor.save();
  }, [widgetEditor]);

  // Opens what the address names, once the products are known.
  const hasBegun = useRef(false);
  useEffect(() => {
    if (!visit.products || hasBegun.current) return;
    hasBegun.current = true;
    // An address may name a product that became a color of another one.
    const choose = (products: readonly OfferedProduct[]) => {
      const product = findById(products, address.productId);
      if (!product || address.productId === undefined) return;
      const isColor = product.productId !== address.productId;
      chooseProduct(
        isColor ? { ...product, productId: address.productId } : product,
        isColor ? undefined : usualVariant(product),
      );
    };
    if (address.designId !== undefined) {
      openSaved(address.designId).catch((error: unknown) => {
        toast({ title: 'The design could not be opened', description: sentenceOf(error), variant: 'destructive' });
      });
    } else if (findById(visit.products, address.productId)) choose(visit.products);
    else if (address.productId !== undefined) {
      // If the shop does not offer it, the list stays open.
      finder?.find([address.productId]).then(
        () => choose(visit.readProducts()),
        () => undefined,
      );
    }
  }, [visit.products, finder, address, openSaved, chooseProduct]);

  useHostCalls(host, visit, { save, openSaved });
  useReadyMessages(host, visit);
  useHeightMessages(host);

  return {
    ...loading,
    isOpening: loading.isOpening || isStarting,
    widgetEditor,
    composition,
    machine,
    onlyMachine,
    offersDtf,
    productId,
    choice,
    baseProduct,
    product: useMemo(() => baseProduct && inVariant(baseProduct, choice), [baseProduct, choice]),
    savedSource: state?.savedSource,
    template: state?.template,
    isLimitReached: state?.isLimitReached ?? false,
    chooseMachine,
    chooseProduct,
    question: pendingChoice && {
      name: pendingChoice.product.name,
      hasTemplate: (pendingChoice.product as OfferedProduct).templateId !== undefined,
      onReplace: () => chooseProduct(pendingChoice.product, pendingChoice.variant, true),
      onKeep: () => setPendingChoice(undefined),
    },
    undoReplacement: widgetEditor && state?.replaced && (() => widgetEditor.undoReplacement()),
    startOver() {
      widgetEditor?.clear();
      setFirstChoice({});
    },
  };
}

function sayNotOpened(error: unknown): void {
  toast({ title: 'The product could not be opened', description: sentenceOf(error), variant: 'destructive' });
}

const subscribeToNothing = () => () => undefined;

/** Returns the machine that makes all the products, when it is the only one that is offered. */
function findOnlyMachine(products: Visit['products'], offersDtf: boolean): MachineMode | undefined {
  const usable = products?.flatMap(({ machines }) => machines.filter((machine) => machine !== 'dtf' || offersDtf));
  const machines = new Set(usable);
  return machines.size === 1 ? [...machines][0] : undefined;
}

function priceOf({ unitPriceCents }: OfferedProduct, { shop }: Visit): string | undefined {
  return shop && unitPriceCents !== null ? formatPrice(unitPriceCents, shop.currency) : undefined;
}

function Section({ title, summary, children }: { title: string; summary?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-line border-b px-4 py-4">
      <h2 className="text-base">{title}</h2>
      {summary}
      {children}
    </section>
  );
}

function WidgetVariants({ session }: { session: ReturnType<typeof useSession> }) {
  const { baseProduct, choice, chooseProduct } = session;
  if (!baseProduct) return null;
  const choose = (variant: Variant) => chooseProduct(baseProduct, variant);
  return <VariantPicker product={baseProduct} choice={choice} onChoose={choose} className="mt-1" />;
}

function ProductSummary({
  product,
  visit,
  children,
}: {
  product: OfferedProduct;
  visit: Visit;
  /** Stands below the name and the price. */
  children: ReactNode;
}) {
  return (
    <>
      <p className="mt-1 flex items-baseline gap-3 text-sm">
        <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{product.name}</span>
        <span className="tabular-nums">{priceOf(product, visit)}</span>
      </p>
      {children}
    </>
  );
}
