/**
 * The parts of the widget's page that come with the editor: panels for picture and text, the stage, the checkout bar.
 */
import { Button, lazyPart, More, Tabs } from '@markwright/controls';
import {
  Canvas,
  DesignPanel,
  EditorProvider,
  elementIds,
  HistoryButtons,
  PlacementControls,
  TextPanel,
  useDesignFlow,
  useEditor,
  useEditorState,
  ZoomControls,
} from '@markwright/editor';
import { type Composition, findElement, toElementName } from '@markwright/scene';
import { type ComponentProps, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { CheckoutBar, type CheckoutBarProps } from './CheckoutBar.tsx';
import { type OrderReceipt, OrderStep } from './OrderStep.tsx';
import { TemplateForm } from './TemplateForm.tsx';
import { usePieces } from './usePieces.tsx';
import type { WidgetEditor } from './widgetEditor.ts';
import type { WidgetSession } from './widgetEditorMachine.ts';

interface EditorPanelsProps
  extends Omit<CheckoutBarProps, 'quantity' | 'pieces' | 'onQuantity' | 'save' | 'receipt' | 'onOrder' | 'aside'> {
  readonly widgetEditor: WidgetEditor;
  /** Places of the page, so that what stands beside them stays as it is when the editor comes. */
  readonly slots: {
    readonly panels: HTMLElement;
    readonly order: HTMLElement;
    readonly stage: HTMLElement;
    readonly foot: HTMLElement;
    /** Beside the stage, in sight; null where the bar may grow. */
    readonly aside: HTMLElement | null;
  };
  readonly isOrdering: boolean;
  onOrdering(isOrdering: boolean): void;
}

/** An order, and what it was placed for. */
interface PlacedOrder {
  readonly receipt: OrderReceipt;
  readonly composition: Composition;
  readonly quantity: number;
  readonly pieces: WidgetSession['pieces'];
}

export function EditorPanels({ widgetEditor, slots, isOrdering, onOrdering, ...checkoutBar }: EditorPanelsProps) {
  const { address, shop, product } = checkoutBar;
  const { quantity, pieces, template } = useSyncExternalStore(widgetEditor.subscribe, widgetEditor.getState);
  const composition = useSyncExternalStore(
    widgetEditor.editor.subscribe,
    () => widgetEditor.editor.getState().composition,
  );
  const [placedOrder, setPlacedOrder] = useState<PlacedOrder>();
  const [orderCount, setOrderCount] = useState(0);
  const isSame =
    placedOrder?.composition === composition && placedOrder.quantity === quantity && placedOrder.pieces === pieces;
  const receipt = isSame ? placedOrder.receipt : undefined;
  const mayOrder = shop?.checkout === true && address.shop !== undefined;
  const hasProduct = product !== undefined;
  // Without a product there is nothing to order.
  useEffect(() => {
    if (!hasProduct) onOrdering(false);
  }, [hasProduct, onOrdering]);
  // Loaded before the order is opened, which may be without a connection.
  useEffect(() => {
    if (mayOrder) loadMarks().catch(() => undefined);
  }, [mayOrder]);
  const piecesPart = usePieces(widgetEditor, composition);
  const orderProps = {
    ...{ quantity, pieces: piecesPart, onQuantity: widgetEditor.setQuantity, save: widgetEditor.save },
  };

  return (
    <EditorProvider editor={widgetEditor.editor} ports={widgetEditor.ports}>
      <FlowOf widgetEditor={widgetEditor} />
      {createPortal(
        <>
          {template ? <TemplateForm key={template.id} template={template.composition} place={<Place />} /> : <Panels />}
          {!isOrdering && (
            <div className="not-empty:border-line not-empty:border-t not-empty:px-4 not-empty:py-4">
              {piecesPart.table}
            </div>
          )}
        </>,
        slots.panels,
      )}
      {createPortal(<Stage isOrdering={isOrdering} isAtRest={isOrdering && receipt !== undefined} />, slots.stage)}
      {createPortal(
        <CheckoutBar
          {...checkoutBar}
          {...orderProps}
          receipt={receipt}
          isOrdering={isOrdering}
          aside={slots.aside}
          onOrder={mayOrder ? () => onOrdering(true) : undefined}
        />,
        slots.foot,
      )}
      {mayOrder &&
        product &&
        createPortal(
          <OrderStep
            key={orderCount}
            {...orderProps}
            api={widgetEditor.api}
            shop={shop}
            shopKey={address.shop!}
            product={product}
            isShown={isOrdering}
            onPlaced={(receipt) => {
              widgetEditor.editor.select(undefined);
              const { composition } = widgetEditor.editor.getState();
              setPlacedOrder({ receipt, composition, quantity, pieces });
            }}
            onBack={(isPlaced) => {
              onOrdering(false);
              if (isPlaced) setOrderCount(orderCount + 1);
            }}
          />,
          slots.order,
        )}
    </EditorProvider>
  );
}

function FlowOf({ widgetEditor }: { widgetEditor: WidgetEditor }) {
  const designs = useDesignFlow();
  useEffect(() => widgetEditor.connect(designs), [widgetEditor, designs]);
  return null;
}

function Panels() {
  const [tab, setTab] = useState<'image' | 'text'>('image');
  const isTextAsked = useEditorState((state) => state.textToEdit !== undefined);
  if (isTextAsked && tab !== 'text') setTab('text');
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  if (!hasProduct) return null;
  return (
    <section aria-label="Picture and text" className="px-4 py-4">
      <Tabs<'image' | 'text'>
        label="Picture or text"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'image', label: 'Upload Image', icon: 'image', content: <DesignPanel /> },
          { value: 'text', label: 'Add Text', icon: 'text', content: <TextPanel /> },
        ]}
      />
      <Place />
    </section>
  );
}

/** Position, size and angle of the chosen element in numbers. */
function Place() {
  const editor = useEditor();
  const composition = useEditorState((state) => state.composition);
  const selection = useEditorState((state) => state.selectedIds);
  const limits = useEditorState((state) => state.limits);
  const ids = elementIds(composition).filter((id) => limits?.maySelect(id) ?? true);
  if (ids.length === 0) return null;
  const only = selection.length === 1 ? selection[0] : undefined;
  return (
    <div className="mt-3 border-line border-t pt-2">
      <More label="Place and size">
        {only ? (
          <PlacementControls key={only} elementId={only} />
        ) : (
          <>
            <p className="text-graphite text-sm">Choose what is to be moved, here or on the product.</p>
            <div className="mt-1 flex flex-wrap gap-2">
              {ids.map((id) => (
                <Button key={id} size="sm" className="max-w-full" onClick={() => editor.select(id)}>
                  <span className="truncate">{toElementName(findElement(composition, id)!)}</span>
                </Button>
              ))}
            </div>
          </>
        )}
      </More>
    </div>
  );
}

/** The marks of what cannot be made, which the order speaks of. */
const loadMarks = () => import('./orderMarks.ts').then(({ PreflightMarks }) => ({ default: PreflightMarks }));
const MarksLater = lazyPart(loadMarks);

const OrderMarks = (props: ComponentProps<typeof MarksLater>) => (
  <Suspense fallback={null}>
    <MarksLater {...props} />
  </Suspense>
);

/** `isAtRest`: it shows what was ordered, and nothing can be changed until the customer goes on designing. */
function Stage({ isOrdering, isAtRest }: { isOrdering: boolean; isAtRest: boolean }) {
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  const isLimited = useEditorState((state) => state.limits !== undefined);
  if (!hasProduct) return null;
  return (
    // On a phone the order shows the product as a picture: a thumb scrolls over it and moves nothing.
    <div className={`flex h-full flex-col ${isOrdering ? 'max-md:pointer-events-none' : ''}`}>
      <div inert={isAtRest} className="min-h-0 flex-1">
        <Canvas className="h-full" placesOnly={isLimited} Marks={isOrdering ? OrderMarks : undefined} />
      </div>
      {/* On a phone it would lie over the product's foot: it stands below. */}
      <div
        inert={isAtRest}
        className={`flex items-center border-line bg-paper px-1 max-md:justify-end max-md:border-t md:absolute md:right-2 md:bottom-2 md:rounded-control md:border ${isAtRest ? 'invisible' : ''} ${isOrdering ? 'max-md:hidden' : ''}`}
      >
        <HistoryButtons />
        <span aria-hidden="true" className="mx-1 h-5 w-px bg-line" />
        <ZoomControls size="sm" />
      </div>
    </div>
  );
}
