/** The cut-out on a checkerboard: compared with the original, zoomed, panned and painted on. */
import type { BrushStroke } from '@markwright/contract/schemas';
import { IconButton } from '@markwright/controls';
import { type Picture, type PixelBox, paintStroke, refineEdges } from '@markwright/matting';
import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { CutoutPictures } from '../../core/cutout/cutoutMachine.ts';
import {
  addPoint,
  type CutoutView,
  frameOf,
  panBy,
  reveal,
  type Size,
  wholeView,
  zoomAt,
} from '../../core/cutout/cutoutView.ts';
import { DividerLine } from '../stage/CompareDivider.tsx';

export type CutoutTool = 'compare' | BrushStroke['mode'];

interface StageProps {
  pictures: CutoutPictures | undefined;
  originalUrl: string;
  /** Of the picture itself, px. */
  size: Size;
  edgeShift: number;
  feather: number;
  strokes: readonly BrushStroke[];
  tool: CutoutTool;
  /** Of the brush, in longer sides. */
  radius: number;
  label: string;
  hintId: string;
  onStroke(stroke: BrushStroke): void;
  className?: string;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

const ZOOM_STEP = 1.5;
/** What one arrow key moves the brush by, px on the stage; with Shift eight times that. */
const KEY_STEP_PX = 6;

export function BackgroundStage({
  pictures,
  originalUrl,
  size,
  edgeShift,
  feather,
  strokes,
  tool,
  radius,
  label,
  hintId,
  onStroke,
  className = '',
}: StageProps) {
  const [stage, setStage] = useState<HTMLDivElement | null>(null);
  const stageSize = useSize(stage);
  const [view, setView] = useState<CutoutView>(wholeView);
  const [compareAt, setCompareAt] = useState(0.5);
  const [cursor, setCursor] = useState<Place & { readonly isByKeys: boolean }>();
  const { canvas, paint, stopPainting } = useCanvas(pictures, { edgeShift, feather, strokes });
  const isBrush = tool !== 'compare';
  const frame = frameOf(view, size, stageSize);

  const line = useRef<{ readonly points: readonly number[]; readonly isByKeys: boolean }>(undefined);
  const extend = ({ x, y }: Place, isByKeys: boolean) => {
    if (tool === 'compare' || !pictures) return;
    const reach = (radius * Math.max(size.width, size.height)) / 5;
    const least = { width: reach / size.width, height: reach / size.height };
    line.current = { points: addPoint(line.current?.points ?? [], x, y, least), isByKeys };
    paint({ mode: tool, radius, points: [...line.current.points] });
  };
  const end = () => {
    const { current } = line;
    line.current = undefined;
    if (current && tool !== 'compare') onStroke({ mode: tool, radius, points: [...current.points] });
  };
  const giveUp = () => {
    if (!line.current) return;
    line.current = undefined;
    stopPainting();
  };

  const pointers = useRef(new Map<number, Place>());
  const grip = useRef<'paint' | 'pan' | 'pinch'>(undefined);
  const onStage = (event: { clientX: number; clientY: number }): Place => {
    const box = stage!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const inPicture = ({ x, y }: Place): Place => ({
    x: (x - frame.left) / frame.width,
    y: (y - frame.top) / frame.height,
  });

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (!pictures || (event.target as Element).closest('[role=slider], button')) return;
    const isMiddle = event.pointerType === 'mouse' && event.button === 1;
    if (event.button !== 0 && !isMiddle) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = onStage(event);
    pointers.current.set(event.pointerId, at);
    if (pointers.current.size > 1) {
      // The second finger: what the first one painted was on its way to a pinch.
      giveUp();
      grip.current = 'pinch';
      setCursor(undefined);
    } else if (isBrush && !isMiddle) {
      grip.current = 'paint';
      setCursor({ ...inPicture(at), isByKeys: false });
      extend(inPicture(at), false);
    } else {
      grip.current = 'pan';
    }
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const at = onStage(event);
    if (isBrush && (event.pointerType !== 'touch' || grip.current === 'paint')) {
      setCursor({ ...inPicture(at), isByKeys: false });
    }
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    if (grip.current === 'paint') {
      const between = event.nativeEvent.getCoalescedEvents?.() ?? [];
      for (const passed of between.length > 0 ? between : [event.nativeEvent]) {
        extend(inPicture(onStage(passed)), false);
      }
    } else if (grip.current === 'pan') {
      setView((now) => panBy(now, at.x - before.x, at.y - before.y, size, stageSize));
    } else if (grip.current === 'pinch') {
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const apart = (place: Place) => Math.max(1, Math.hypot(place.x - other.x, place.y - other.y));
        const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 };
        setView((now) =>
          zoomAt(
            panBy(now, (at.x - before.x) / 2, (at.y - before.y) / 2, size, stageSize),
            apart(at) / apart(before),
            middle,
            size,
            stageSize,
          ),
        );
      }
    }
    pointers.current.set(event.pointerId, at);
  };
  const onPointerUp = (event: PointerEvent) => {
    if (!pointers.current.delete(event.pointerId)) return;
    if (grip.current === 'paint') end();
    if (pointers.current.size === 0) grip.current = undefined;
  };
  const onPointerCancel = (event: PointerEvent) => {
    giveUp();
    onPointerUp(event);
  };

  const zoom = (factor: number, at: Place = { x: stageSize.width / 2, y: stageSize.height / 2 }) =>
    setView((now) => zoomAt(now, factor, at, size, stageSize));
  useEffect(() => {
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = stage!.getBoundingClientRect();
      const at = { x: event.clientX - box.left, y: event.clientY - box.top };
      setView((now) => zoomAt(now, Math.exp(-event.deltaY * 0.002), at, size, stageSize));
    };
    stage?.addEventListener('wheel', onWheel, { passive: false });
    return () => stage?.removeEventListener('wheel', onWheel);
  }, [stage, size, stageSize]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = arrows[event.key];
    if (event.key === '+' || event.key === '=') zoom(ZOOM_STEP);
    else if (event.key === '-') zoom(1 / ZOOM_STEP);
    else if (event.key === '0') setView(wholeView);
    else if (arrow && !isBrush) {
      setView((now) => panBy(now, -40 * arrow[0], -40 * arrow[1], size, stageSize));
    } else if (arrow) {
      const from = cursor ?? inPicture({ x: stageSize.width / 2, y: stageSize.height / 2 });
      const step = KEY_STEP_PX * (event.shiftKey ? 8 : 1);
      const inside = (value: number) => Math.min(1, Math.max(0, value));
      const to = {
        x: inside(from.x + (arrow[0] * step) / frame.width),
        y: inside(from.y + (arrow[1] * step) / frame.height),
      };
      setCursor({ ...to, isByKeys: true });
      setView((now) => reveal(now, to, size, stageSize));
      if (line.current) extend(to, true);
    } else if (event.key === ' ' && isBrush) {
      if (!event.repeat) {
        const at = cursor ?? inPicture({ x: stageSize.width / 2, y: stageSize.height / 2 });
        setCursor({ x: at.x, y: at.y, isByKeys: true });
        extend(at, true);
      }
    } else return;
    event.preventDefault();
  };
  const onKeyUp = (event: KeyboardEvent) => {
    if (event.key === ' ' && line.current?.isByKeys) end();
  };

  const box = { left: frame.left, top: frame.top, width: frame.width, height: frame.height };
  const seen = { left: Math.max(0, frame.left), right: Math.min(stageSize.width, frame.left + frame.width) };
  const dividerX = seen.left + compareAt * (seen.right - seen.left);
  const brushPx = (radius * Math.max(size.width, size.height) * frame.width) / size.width;
  return (
    <div className={`relative ${className}`}>
      <div
        ref={setStage}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is worked on by keys
        tabIndex={0}
        aria-label={label}
        aria-describedby={hintId}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerCancel}
        onPointerLeave={() => setCursor((now) => (now?.isByKeys ? now : undefined))}
        onKeyDown={onKeyDown}
        onKeyUp={onKeyUp}
        onBlur={() => line.current?.isByKeys && end()}
        className={`absolute inset-0 touch-none overflow-hidden rounded-card bg-bone focus-visible:outline-2 focus-visible:outline-accent focus-visible:-outline-offset-2 ${
          isBrush && pictures ? 'cursor-none' : view.zoom > 1 ? 'cursor-grab active:cursor-grabbing' : ''
        }`}
      >
        <div className="absolute isolate" style={{ ...box, ...checkerboard }}>
          <canvas ref={canvas} className="pointer-events-none absolute inset-0 size-full" />
          {/* Faint below what stays while it is painted on; above it as far as the line. One element, decoded once. */}
          <img
            src={originalUrl}
            alt=""
            draggable={false}
            className={`pointer-events-none absolute inset-0 size-full select-none ${isBrush && pictures ? '-z-10 opacity-20' : ''}`}
            style={
              isBrush || !pictures
                ? undefined
                : { clipPath: `inset(0 ${Math.max(0, frame.left + frame.width - dividerX)}px 0 0)` }
            }
          />
        </div>
        {!isBrush && pictures && <DividerLine {...seen} at={compareAt} before="original" onMove={setCompareAt} />}
        {isBrush && pictures && cursor && (
          <BrushMark
            x={frame.left + cursor.x * frame.width}
            y={frame.top + cursor.y * frame.height}
            radius={brushPx}
            mode={tool}
          />
        )}
      </div>
      <div className="absolute top-2 right-2 flex rounded-control border border-line bg-paper shadow-float">
        <IconButton icon="minus" label="Zoom out" disabled={view.zoom <= 1} onClick={() => zoom(1 / ZOOM_STEP)} />
        <IconButton icon="plus" label="Zoom in" disabled={!pictures} onClick={() => zoom(ZOOM_STEP)} />
        <IconButton
          icon="expand"
          label="All of the picture"
          disabled={view.zoom <= 1}
          onClick={() => setView(wholeView)}
        />
      </div>
      <p role="status" className="sr-only">
        {isBrush && cursor?.isByKeys
          ? `Brush at ${Math.round(100 * cursor.x)} % across, ${Math.round(100 * cursor.y)} % down`
          : ''}
      </p>
    </div>
  );
}

const arrows: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const checkerboard = {
  backgroundColor: '#fff',
  backgroundImage: 'repeating-conic-gradient(#dcd8d0 0 25%, transparent 0 50%)',
  backgroundSize: '12px 12px',
};

/** The brush's rim, white within dark so that it shows on every picture, and what it does. */
function BrushMark({ x, y, radius, mode }: Place & { radius: number; mode: BrushStroke['mode'] }) {
  const r = Math.max(2, radius);
  return (
    <svg
      aria-hidden="true"
      data-brush=""
      className="pointer-events-none absolute overflow-visible"
      style={{ left: x, top: y }}
      width="1"
      height="1"
      fill="none"
    >
      <circle r={r} stroke="#000" strokeOpacity="0.6" strokeWidth="3" />
      <circle r={r} stroke="#fff" strokeWidth="1.25" />
      <path d={mode === 'keep' ? 'M-4 0h8M0-4v8' : 'M-4 0h8'} stroke="#000" strokeOpacity="0.6" strokeWidth="3.5" />
      <path d={mode === 'keep' ? 'M-4 0h8M0-4v8' : 'M-4 0h8'} stroke="#fff" strokeWidth="1.5" />
    </svg>
  );
}

function useSize(element: HTMLElement | null): Size {
  const [size, setSize] = useState<Size>({ width: 1, height: 1 });
  useLayoutEffect(() => {
    if (!element) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

interface Finish {
  readonly edgeShift: number;
  readonly feather: number;
  readonly strokes: readonly BrushStroke[];
}

/**
 * Returns a canvas that shows the finished cut-out. A line that is being painted is drawn over it, only where it lies.
 */
function useCanvas(pictures: CutoutPictures | undefined, { edgeShift, feather, strokes }: Finish) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const edges = useMemo(
    () => pictures && refineEdges(pictures.original, pictures.cutout, { edgeShift, feather }),
    [pictures, edgeShift, feather],
  );
  const done = useRef<{ readonly edges: Picture; readonly strokes: readonly BrushStroke[]; readonly picture: Picture }>(
    undefined,
  );
  /** What is shown while a line is painted, and where it differs from what is finished. */
  const shown = useRef<{ readonly picture: Picture; box: PixelBox }>(undefined);

  useLayoutEffect(() => {
    const element = canvas.current;
    if (!element || !pictures || !edges) return;
    const before = done.current;
    // One stroke more is painted over those that are there.
    const isNext =
      before?.edges === edges &&
      strokes.length >= before.strokes.length &&
      before.strokes.every((stroke, i) => stroke === strokes[i]);
    const picture = isNext ? before.picture : copyOf(edges);
    for (const stroke of isNext ? strokes.slice(before.strokes.length) : strokes) {
      paintStroke(pictures.original, picture, stroke);
    }
    done.current = { edges, strokes, picture };
    shown.current = undefined;
    if (element.width !== picture.width || element.height !== picture.height) {
      element.width = picture.width;
      element.height = picture.height;
    }
    element.getContext('2d')?.putImageData(toImageData(picture), 0, 0);
  }, [pictures, edges, strokes]);

  const show = (picture: Picture, { left, top, right, bottom }: PixelBox) => {
    if (right <= left || bottom <= top) return;
    canvas.current?.getContext('2d')?.putImageData(toImageData(picture), 0, 0, left, top, right - left, bottom - top);
  };
  return {
    canvas,
    paint(stroke: BrushStroke) {
      const finished = done.current?.picture;
      if (!finished || !pictures) return;
      shown.current ??= { picture: copyOf(finished), box: { left: 0, top: 0, right: 0, bottom: 0 } };
      const { picture, box } = shown.current;
      copyBox(finished, picture, box);
      shown.current.box = paintStroke(pictures.original, picture, stroke);
      show(picture, shown.current.box);
    },
    stopPainting() {
      if (done.current && shown.current) show(done.current.picture, shown.current.box);
      shown.current = undefined;
    },
  };
}

const copyOf = ({ width, height, data }: Picture): Picture => ({ width, height, data: data.slice() });

const toImageData = ({ width, height, data }: Picture): ImageData =>
  new ImageData(new Uint8ClampedArray(data.buffer as ArrayBuffer, data.byteOffset, data.length), width, height);

function copyBox(from: Picture, to: Picture, { left, top, right, bottom }: PixelBox): void {
  for (let y = top; y < bottom; y++) {
    const [start, end] = [4 * (y * from.width + left), 4 * (y * from.width + right)];
    to.data.set(from.data.subarray(start, end), start);
  }
}
