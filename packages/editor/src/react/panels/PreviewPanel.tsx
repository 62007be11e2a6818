import { Button, IconButton, lazyPart, NumberField, Row, Select, Slider, Tabs } from '@markwright/controls';
import {
  artworksOf,
  type CompositionElement,
  elementIdOf,
  type FigureElement,
  figuresOf,
  findElement,
  isFigure,
  textsOf,
  toElementName,
  toKindName,
} from '@markwright/scene';
import { Suspense, useState } from 'react';
import { activeElement, findText } from '../../core/document/editor.ts';
import { formatSize } from '../../core/document/measure.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';
import { ZoomControls } from '../stage/ViewControls.tsx';
import { SeveralControls } from './ArrangeControls.tsx';
import { ElementList } from './ElementList.tsx';
import { FigureFields } from './FigureFields.tsx';
import { MachineAreaControls } from './MachineAreaControls.tsx';
import { PlacementControls, useGestureControl } from './PlacementControls.tsx';

/** Step 4: where everything sits, what is on the product and how it is looked at; what is used most comes first. */
export function PreviewPanel({ className = '' }: { className?: string }) {
  return (
    <div className={`flex flex-col gap-4 ${className}`}>
      <PositionTabs />
      <ElementList />
      <ProductView />
    </div>
  );
}

/** Turning the product and zooming. Changes what is seen, never what is exported. */
export function ProductView({ className = '' }: { className?: string }) {
  const editor = useEditor();
  const angleDeg = useEditorState((state) => state.composition.productAngleDeg);
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  const drag = useGestureControl((angle: { angleDeg: number }) => ({ type: 'rotateProduct', ...angle }));
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <Row label="Product">
        <Slider
          label="Product rotation"
          value={angleDeg}
          min={0}
          max={360}
          disabled={!hasProduct}
          valueText={`${Math.round(angleDeg)}°`}
          {...drag((angle) => ({ angleDeg: angle }))}
        />
        <NumberField
          label="Product rotation in degrees"
          value={angleDeg}
          min={0}
          max={360}
          unit="°"
          disabled={!hasProduct}
          onCommit={(value) => editor.dispatch({ type: 'rotateProduct', angleDeg: value })}
          className="w-[60px]"
        />
        <IconButton
          icon="rotate"
          label="Rotate product 90°"
          disabled={!hasProduct}
          onClick={() => editor.dispatch({ type: 'rotateProduct', angleDeg: (angleDeg + 90) % 360 })}
        />
      </Row>
      <Row label="Zoom">
        <ZoomControls size="sm" />
      </Row>
      {hasProduct && (
        <Row label="Area">
          <AreaButton />
        </Row>
      )}
    </div>
  );
}

/** The machine area's size; leads to its numbers. */
function AreaButton() {
  const editor = useEditor();
  const scene = useEditorState((state) => state.scene);
  const unit = useEditorState((state) => state.unit);
  const isSelected = useEditorState((state) => state.selection === 'machineArea');
  const size = formatSize({ width: scene.widthMm, height: scene.heightMm }, unit);
  return (
    <Button
      size="sm"
      icon="area"
      aria-label={`Change the machine area, ${size}`}
      aria-pressed={isSelected}
      onClick={() => editor.select(isSelected ? undefined : 'machineArea')}
    >
      <span className="measure">{size}</span>
    </Button>
  );
}

/**
 * The position tabs: Design Position and Text Position, the measures of a code or a shape, the actions for several
 * elements, or the numbers of the machine area. The tab follows the selection, and changes it.
 */
export function PositionTabs({ className = '' }: { className?: string }) {
  const editor = useEditor();
  const composition = useEditorState((state) => state.composition);
  const selection = useEditorState((state) => state.selection);
  const selectedIds = useEditorState((state) => state.selectedIds);
  const isSeveral = selectedIds.length > 1;
  const [chosenTab, setLastTab] = useState<'design' | 'text'>();
  const [lastTextId, setLastTextId] = useState<string>();

  const selectedText = findText(composition, selection);
  const texts = textsOf(composition);
  const artworks = artworksOf(composition);
  const artwork = useEditorState(activeElement);
  // Until one is chosen, the tab of what there is.
  const lastTab = chosenTab ?? (artworks.length === 0 && texts.length > 0 ? 'text' : 'design');
  const tab = selection?.startsWith('design') ? 'design' : selectedText ? 'text' : lastTab;
  const text = selectedText ?? texts.find(({ id }) => id === lastTextId) ?? texts.at(-1);
  if (selection !== undefined && tab !== chosenTab) setLastTab(tab);
  if (text && text.id !== lastTextId) setLastTextId(text.id);

  const choose = (next: 'design' | 'text') => {
    setLastTab(next);
    const elementId = next === 'design' ? artwork && elementIdOf(artwork) : text && elementIdOf(text);
    editor.select(elementId);
  };

  if (isSeveral) {
    return (
      <div className={`flex flex-col gap-3 ${className}`}>
        <SeveralControls />
        <Suspense>
          <OutlineControls elementIds={selectedIds} />
        </Suspense>
      </div>
    );
  }
  if (selection === 'machineArea') return <MachineAreaControls className={className} />;
  const selectedElement = findElement(composition, selection);
  const figure =
    selection === undefined && artworks.length + texts.length === 0 ? figuresOf(composition).at(-1) : selectedElement;
  if (figure && isFigure(figure)) return <FigureControls figure={figure} className={className} />;
  return (
    <Tabs
      label="Position"
      className={className}
      value={tab}
      onChange={choose}
      tabs={[
        {
          value: 'design',
          label: 'Design Position',
          icon: 'image',
          content: artwork ? (
            <ElementPosition label="Design to position" elements={artworks} element={artwork} />
          ) : (
            <Empty>No design yet. Upload one in step 3, and its place and size appear here.</Empty>
          ),
        },
        {
          value: 'text',
          label: 'Text Position',
          icon: 'text',
          content: text ? (
            <ElementPosition label="Text to position" elements={texts} element={text} />
          ) : (
            <Empty>No text yet. Add one in step 3, and its place and size appear here.</Empty>
          ),
        },
      ]}
    />
  );
}

interface ElementPositionProps {
  /** Names the choice among several. */
  readonly label: string;
  /** All of its kind. */
  readonly elements: readonly CompositionElement[];
  readonly element: CompositionElement;
}

/** The place of an element and what the machine does with it, and above them the choice among several of its kind. */
function ElementPosition({ label, elements, element }: ElementPositionProps) {
  const editor = useEditor();
  const elementId = elementIdOf(element);
  // Shown on request: the list of elements needs the room.
  const [isOutlining, setOutlining] = useState(false);
  return (
    <div className="flex flex-col gap-3 low:gap-1.5">
      {elements.length > 1 && (
        <Select
          label={label}
          value={elementId}
          options={elements.map((each) => ({ value: elementIdOf(each), label: toElementName(each) }))}
          onChange={(id) => editor.select(id)}
          className="w-full low:hidden"
        />
      )}
      <PlacementControls
        key={elementId}
        elementId={elementId}
        tools={
          <IconButton
            icon="outline"
            label="Outline around it"
            isPressed={isOutlining}
            onClick={() => setOutlining(!isOutlining)}
          />
        }
      />
      <Suspense>
        <OperationControls key={elementId} elementId={elementId} />
        {isOutlining && <OutlineControls key={`outline ${elementId}`} elementIds={[elementId]} />}
      </Suspense>
    </div>
  );
}

/** What a code or a shape is made of, and where it lies. */
function FigureControls({ figure, className }: { figure: FigureElement; className: string }) {
  const elementId = elementIdOf(figure);
  return (
    <section aria-label={toKindName(figure)} className={`flex flex-col gap-3 low:gap-1.5 ${className}`}>
      <h3 className="font-medium text-sm">{toKindName(figure)}</h3>
      <FigureFields key={elementId} elementId={elementId} />
      <ElementPosition label="" elements={[figure]} element={figure} />
    </section>
  );
}

const OperationControls = lazyPart(() =>
  import('./OperationControls.tsx').then((part) => ({ default: part.OperationControls })),
);

const OutlineControls = lazyPart(() =>
  import('./OutlineControls.tsx').then((part) => ({ default: part.OutlineControls })),
);

function Empty({ children }: { children: string }) {
  return <p className="py-2 text-sm text-graphite">{children}</p>;
}
