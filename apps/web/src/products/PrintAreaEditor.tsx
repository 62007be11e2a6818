import { parseDimensions } from '@markwright/contract/words';
import { NumberField, SegmentedControl, Select } from '@markwright/controls';
import { MM_PER_INCH, RULER_PX, RulerTicks, toUnit, type Unit } from '@markwright/editor';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { blanks } from './blanks.ts';
import {
  growBy,
  moveBy,
  type PrintArea,
  type PrintAreaCorner,
  pictureInches,
  pullCorner,
  resize,
  SIDE_INCHES,
  writeDimensions,
} from './printArea.ts';

interface Props {
  /** The stored picture, or the one that was just chosen. */
  readonly pictureUrl: string;
  /** Width over height. */
  readonly pictureAspect: number;
  readonly value: PrintArea;
  onChange(value: PrintArea): void;
}

/** Edits the print area: a person drags the rectangle on the picture and types its true size. */
export function PrintAreaEditor({ pictureUrl, pictureAspect, value, onChange }: Props) {
  const [unit, setUnit] = useState<Unit>('in');
  const { widthInches, heightInches } = parseDimensions(value.dimensions);
  const sides = { Width: widthInches, Height: heightInches };
  const setSide = (side: SideName, inches: number) => {
    const next = { ...sides, [side]: inches };
    onChange(resize(value, writeDimensions(next.Width, next.Height), pictureAspect));
  };
  const whole = pictureInches(value, pictureAspect);
  const length = (inches: number) => Number(toUnit(inches * MM_PER_INCH, unit).toFixed(unit === 'in' ? 2 : 1));
  return (
    <div className="grid gap-x-5 gap-y-4 sm:grid-cols-[minmax(0,1fr)_200px]">
      <Picture {...{ pictureUrl, pictureAspect, value, onChange, unit }} />
      <div className="flex flex-col gap-3">
        <div className="flex flex-col gap-1">
          <span className="text-xs font-medium text-graphite">Start from</span>
          <Select
            label="Size of a common blank"
            value={
              blanks.flatMap(({ options }) => options).find(({ dimensions }) => dimensions === value.dimensions)
                ?.name ?? OWN_SIZE
            }
            options={[
              { value: OWN_SIZE, label: 'My own size' },
              ...blanks.map(({ label, options }) => ({
                label,
                options: options.map(({ name }) => ({ value: name, label: name })),
              })),
            ]}
            onChange={(name) => {
              const blank = blanks.flatMap(({ options }) => options).find((option) => option.name === name);
              if (blank) onChange(resize(value, blank.dimensions, pictureAspect));
            }}
          />
        </div>
        <div className="flex flex-col gap-1.5">
          <div className="flex items-center justify-between">
            <span className="text-xs font-medium text-graphite">Print area</span>
            <SegmentedControl<Unit>
              label="Unit"
              value={unit}
              options={(['in', 'mm'] as const).map((value) => ({ value, label: value }))}
              onChange={setUnit}
            />
          </div>
          <div className="flex gap-2">
            {(['Width', 'Height'] as const).map((name) => (
              <SideLength
                key={name}
                name={name}
                inches={sides[name]}
                unit={unit}
                onCommit={(inches) => setSide(name, inches)}
              />
            ))}
          </div>
        </div>
        <div className="flex flex-col gap-1.5">
          <span className="text-xs font-medium text-graphite">On the picture</span>
          <div className="grid grid-cols-2 gap-2">
            <Share
              name="From the left"
              prefix="X"
              share={value.printArea.x}
              onCommit={(x) => onChange(moveBy(value, x - value.printArea.x, 0))}
            />
            <Share
              name="From the top"
              prefix="Y"
              share={value.printArea.y}
              onCommit={(y) => onChange(moveBy(value, 0, y - value.printArea.y))}
            />
            <Share
              name="Width on the picture"
              prefix="W"
              share={value.printArea.width}
              onCommit={(width) => onChange(growBy(value, width - value.printArea.width, pictureAspect))}
            />
          </div>
        </div>
        <p className="text-xs text-graphite">
          The whole picture is then{' '}
          <span className="measure text-ink">
            {length(whole.width)} × {length(whole.height)} {unit}
          </span>
          . Measure your blank: cups of one name differ by brand.
        </p>
      </div>
    </div>
  );
}

const OWN_SIZE = 'own';

type SideName = 'Width' | 'Height';

function SideLength(props: { name: SideName; inches: number; unit: Unit; onCommit(inches: number): void }) {
  const { name, inches, unit, onCommit } = props;
  const perInch = unit === 'in' ? 1 : MM_PER_INCH;
  return (
    <NumberField
      label={`${name} in ${unit === 'in' ? 'inches' : 'millimeters'}`}
      prefix={name[0]}
      unit={unit}
      value={inches * perInch}
      min={SIDE_INCHES.min * perInch}
      max={SIDE_INCHES.max * perInch}
      step={unit === 'in' ? 0.05 : 1}
      decimals={unit === 'in' ? 3 : 1}
      onCommit={(side) => onCommit(side / perInch)}
      className="min-w-0 flex-1"
    />
  );
}

function Share(props: { name: string; prefix: string; share: number; onCommit(share: number): void }) {
  const { name, prefix, share, onCommit } = props;
  return (
    <NumberField
      label={`${name} in percent`}
      prefix={prefix}
      unit="%"
      value={share * 100}
      min={0}
      max={100}
      step={0.5}
      decimals={1}
      onCommit={(percent) => onCommit(percent / 100)}
      className="min-w-0"
    />
  );
}

/** The picture with the rectangle on it, between two rulers that show the true size. */
function Picture({ pictureUrl, pictureAspect, value, onChange, unit }: Props & { unit: Unit }) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const drag = useRef<{ corner: PrintAreaCorner | undefined; start: { x: number; y: number }; from: PrintArea }>(
    undefined,
  );
  const { x, y, width: w, height: h } = value.printArea;
  const height = width / pictureAspect;
  const pxPerMm = width / (pictureInches(value, pictureAspect).width * MM_PER_INCH);

  const toFractions = (event: PointerEvent) => {
    const box = frame.current!.getBoundingClientRect();
    return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
  };
  const startDrag = (corner: PrintAreaCorner | undefined) => (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { corner, start: toFractions(event), from: value };
  };
  const continueDrag = (event: PointerEvent) => {
    if (!drag.current) return;
    const { corner, start, from } = drag.current;
    const now = toFractions(event);
    const step = { x: now.x - start.x, y: now.y - start.y };
    if (corner === undefined) onChange(moveBy(from, step.x, step.y));
    else {
      const { printArea } = from;
      const cornerAtStart = {
        x: printArea.x + (corner === 1 || corner === 2 ? printArea.width : 0),
        y: printArea.y + (corner > 1 ? printArea.height : 0),
      };
      onChange(pullCorner(from, corner, { x: cornerAtStart.x + step.x, y: cornerAtStart.y + step.y }, pictureAspect));
    }
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

  return (
    <div
      className="relative mx-auto w-full"
      style={{ maxWidth: 380 * Math.min(1, pictureAspect) + RULER_PX, paddingTop: RULER_PX, paddingLeft: RULER_PX }}
    >
      <div ref={frame} className="relative overflow-hidden bg-bone" style={{ aspectRatio: pictureAspect }}>
        <img src={pictureUrl} alt="" draggable={false} className="size-full select-none" />
        {/* The shadow of the rectangle darkens the picture around it. */}
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is not dragged */}
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
          className="absolute cursor-move touch-none border border-accent shadow-[0_0_0_2000px_rgb(0_0_0/0.28)] focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent"
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
