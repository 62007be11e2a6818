/**
 * The widget's page: machine, products and the stage's place are there at once; the editor comes when a product is
 * chosen and fills the places it is given. Framed, the page is as high as what is on it, so nothing may measure itself
 * by the frame's height.
 */
import type { OfferedProduct, SavedDesign } from '@markwright/contract/schemas';
import { Button, Icon, SegmentedControl } from '@markwright/controls';
import { ProductList, SelectProduct } from '@markwright/editor';
import type { MachineMode } from '@markwright/scene';
import { type ReactNode, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { toast } from '../ui/notices.ts';
import { ToastsLater } from '../ui/ToastsLater.tsx';
import { showTheme, type WidgetAddress } from './address.ts';
import type { WidgetApi } from './api.ts';
import type { Host } from './hostPage.ts';
import { formatPrice } from './price.ts';
import { useVisit, type Visit } from './visit.ts';
import type { WidgetEditor } from './widgetEditor.ts';

const modes = [
  { value: 'laser', label: 'Laser' },
  { value: 'uv', label: 'UV print' },
  { value: 'sublimation', label: 'Sublimation' },
] as const satisfies readonly { value: MachineMode; label: string }[];

const loadParts = () => import('./EditorPanels.tsx');
type Parts = Awaited<ReturnType<typeof loadParts>>;

export interface WidgetProps {
  readonly address: WidgetAddress;
  readonly api: WidgetApi;
  /** The page around the frame, where one listens. */
  readonly host: Host | undefined;
}

export function WidgetPage({ address, api, host }: WidgetProps) {
  const visit = useVisit(api, address.shop);
  const [isLimitReached, setLimitReached] = useState(false);
  const { widgetEditor, parts, isOpening, failure, open } = useWidgetEditor(address, api, visit, () =>
    setLimitReached(true),
  );
  const [quantity, setQuantity] = useState(1);

  const [firstMachine, setFirstMachine] = useState(address.machine);
  const [wantedId, setWantedId] = useState<string>();
  const composition = useSyncExternalStore(
    widgetEditor?.editor.subscribe ?? subscribeToNothing,
    () => widgetEditor?.editor.getState().composition,
  );
  const machine = composition?.machine ?? firstMachine;
  const productId = composition ? composition.productId : wantedId;
  const product = visit.products?.find((offered) => offered.productId === productId);
  useEffect(() => {
    document.documentElement.dataset.machine = machine;
  }, [machine]);

  const chooseMachine = (next: MachineMode) => {
    setFirstMachine(next);
    widgetEditor?.editor.dispatch({ type: 'setMachine', machine: next });
  };
  const isList = product === undefined;
  const [isListOpen, setListOpen] = useState(false);
  const chooseProduct = useCallback(
    (chosen: { productId: string }) => {
      setListOpen(false);
      setWantedId(chosen.productId);
      if (widgetEditor) widgetEditor.editor.dispatch({ type: 'setProduct', productId: chosen.productId });
      else void open({ machine: firstMachine, productId: chosen.productId }).catch(() => undefined);
    },
    [widgetEditor, open, firstMachine],
  );

  const [reopened, setReopened] = useState<Reopened>();
  const openSaved = useCallback(
    async (designId: string) => {
      const opened = await api.widget.open({ params: { id: designId }, body: {} });
      const isOffered = (await open({ machine: 'laser', productId: undefined })).show(opened);
      setQuantity(opened.line.quantity);
      setReopened({ previewUrl: opened.previewUrl, goneProduct: isOffered ? undefined : opened.line.productName });
    },
    [api, open],
  );
  const save = useCallback(async (): Promise<SavedDesign> => {
    if (!widgetEditor) throw new Error('Please choose a product first.');
    const saved = await widgetEditor.save(quantity);
    return { ...saved, previewUrl: new URL(saved.previewUrl, location.origin).href };
  }, [widgetEditor, quantity]);

  // Opens what the address names, once the products are known.
  const hasBegun = useRef(false);
  useEffect(() => {
    if (!visit.products || hasBegun.current) return;
    hasBegun.current = true;
    const asked = visit.products.find((offered) => offered.productId === address.productId);
    if (address.designId !== undefined) {
      openSaved(address.designId).catch((error: unknown) => {
        toast({ title: 'The design could not be opened', description: sentence(error), variant: 'destructive' });
      });
    } else if (asked) chooseProduct(asked);
  }, [visit.products, address, openSaved, chooseProduct]);

  useHostCalls(host, visit, { save, openSaved });
  useTelling(host, visit, composition && { composition, product });
  useHeight(host);

  const startOver = () => {
    widgetEditor?.clear();
    setWantedId(undefined);
    setReopened(undefined);
    setQuantity(1);
  };
  const isStarted =
    composition !== undefined &&
    (composition.productId !== undefined || composition.design !== undefined || composition.texts.length > 0);

  const [panels, setPanels] = useState<HTMLElement | null>(null);
  const [stage, setStage] = useState<HTMLElement | null>(null);
  const [foot, setFoot] = useState<HTMLElement | null>(null);
  const { isFramed } = address;
  const isShown = widgetEditor !== undefined && parts !== undefined;

  return (
    <div
      className={`flex flex-col bg-bone ${isFramed ? '' : 'min-h-dvh md:grid md:h-dvh md:min-h-[520px] md:grid-rows-[auto_minmax(0,1fr)]'}`}
    >
      <header className="flex min-h-14 flex-wrap items-center gap-x-2 gap-y-1 border-line border-b bg-paper px-3 py-2">
        <SegmentedControl
          label="How it is made"
          value={machine}
          options={modes}
          onChange={chooseMachine}
          className="min-w-56 flex-1 sm:max-w-80"
        />
        <div className="ml-auto flex items-center">
          {isStarted && <StartOver onClick={startOver} />}
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
        <NothingOffered shopName={visit.shop?.name} reopened={reopened} onRetry={visit.retry} />
      ) : (
        <main
          className={`flex min-w-0 flex-1 flex-col md:grid md:min-h-0 md:grid-cols-[320px_minmax(0,1fr)] ${isFramed ? 'md:items-start' : 'md:grid-rows-[minmax(0,1fr)]'}`}
        >
          <h1 className="sr-only">Design it yourself{visit.shop?.name ? ` at ${visit.shop.name}` : ''}</h1>
          <div
            className={`min-w-0 bg-paper max-md:order-2 md:border-line md:border-r ${isFramed ? 'md:self-stretch' : 'md:min-h-0 md:overflow-y-auto md:[scrollbar-width:thin]'}`}
          >
            {reopened?.goneProduct !== undefined && isList && (
              <ProductGone name={reopened.goneProduct} previewUrl={reopened.previewUrl} />
            )}
            <Section title="Product" summary={product && <Chosen product={product} visit={visit} />}>
              {!isList && (
                <Button size="sm" aria-expanded={isListOpen} onClick={() => setListOpen(!isListOpen)} className="mt-2">
                  {isListOpen ? 'Keep this one' : 'Change product'}
                </Button>
              )}
              {(isList || isListOpen) && (
                <ProductList
                  products={visit.products}
                  failure={undefined}
                  onRetry={visit.retry}
                  productId={productId}
                  machine={machine}
                  note={(offered) => priceOf(offered as OfferedProduct, visit)}
                  onChoose={chooseProduct}
                  className="mt-2"
                />
              )}
            </Section>
            {reopened && !isList && (
              <p role="status" className="border-line border-b px-4 py-3 text-graphite text-sm">
                {reopened.goneProduct === undefined
                  ? 'This is the design you saved.'
                  : 'Your design is on this product now.'}{' '}
                Saving it again makes a new one; the saved one stays as it is.
              </p>
            )}
            {isLimitReached && <LimitReached shopName={visit.shop?.name} />}
            <div ref={setPanels} />
          </div>
          <div className={`flex min-w-0 flex-col max-md:contents ${isFramed ? '' : 'md:min-h-0'}`}>
            <div
              ref={setStage}
              data-stage=""
              className={`relative min-w-0 bg-bone max-md:order-1 max-md:border-line max-md:border-b ${isFramed ? 'h-[min(108vw,440px)] md:h-[560px]' : 'top-0 z-10 h-[44dvh] min-h-[260px] max-md:[@media(min-height:600px)]:sticky md:h-auto md:min-h-0 md:flex-1'} ${productId === undefined ? 'max-md:hidden' : ''}`}
            >
              {(!isShown || productId === undefined) && (
                <Placeholder isOpening={isOpening} failure={failure} hasDesign={isStarted} />
              )}
            </div>
            <div ref={setFoot} className="max-md:order-3" />
          </div>
        </main>
      )}
      {isShown && panels && stage && foot && (
        <parts.EditorPanels
          widgetEditor={widgetEditor}
          slots={{ panels, stage, foot }}
          address={address}
          shop={visit.shop ?? null}
          product={product}
          quantity={quantity}
          onQuantity={setQuantity}
          save={save}
          host={host}
        />
      )}
      <ToastsLater />
    </div>
  );
}

const subscribeToNothing = () => () => undefined;
const sentence = (error: unknown) =>
  error instanceof Error && error.message ? error.message : 'Something went wrong. Please try again.';

/** The editor, made with the first product: its code is asked for when there is time, and when it is needed. */
function useWidgetEditor(address: WidgetAddress, api: WidgetApi, { products }: Visit, onLimit: () => void) {
  const [state, setState] = useState<{
    widgetEditor?: WidgetEditor;
    parts?: Parts;
    isOpening: boolean;
    failure?: () => void;
  }>({
    isOpening: false,
  });
  const opened = useRef<Promise<WidgetEditor>>(undefined);
  const told = useRef(onLimit);
  told.current = onLimit;

  const open = useCallback(
    (initial: { machine: MachineMode; productId: string | undefined }): Promise<WidgetEditor> => {
      if (opened.current) return opened.current;
      if (!products) return Promise.reject(new Error('The products are still on their way. Please try again.'));
      setState({ isOpening: true });
      const opening = loadParts().then((parts) => {
        const onUsedUp = () => told.current();
        const widgetEditor = parts.createWidgetEditor(
          { api, shop: address.shop, products, onLimit: onUsedUp },
          initial,
        );
        setState({ widgetEditor, parts, isOpening: false });
        return widgetEditor;
      });
      opened.current = opening;
      opening.catch(() => {
        opened.current = undefined;
        setState({ isOpening: false, failure: () => beginAgain(initial.productId) });
      });
      return opening;
    },
    [address, api, products],
  );
  useEffect(() => {
    if (!products) return;
    const timer = setTimeout(() => void loadParts().catch(() => undefined), 1200);
    return () => clearTimeout(timer);
  }, [products]);
  return { ...state, widgetEditor: state.widgetEditor, parts: state.parts, failure: state.failure, open };
}

/**
 * A browser does not ask again for code it could not load: the page has to. Only when the server can be reached, so
 * that no frame ends on the browser's own error page.
 */
function beginAgain(productId: string | undefined): void {
  const address = new URL(location.href);
  if (productId !== undefined) {
    address.searchParams.delete('design');
    address.searchParams.set('product', productId);
  }
  fetch(address, { method: 'HEAD' }).then(
    () => location.replace(address),
    () => undefined,
  );
}

/** Answers what the page around the frame asks. What it asks before there are products waits for them. */
function useHostCalls(
  host: Host | undefined,
  visit: Visit,
  { save, openSaved }: { save(): Promise<SavedDesign>; openSaved(designId: string): Promise<void> },
): void {
  const isReady = visit.products !== undefined || visit.failure !== undefined;
  const waiting = useRef<(() => void)[]>([]);
  const latest = useRef({ save, openSaved, isReady });
  latest.current = { save, openSaved, isReady };
  useEffect(() => {
    if (!isReady) return;
    for (const answer of waiting.current.splice(0)) answer();
  }, [isReady]);
  useEffect(
    () =>
      host?.listen((message) => {
        if (message.type === 'theme') {
          showTheme(message.theme);
          return;
        }
        const { call } = message;
        const answer = () => {
          const { save, openSaved } = latest.current;
          const done = message.method === 'save' ? save() : openSaved(message.designId).then(() => undefined);
          done.then(
            (value) => host.tell({ type: 'result', call, ...(value && { value }) }),
            (error: unknown) => host.tell({ type: 'result', call, error: sentence(error) }),
          );
        };
        if (latest.current.isReady) answer();
        else waiting.current.push(answer);
      }),
    [host],
  );
}

const CHANGE_DELAY_MS = 300;

/** Tells the page when the widget is ready or failed, and what is on the stage (debounced). */
function useTelling(
  host: Host | undefined,
  visit: Visit,
  work:
    | {
        composition: ReturnType<WidgetEditor['editor']['getState']>['composition'];
        product: OfferedProduct | undefined;
      }
    | undefined,
): void {
  const isReady = visit.products !== undefined;
  useEffect(() => {
    if (isReady) host?.tell({ type: 'ready' });
  }, [host, isReady]);
  const failure = visit.failure?.message;
  useEffect(() => {
    if (failure !== undefined) host?.tell({ type: 'error', message: failure });
  }, [host, failure]);
  const arrangement =
    work &&
    JSON.stringify({
      productId: work.product?.productId ?? null,
      productName: work.product?.name ?? null,
      machine: work.composition.machine,
      hasDesign: work.composition.design !== undefined,
      textCount: work.composition.texts.length,
    });
  useEffect(() => {
    if (!host || arrangement === undefined) return;
    const timer = setTimeout(() => host.tell({ type: 'change', ...JSON.parse(arrangement) }), CHANGE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [host, arrangement]);
}

/** Keeps the frame as high as what is in it. */
function useHeight(host: Host | undefined): void {
  useEffect(() => {
    const root = document.getElementById('root');
    if (!host || !root) return;
    let told = 0;
    const observer = new ResizeObserver(() => {
      const height = Math.ceil(root.getBoundingClientRect().height);
      if (height === told) return;
      told = height;
      host.tell({ type: 'resize', height });
    });
    observer.observe(root);
    return () => observer.disconnect();
  }, [host]);
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

function Chosen({ product, visit }: { product: OfferedProduct; visit: Visit }) {
  return (
    <p className="mt-1 flex items-baseline gap-3 text-sm">
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{product.name}</span>
      <span className="tabular-nums">{priceOf(product, visit)}</span>
    </p>
  );
}

/** A saved design that was opened. */
interface Reopened {
  readonly previewUrl: string;
  /** The name of its product, when that is not offered any more. */
  readonly goneProduct: string | undefined;
}

function ProductGone({ name, previewUrl }: { name: string; previewUrl: string }) {
  return (
    <div role="status" className="flex items-start gap-3 border-line border-b px-4 py-4 text-sm">
      <img
        src={previewUrl}
        alt="The design as you saved it"
        className="size-16 shrink-0 rounded-control bg-bone object-contain"
      />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="font-medium">“{name}” is not offered here any more</p>
        <p className="mt-1 text-graphite">Your design is kept: choose another product for it.</p>
      </div>
    </div>
  );
}

/** Asks before everything is removed, which cannot be undone. */
function StartOver({ onClick }: { onClick(): void }) {
  const [isSure, setSure] = useState(false);
  return (
    <button
      type="button"
      onClick={() => {
        setSure(!isSure);
        if (isSure) onClick();
      }}
      onBlur={() => setSure(false)}
      className={`flex h-9 min-w-9 items-center justify-center rounded-control px-2 text-sm pointer-coarse:h-11 ${isSure ? 'text-danger' : 'text-graphite hover:text-ink'}`}
    >
      {!isSure && <Icon name="refresh" className="size-4 sm:hidden" />}
      <span className={isSure ? '' : 'max-sm:sr-only'}>{isSure ? 'Really start over?' : 'Start over'}</span>
    </button>
  );
}

function LimitReached({ shopName }: { shopName: string | undefined }) {
  return (
    <div role="alert" className="border-line border-b px-4 py-3 text-sm">
      <p className="font-medium">This month’s free pictures are used up</p>
      <p className="mt-1 text-graphite">
        Text stays free: you can go on with words.
        {shopName ? ` For a picture of your own, ask ${shopName}.` : ' New pictures are there next month.'}
      </p>
    </div>
  );
}

function Placeholder({
  isOpening,
  failure,
  hasDesign,
}: {
  isOpening: boolean;
  failure: (() => void) | undefined;
  hasDesign: boolean;
}) {
  if (failure) {
    return (
      <div
        role="alert"
        className="absolute inset-0 grid place-content-center justify-items-center gap-3 p-6 text-center"
      >
        <p className="text-sm">The designer did not load. Check the connection.</p>
        <Button icon="refresh" onClick={failure}>
          Try again
        </Button>
      </div>
    );
  }
  if (isOpening) {
    return (
      <div role="status" className="absolute inset-0 grid place-items-center">
        <span className="sr-only">Opening the product</span>
        <span className="h-3/5 w-2/5 animate-pulse rounded-card bg-ink/6" />
      </div>
    );
  }
  return (
    <SelectProduct advice={hasDesign ? 'Your design goes onto it.' : 'Then put your own picture or words on it.'} />
  );
}

function Failure({ failure, onRetry }: { failure: NonNullable<Visit['failure']>; onRetry(): void }) {
  return (
    <Notice
      title={failure.isClosed ? 'This shop is closed' : 'The products did not load'}
      {...(!failure.isClosed && { again: { label: 'Try again', onClick: onRetry } })}
    >
      {failure.isClosed ? 'It does not offer designs here any more. Please ask the shop itself.' : failure.message}
    </Notice>
  );
}

function NothingOffered({
  shopName,
  reopened,
  onRetry,
}: {
  shopName: string | undefined;
  reopened: Reopened | undefined;
  onRetry(): void;
}) {
  return (
    <Notice
      title="Nothing to design here at the moment"
      picture={reopened?.previewUrl}
      again={{ label: 'Look again', onClick: onRetry }}
    >
      {shopName || 'This shop'} has no product for it just now.{' '}
      {reopened
        ? 'The design you saved is kept: come back to it by its link, or ask the shop.'
        : 'Please ask the shop, or come back later.'}
    </Notice>
  );
}

/** A message in place of products and stage. */
function Notice({
  title,
  picture,
  again,
  children,
}: {
  title: string;
  picture?: string | undefined;
  again?: { readonly label: string; onClick(): void };
  children: ReactNode;
}) {
  return (
    <main className="grid min-h-80 flex-1 place-content-center p-6">
      <div role="alert" className="grid justify-items-center gap-3 text-center">
        {picture !== undefined && (
          <img
            src={picture}
            alt="The design as you saved it"
            className="size-32 rounded-card bg-paper object-contain"
          />
        )}
        <h1 className="text-lg">{title}</h1>
        <p className="max-w-80 text-graphite text-sm [overflow-wrap:anywhere]">{children}</p>
        {again && (
          <Button icon="refresh" onClick={again.onClick}>
            {again.label}
          </Button>
        )}
      </div>
    </main>
  );
}
