/** The picture of a blank with its print area, between two rulers that show the true size: dragged, pulled, drawn. */
import { MM_PER_INCH, RULER_PX, RulerTicks, type Unit } from '@markwright/editor';
import type { KeepOut, Point } from '@markwright/scene';
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import {
  dropCorner,
  keepOutsOf,
  placeKeepOut,
  readCorners,
  splitSide,
  withKeepOuts,
  writeCorners,
} from './areaShape.ts';
import { type AreaView, PICTURE_UNITS as UNIT } from './areaView.ts';
import { Grip } from './Grip.tsx';
import { growBy, moveBy, type PrintAreaCorner, pictureInches, pullCorner } from './printArea.ts';
import { type AreaEntry, keepOutNames } from './ShapeFields.tsx';

interface AreaPictureProps {
  readonly pictureUrl: string;
  /** Width over height. */
  readonly pictureAspect: number;
  readonly value: AreaEntry;
  readonly view: AreaView;
  readonly unit: Unit;
  /** The part kept free whose size has a grip. */
  readonly part: number | undefined;
  onChange(part: Partial<AreaEntry>): void;
  onChoosePart(part: number | undefined): void;
}

export function AreaPicture(props: AreaPictureProps) {
  const { pictureUrl, pictureAspect, value, view, unit } = props;
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const { x, y, width: w, height: h } = value.printArea;
  const height = width / pictureAspect;
  const pxPerMm = width / (pictureInches(value, pictureAspect).width * MM_PER_INCH);
  const toPlace = (event: PointerEvent): Point => {
    const box = frame.current!.getBoundingClientRect();
    return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
  };
  return (
    <div
      className="relative mx-auto w-full"
      style={{ maxWidth: 380 * Math.min(1, pictureAspect) + RULER_PX, paddingTop: RULER_PX, paddingLeft: RULER_PX }}
    >
      <div ref={frame} className="relative overflow-hidden bg-bone" style={{ aspectRatio: pictureAspect }}>
        <img src={pictureUrl} alt="" draggable={false} className="size-full select-none" />
        <AreaLines view={view} />
        <Rectangle {...props} toPlace={toPlace} />
        <PartGrips {...props} toPlace={toPlace} />
        <OutlineGrips {...props} toPlace={toPlace} frame={frame} />
      </div>
      {width > 0 && (
        <>
          <EdgeRuler axis="x" lengthPx={width} start={x} share={w} pxPerMm={pxPerMm} unit={unit} />
          <EdgeRuler axis="y" lengthPx={height} start={y} share={h} pxPerMm={pxPerMm} unit={unit} />
        </>
      )}
    </div>
  );
}

/** Darkens the picture outside the print area, and hatches the parts that stay free. */
function AreaLines({ view: { edge, keepOuts, grid, sides } }: { view: AreaView }) {
  const id = useId();
  const line = (d: string, className: string) => (
    <>
      <path d={d} strokeWidth={3} vectorEffect="non-scaling-stroke" className="fill-none stroke-white/50" />
      <path d={d} strokeWidth={1.25} vectorEffect="non-scaling-stroke" className={`fill-none ${className}`} />
    </>
  );
  return (
    <svg
      viewBox={`0 0 ${UNIT} ${UNIT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 size-full"
    >
      <clipPath id={`${id}edge`}>
        <path d={edge} clipRule="evenodd" />
      </clipPath>
      <pattern id={`${id}hatch`} width="18" height="18" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="18" height="18" className="fill-black/45" />
        <rect width="8" height="18" className="fill-white/60" />
      </pattern>
      <path d={`M0 0H${UNIT}V${UNIT}H0Z${edge}`} fillRule="evenodd" className="fill-black/28" />
      {grid && (
        <g clipPath={`url(#${id}edge)`}>
          <path d={grid} strokeWidth={1} vectorEffect="non-scaling-stroke" className="fill-none stroke-accent/55" />
        </g>
      )}
      {sides && line(sides, 'stroke-ink [stroke-dasharray:5_4]')}
      {keepOuts.map((d, i) => (
        <g key={i}>
          <path d={d} fill={`url(#${id}hatch)`} />
          {line(d, 'stroke-ink')}
        </g>
      ))}
      {line(edge, 'stroke-accent')}
    </svg>
  );
}

type WithPlace = AreaPictureProps & { toPlace(event: PointerEvent): Point };

/** The rectangle of the area: dragged as a whole, pulled at its corners, moved by keys. */
function Rectangle({ pictureAspect, value, view, toPlace, onChange }: WithPlace) {
  const drag = useRef<{ corner: PrintAreaCorner | undefined; start: Point; from: AreaEntry }>(undefined);
  const { x, y, width: w, height: h } = value.printArea;
  const startDrag = (corner: PrintAreaCorner | undefined) => (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { corner, start: toPlace(event), from: value };
  };
  const continueDrag = (event: PointerEvent) => {
    if (!drag.current) return;
    const { corner, start, from } = drag.current;
    const now = toPlace(event);
    const step = { x: now.x - start.x, y: now.y - start.y };
    if (corner === undefined) return onChange(moveBy(from, step.x, step.y));
    const { printArea } = from;
    const cornerAtStart = {
      x: printArea.x + (corner === 1 || corner === 2 ? printArea.width : 0),
      y: printArea.y + (corner > 1 ? printArea.height : 0),
    };
    onChange(pullCorner(from, corner, { x: cornerAtStart.x + step.x, y: cornerAtStart.y + step.y }, pictureAspect));
  };
  const endDrag = () => {
    drag.current = undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? 0.05 : 0.005;
    const change = {
      ArrowLeft: () => moveBy(value, -step, 0),
      ArrowRight: () => moveBy(value, step, 0),
      ArrowUp: () => moveBy(value, 0, -step),
      ArrowDown: () => moveBy(value, 0, step),
      '+': () => growBy(value, step, pictureAspect),
      '=': () => growBy(value, step, pictureAspect),
      '-': () => growBy(value, -step, pictureAspect),
    }[event.key];
    if (!change || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onChange(change());
  };
  // On a round blank, and for another shape, the rectangle is only the frame of the area.
  const isFrame = view.grid !== '' || (value.shape !== undefined && value.shape.kind !== 'rectangle');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not dragged
    <div
      role="group"
      aria-label="Print area. Arrow keys move it, shift for larger steps, plus and minus resize it."
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move it
      tabIndex={0}
      onPointerDown={startDrag(undefined)}
      onPointerMove={continueDrag}
      onPointerUp={endDrag}
      onPointerCancel={endDrag}
      onKeyDown={onKeyDown}
      className={`absolute cursor-move touch-none border focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent ${isFrame ? 'border-white/70 border-dashed' : 'border-accent'}`}
      style={{ left: `${x * 100}%`, top: `${y * 100}%`, width: `${w * 100}%`, height: `${h * 100}%` }}
    >
      {corners.map(({ corner, place, cursor }) => (
        <span
          key={corner}
          data-corner={corner}
          onPointerDown={startDrag(corner)}
          className={`absolute grid size-7 place-items-center ${place} ${cursor}`}
        >
          <span className="size-2.5 rounded-[2px] border border-accent bg-paper" />
        </span>
      ))}
    </div>
  );
}

/** A grip in the middle of each part that is kept free, and one for the size of the one that is chosen. */
function PartGrips({ value: { shape }, view, part: chosenPart, toPlace, onChange, onChoosePart }: WithPlace) {
  const parts = keepOutsOf(shape);
  const setPart = (index: number, next: KeepOut) =>
    onChange({
      shape: withKeepOuts(
        shape,
        parts.map((other, i) => (i === index ? next : other)),
      ),
    });
  return parts.map((part, index) => {
    const { x, y, width, height } = part;
    const name = `${keepOutNames[part.reason]} ${index + 1}`;
    return (
      <span key={index} className="contents">
        <Grip
          label={`${name}, kept free. Arrow keys move it, Delete removes it.`}
          place={view.toPicture({ x: x + width / 2, y: y + height / 2 })}
          toPlace={toPlace}
          onFocus={() => onChoosePart(index)}
          onMove={(place) => {
            const to = view.toArea(place);
            if (to) setPart(index, placeKeepOut(part, { x: to.x - width / 2, y: to.y - height / 2 }));
          }}
          onRemove={() => {
            onChoosePart(undefined);
            onChange({
              shape: withKeepOuts(
                shape,
                parts.filter((_, i) => i !== index),
              ),
            });
          }}
        />
        {chosenPart === index && (
          <Grip
            isSquare
            label={`Size of ${name}. Arrow keys change it.`}
            place={view.toPicture({ x: x + width, y: y + height })}
            toPlace={toPlace}
            onMove={(place) => {
              const to = view.toArea(place);
              if (to) setPart(index, placeKeepOut(part, { width: to.x - x, height: to.y - y }));
            }}
          />
        )}
      </span>
    );
  });
}

/** The corners of a drawn outline, and the grips between them that become corners when they are dragged. */
function OutlineGrips(props: WithPlace & { frame: RefObject<HTMLDivElement | null> }) {
  const { value, view, toPlace, onChange, frame } = props;
  const { shape } = value;
  const newCorner = useRef<number>(undefined);
  useEffect(() => {
    if (newCorner.current === undefined) return;
    frame.current?.querySelectorAll<HTMLElement>('[data-outline] > button')[newCorner.current]?.focus();
    newCorner.current = undefined;
  });
  const points = shape?.kind === 'outline' ? readCorners(shape.d) : undefined;
  if (!points || shape?.kind !== 'outline') return null;
  const draw = (next: readonly Point[]) => onChange({ shape: { ...shape, d: writeCorners(next) } });
  const moveCorner = (index: number, place: Point) => {
    const to = view.toArea(place);
    if (to) draw(points.map((other, i) => (i === index ? to : other)));
  };
  return (
    <>
      <span className="contents">
        {points.map((point, i) => {
          const after = points[(i + 1) % points.length]!;
          return (
            <Grip
              key={i}
              isQuiet
              label={`Side ${i + 1} of the outline. Dragged, or moved with an arrow key, it gets a corner.`}
              place={view.toPicture({ x: (point.x + after.x) / 2, y: (point.y + after.y) / 2 })}
              toPlace={toPlace}
              onMove={(place, isFirst) => {
                const to = view.toArea(place);
                if (!isFirst) return moveCorner((i + 1) % points.length, place);
                if (to) draw(splitSide(points, i, to));
              }}
            />
          );
        })}
      </span>
      <span data-outline className="contents">
        {points.map((point, i) => (
          <Grip
            key={i}
            isSquare
            label={`Corner ${i + 1} of the outline. Arrow keys move it, Delete removes it.`}
            place={view.toPicture(point)}
            toPlace={toPlace}
            onMove={(place) => moveCorner(i, place)}
            onRemove={() => {
              newCorner.current = Math.max(0, i - 1);
              draw(dropCorner(points, i));
            }}
          />
        ))}
      </span>
    </>
  );
}

interface EdgeRulerProps {
  readonly axis: 'x' | 'y';
  readonly lengthPx: number;
  /** Where the print area begins, and how long it is: shares of the picture's side. */
  readonly start: number;
  readonly share: number;
  readonly pxPerMm: number;
  readonly unit: Unit;
}

/** The ruler along the top or the left of the picture. It marks the print area, and counts from its edge. */
function EdgeRuler({ axis, lengthPx, start, share, pxPerMm, unit }: EdgeRulerProps) {
  const isTop = axis === 'x';
  const startPx = start * lengthPx;
  const markPx = share * lengthPx;
  return (
    <svg
      aria-hidden="true"
      width={isTop ? lengthPx : RULER_PX}
      height={isTop ? RULER_PX : lengthPx}
      className={`absolute border-line bg-paper ${isTop ? 'top-0 border-b' : 'left-0 border-r'}`}
      style={isTop ? { left: RULER_PX } : { top: RULER_PX }}
    >
      <rect
        {...(isTop ? { x: startPx, width: markPx, height: RULER_PX } : { y: startPx, height: markPx, width: RULER_PX })}
        className="fill-accent/14"
      />
      <RulerTicks axis={axis} lengthPx={lengthPx} zeroPx={startPx} pxPerMm={pxPerMm} unit={unit} />
    </svg>
  );
}

const corners = [
  { corner: 0, place: '-top-3.5 -left-3.5', cursor: 'cursor-nwse-resize' },
  { corner: 1, place: '-top-3.5 -right-3.5', cursor: 'cursor-nesw-resize' },
  { corner: 2, place: '-right-3.5 -bottom-3.5', cursor: 'cursor-nwse-resize' },
  { corner: 3, place: '-bottom-3.5 -left-3.5', cursor: 'cursor-nesw-resize' },
] as const;

function useWidth(element: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
