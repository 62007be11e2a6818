/**
 * The picture of an order, which can be seen at its true size: pinched, turned by a wheel or by keys. A scale bar and a
 * bank card tell that the size is true on this screen.
 */
import { Button, Icon, IconButton, Slider } from '@markwright/controls';
import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import {
  barLengthMm,
  CARD_MM,
  CSS_PX_PER_MM,
  fittedView,
  isFitted,
  isTrueSize,
  limitView,
  moveBy,
  type Point,
  type ProofStage,
  type ProofView,
  type Size,
  zoomAt,
} from './proofView.ts';
import { readTrueScale, storeTrueScale } from './trueScale.ts';

/** One press of a zoom button or key. */
const STEP = 1.5;
const ARROW_PX = 48;
const BAR_PX = 120;
const CARD_MARGIN_PX = 16;
const middle: Point = { x: 0, y: 0 };

interface ProofPictureProps {
  readonly url: string;
  readonly alt: string;
  /** The true size of what the whole picture shows. */
  readonly size: { readonly widthMm: number; readonly heightMm: number };
}

export function ProofPicture({ url, alt, size }: ProofPictureProps) {
  const frameElement = useRef<HTMLDivElement>(null);
  const frame = useElementSize(frameElement);
  const [trueScale, setTrueScale] = useState(readTrueScale);
  const [isCardOpen, setCardOpen] = useState(false);
  const pictureMm = useMemo(() => ({ width: size.widthMm, height: size.heightMm }), [size.widthMm, size.heightMm]);
  const stage = useMemo<ProofStage>(() => ({ pictureMm, frame, trueScale }), [pictureMm, frame, trueScale]);
  // Absent while the whole picture is shown, which it does in a frame of any size.
  const [ownView, setOwnView] = useState<ProofView>();
  const view = ownView ? limitView(stage, ownView) : fittedView(stage);
  const isTrue = isTrueSize(stage, view);
  const isWhole = isFitted(stage, view) && !isTrue;

  const change = useCallback(
    (next: (view: ProofView) => ProofView) => setOwnView((before) => next(before ?? fittedView(stage))),
    [stage],
  );
  const zoom = useCallback(
    (factor: number, at: Point = middle) => change((before) => zoomAt(stage, before, factor, at)),
    [change, stage],
  );
  const showTrueSize = useCallback(
    (at: Point = middle) => change((before) => zoomAt(stage, before, stage.trueScale / before.scale, at)),
    [change, stage],
  );
  const showWhole = () => setOwnView(undefined);
  const handlers = useFingers({ frameElement, stage, isWhole, change, zoom });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const acts: Record<string, () => void> = {
      '+': () => zoom(STEP),
      '=': () => zoom(STEP),
      '-': () => zoom(1 / STEP),
      '0': showWhole,
      '1': () => showTrueSize(),
      ArrowLeft: () => change((before) => moveBy(stage, before, { x: ARROW_PX, y: 0 })),
      ArrowRight: () => change((before) => moveBy(stage, before, { x: -ARROW_PX, y: 0 })),
      ArrowUp: () => change((before) => moveBy(stage, before, { x: 0, y: ARROW_PX })),
      ArrowDown: () => change((before) => moveBy(stage, before, { x: 0, y: -ARROW_PX })),
    };
    const act = acts[event.key];
    if (!act || (isWhole && event.key.startsWith('Arrow'))) return;
    event.preventDefault();
    act();
  };

  const [width, height] = [view.scale * pictureMm.width, view.scale * pictureMm.height];
  const barMm = barLengthMm(view.scale, BAR_PX);
  const percent = Math.round((view.scale / trueScale) * 100);
  return (
    <figure className="crop-marks min-w-0 bg-white">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset holds form fields; this holds a picture */}
      <div
        ref={frameElement}
        role="group"
        aria-label="The picture of your order. Plus and minus zoom, 1 shows the true size, 0 all of it, arrows move it."
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys zoom and move the picture here
        tabIndex={0}
        data-scale={view.scale.toFixed(4)}
        onKeyDown={onKeyDown}
        onDoubleClick={(event) => (isTrue ? showWhole() : showTrueSize(toFrame(frameElement.current, event)))}
        {...handlers}
        className={`relative h-[52dvh] min-h-64 overflow-hidden select-none focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent lg:h-[min(64dvh,600px)] ${isWhole ? 'touch-pan-y' : 'cursor-grab touch-none active:cursor-grabbing'}`}
      >
        <img
          src={url}
          alt={alt}
          draggable={false}
          className="absolute max-w-none"
          style={{
            width,
            height,
            left: frame.width / 2 - view.center.x * width,
            top: frame.height / 2 - view.center.y * height,
          }}
        />
        <span
          className="pointer-events-none absolute bottom-2 left-2 rounded-control bg-white/85 px-1.5 py-1 text-black text-xs"
          data-bar={barMm}
        >
          <span
            aria-hidden="true"
            className="block h-1.5 border-black border-x-2 border-b-2"
            style={{ width: barMm * view.scale }}
          />
          <span className="measure">{barMm} mm</span>
        </span>
      </div>
      <figcaption className="border-line border-t bg-paper">
        <div className="flex flex-wrap items-center gap-x-1 gap-y-1 px-2 py-1.5">
          <IconButton icon="minus" label="Zoom out" onClick={() => zoom(1 / STEP)} />
          <output aria-label="Shown size, in percent of the true size" className="measure w-14 text-center">
            {percent} %
          </output>
          <IconButton icon="plus" label="Zoom in" onClick={() => zoom(STEP)} />
          <Button variant="ghost" aria-pressed={isWhole} onClick={showWhole}>
            All of it
          </Button>
          <Button variant={isTrue ? 'secondary' : 'ghost'} aria-pressed={isTrue} onClick={() => showTrueSize()}>
            {isTrue && <Icon name="check" className="size-4" />}
            True size
          </Button>
          <Button
            variant="ghost"
            aria-expanded={isCardOpen}
            onClick={() => setCardOpen(!isCardOpen)}
            className="text-graphite sm:ml-auto"
          >
            Check this screen
          </Button>
        </div>
        {isCardOpen && (
          <CardCheck
            trueScale={trueScale}
            room={frame.width - 2 * CARD_MARGIN_PX}
            onChange={(next) => {
              setTrueScale(next);
              storeTrueScale(next);
              // A picture at its true size keeps that size.
              if (isTrue) setOwnView({ ...view, scale: next });
            }}
          />
        )}
      </figcaption>
    </figure>
  );
}

interface CardCheckProps {
  readonly trueScale: number;
  /** The width for the card in px. */
  readonly room: number;
  onChange(trueScale: number): void;
}

/** A bank card to hold against the screen: every one has the same size. A phone has room for an upright one. */
function CardCheck({ trueScale, room, onChange }: CardCheckProps) {
  const labelId = useId();
  const percent = Math.round((trueScale / CSS_PX_PER_MM) * 100);
  const isUpright = CARD_MM.width * trueScale > room;
  const width = isUpright ? CARD_MM.height : CARD_MM.width;
  return (
    <section
      aria-labelledby={labelId}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 overflow-hidden border-line border-t px-4 py-4"
    >
      <p id={labelId} className="text-sm">
        Hold a bank card {isUpright ? 'upright ' : ''}against the frame. If it is not as wide as the card, move the
        slider until it is.
      </p>
      <span
        aria-hidden="true"
        data-card=""
        className="block h-28 rounded-[10px] border-2 border-accent bg-accent-soft"
        style={{ width: width * trueScale }}
      />
      <div className="flex items-center gap-3">
        <Slider
          label="Width of the card on this screen, in percent"
          value={percent}
          min={60}
          max={180}
          onChange={(value) => onChange((CSS_PX_PER_MM * value) / 100)}
        />
        <span className="measure w-14 shrink-0 text-right">{percent} %</span>
      </div>
    </section>
  );
}

interface Fingers {
  readonly frameElement: { readonly current: HTMLDivElement | null };
  readonly stage: ProofStage;
  readonly isWhole: boolean;
  change(next: (view: ProofView) => ProofView): void;
  zoom(factor: number, at?: Point): void;
}

/** Moves with one finger or the mouse, zooms with two fingers or the wheel. A page that can scroll still does. */
function useFingers({ frameElement, stage, isWhole, change, zoom }: Fingers) {
  const pointers = useRef(new Map<number, Point>());
  // A wheel listener of React is passive and could not keep the page from zooming.
  useEffect(() => {
    const element = frameElement.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      const isZoom = event.ctrlKey || event.metaKey;
      if (!isZoom && isWhole) return;
      event.preventDefault();
      const px = event.deltaMode === 0 ? 1 : event.deltaMode === 1 ? 16 : 400;
      if (isZoom) zoom(Math.exp(-event.deltaY * px * 0.004), toFrame(element, event));
      else change((view) => moveBy(stage, view, { x: -event.deltaX * px, y: -event.deltaY * px }));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [frameElement, stage, isWhole, change, zoom]);

  const end = (event: PointerEvent) => void pointers.current.delete(event.pointerId);
  return {
    onPointerDown(event: PointerEvent<HTMLDivElement>) {
      if (event.pointerType === 'mouse' && event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      pointers.current.set(event.pointerId, toFrame(event.currentTarget, event));
    },
    onPointerMove(event: PointerEvent<HTMLDivElement>) {
      const from = pointers.current.get(event.pointerId);
      if (!from) return;
      const to = toFrame(event.currentTarget, event);
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
      pointers.current.set(event.pointerId, to);
      const before = other ? middleOf(from, other) : from;
      const after = other ? middleOf(to, other) : to;
      change((view) => moveBy(stage, view, { x: after.x - before.x, y: after.y - before.y }));
      if (other) zoom(distance(to, other) / Math.max(1, distance(from, other)), after);
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

const middleOf = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** Returns a point of the window measured from the middle of the frame. */
function toFrame(element: Element | null, { clientX, clientY }: { clientX: number; clientY: number }): Point {
  if (!element) return middle;
  const box = element.getBoundingClientRect();
  return { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 };
}

function useElementSize(element: { readonly current: Element | null }): Size {
  const [size, setSize] = useState<Size>({ width: 1, height: 1 });
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = () => {
      const { width, height } = current.getBoundingClientRect();
      setSize({ width: Math.max(1, width), height: Math.max(1, height) });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
