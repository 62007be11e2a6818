/** The picture as it was taken, with four handles at the corners of what becomes the straightened picture. */
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import type { Corners } from '../../core/cutout/straighten.ts';
import { arrowKeys } from '../../core/document/keymap.ts';

type Corner = Corners[number];

const names = ['Top left corner', 'Top right corner', 'Bottom right corner', 'Bottom left corner'] as const;

/** Room around the picture, in widths and heights of it: a handle at its edge can be taken hold of. */
const ROOM = 0.05;
/** The side of the magnifier in px, and how much larger it shows the picture. */
const LOUPE_PX = 112;
const LOUPE_ZOOM = 3;

interface CornersFrameProps {
  corners: Corners;
  /** The picture's size in its own pixels. */
  size: { readonly width: number; readonly height: number };
  picture: ReactNode;
  /** The address of the picture that is shown, for the magnifier. */
  source: string | undefined;
  hintId: string;
  onChange(corners: Corners): void;
}

export function CornersFrame({ corners, size, picture, source, hintId, onChange }: CornersFrameProps) {
  const sheet = useRef<HTMLDivElement>(null);
  const drag = useRef<{ readonly at: number; readonly dx: number; readonly dy: number }>(undefined);
  /** The corner that is being moved, which the magnifier shows. */
  const [active, setActive] = useState<number>();
  // It does not follow the handles, which would move away from the pointer.
  const [view, setView] = useState(() => viewOf(corners));
  if (corners.some((corner) => !isInside(corner, view))) setView(viewOf(corners));

  const move = (at: number, { x, y }: Corner) => {
    const clamp = (value: number, from: number, to: number) => Math.min(to, Math.max(from, value));
    const place = { x: clamp(x, view.left, view.right), y: clamp(y, view.top, view.bottom) };
    onChange(corners.map((corner, i) => (i === at ? place : corner)) as unknown as Corners);
  };
  /** Returns where the pointer is, in fractions of the picture. */
  const toFractions = (event: PointerEvent): Corner | undefined => {
    const box = sheet.current?.getBoundingClientRect();
    return (
      box && {
        x: view.left + ((event.clientX - box.left) / box.width) * (view.right - view.left),
        y: view.top + ((event.clientY - box.top) / box.height) * (view.bottom - view.top),
      }
    );
  };
  const onPointerDown = (event: PointerEvent<HTMLButtonElement>, at: number) => {
    const pointer = toFractions(event);
    if (event.button !== 0 || drag.current || !pointer) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.focus();
    setActive(at);
    drag.current = { at, dx: corners[at]!.x - pointer.x, dy: corners[at]!.y - pointer.y };
  };
  const onPointerMove = (event: PointerEvent) => {
    const pointer = toFractions(event);
    if (drag.current && pointer)
      move(drag.current.at, { x: pointer.x + drag.current.dx, y: pointer.y + drag.current.dy });
  };
  const onPointerEnd = () => {
    drag.current = undefined;
    setActive(undefined);
  };
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const arrow = arrowKeys[event.key];
    if (!arrow) return;
    event.preventDefault();
    const step = event.shiftKey ? 10 : 1;
    const { x, y } = corners[at]!;
    setActive(at);
    move(at, { x: x + (arrow[0] * step) / size.width, y: y + (arrow[1] * step) / size.height });
  };

  const [across, down] = [view.right - view.left, view.bottom - view.top];
  const left = (x: number) => `${(100 * (x - view.left)) / across}%`;
  const top = (y: number) => `${(100 * (y - view.top)) / down}%`;
  const aspect = (across * size.width) / (down * size.height);
  const outline = `M${corners.map(({ x, y }) => `${x} ${y}`).join('L')}Z`;
  return (
    <div className="grid place-items-center rounded-card bg-bone p-2">
      <div
        ref={sheet}
        className="relative overflow-clip"
        style={{ aspectRatio: aspect, width: `min(100%, calc(60dvh * ${aspect}))` }}
      >
        <div
          className="absolute bg-white"
          style={{ left: left(0), top: top(0), width: `${100 / across}%`, height: `${100 / down}%` }}
        >
          {picture}
        </div>
        <svg
          aria-hidden="true"
          className="pointer-events-none absolute inset-0 size-full"
          viewBox={`${view.left} ${view.top} ${across} ${down}`}
          preserveAspectRatio="none"
        >
          <path
            d={`M${view.left} ${view.top}H${view.right}V${view.bottom}H${view.left}Z${outline}`}
            fillRule="evenodd"
            className="fill-black/45"
          />
          <path d={outline} fill="none" className="stroke-black/50" strokeWidth={3} vectorEffect="non-scaling-stroke" />
          <path d={outline} fill="none" className="stroke-white" strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
        </svg>
        {corners.map((corner, at) => (
          <button
            key={names[at]}
            type="button"
            aria-label={`${names[at]} at ${Math.round(corner.x * size.width)}, ${Math.round(corner.y * size.height)}`}
            aria-describedby={hintId}
            onPointerDown={(event) => onPointerDown(event, at)}
            onPointerMove={onPointerMove}
            onPointerUp={onPointerEnd}
            onPointerCancel={onPointerEnd}
            onKeyDown={(event) => onKeyDown(event, at)}
            onBlur={() => setActive(undefined)}
            className="group absolute grid size-8 -translate-x-1/2 -translate-y-1/2 cursor-move touch-none place-items-center rounded-full outline-none pointer-coarse:size-11"
            style={{ left: left(corner.x), top: top(corner.y) }}
          >
            <span className="size-3.5 rounded-full border-2 border-accent bg-white shadow-[0_0_0_1px_rgb(255_255_255/0.8)] group-focus-visible:outline-2 group-focus-visible:outline-offset-2 group-focus-visible:outline-accent pointer-coarse:size-4.5" />
          </button>
        ))}
        {active !== undefined && source && (
          <Loupe
            corner={corners[active]!}
            source={source}
            // Away from the handle, which a finger covers.
            isRight={corners[active]!.x < 0.5}
            pictureWidth={(sheet.current?.clientWidth ?? 0) / across}
            pictureHeight={(sheet.current?.clientHeight ?? 0) / down}
          />
        )}
      </div>
    </div>
  );
}

/** Returns the picture with room around it, and all of the corners. */
function viewOf(corners: Corners) {
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  return {
    left: Math.min(0, ...xs) - ROOM,
    right: Math.max(1, ...xs) + ROOM,
    top: Math.min(0, ...ys) - ROOM,
    bottom: Math.max(1, ...ys) + ROOM,
  };
}

const isInside = ({ x, y }: Corner, view: ReturnType<typeof viewOf>): boolean =>
  x >= view.left && x <= view.right && y >= view.top && y <= view.bottom;

interface LoupeProps {
  corner: Corner;
  source: string;
  isRight: boolean;
  /** The picture's size on the screen. */
  pictureWidth: number;
  pictureHeight: number;
}

/** A magnifier of the picture around a corner, with a cross at the corner itself. */
function Loupe({ corner, source, isRight, pictureWidth, pictureHeight }: LoupeProps) {
  const [width, height] = [pictureWidth * LOUPE_ZOOM, pictureHeight * LOUPE_ZOOM];
  return (
    <div
      aria-hidden="true"
      className={`pointer-events-none absolute top-2 overflow-hidden rounded-full border-2 border-white bg-bone shadow-float ${isRight ? 'right-2' : 'left-2'}`}
      style={{ width: LOUPE_PX, height: LOUPE_PX }}
    >
      <img
        src={source}
        alt=""
        className="absolute max-w-none"
        style={{
          width,
          height,
          left: LOUPE_PX / 2 - 2 - corner.x * width,
          top: LOUPE_PX / 2 - 2 - corner.y * height,
        }}
      />
      <span className="absolute inset-y-0 left-1/2 w-px -translate-x-1/2 bg-accent" />
      <span className="absolute inset-x-0 top-1/2 h-px -translate-y-1/2 bg-accent" />
    </div>
  );
}
