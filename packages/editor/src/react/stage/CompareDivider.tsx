/**
 * Compares a picture, left of a line, with its trace, right of it. The picture lies where the artwork does; it is in no
 * scene and no file.
 */
import {
  type Artwork,
  applyMatrix,
  type Matrix,
  multiply,
  type Point,
  type Scene,
  scale,
  straightenedSize,
  translate,
} from '@markwright/scene';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { cssStraighten } from '../../core/cutout/straighten.ts';
import { activeArtwork } from '../../core/document/editor.ts';
import type { PlacedTrace } from '../../core/document/viewOptions.ts';
import { areaCorners, type Size, type StageView, sceneToScreen } from '../../core/pointer/stageView.ts';
import { useDesignState, useEditor, useEditorState } from '../EditorProvider.tsx';

/** Returns the corners of the artwork's frame on the screen: its picture may reach further than its ink. */
function frameCorners(view: StageView, { group }: PlacedTrace, { width, height }: Artwork): Point[] {
  const corners = [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: width, y: height },
    { x: 0, y: height },
  ];
  return corners.map((corner) => sceneToScreen(view, applyMatrix(group.matrix, corner)));
}

/** Returns where the visible part of the artwork begins and ends on the screen, in px. */
function spanOf(
  view: StageView,
  { scene, frame, size }: { scene: Scene; frame: readonly Point[]; size: Size },
): { left: number; right: number } {
  const across = (corners: readonly { x: number }[]) => corners.map(({ x }) => x);
  const art = across(frame);
  const area = across(areaCorners(view, scene));
  const left = Math.max(0, Math.min(...art), Math.min(...area));
  const right = Math.min(size.width, Math.max(...art), Math.max(...area));
  // Artwork outside the stage or the machine area still gets a line somewhere in view.
  return right - left >= 1 ? { left, right } : { left: 0, right: size.width };
}

const polygon = (corners: readonly { x: number; y: number }[]) =>
  `polygon(${corners.map(({ x, y }) => `${x}px ${y}px`).join(', ')})`;

const cssMatrix = ({ a, b, c, d, e, f }: Matrix) => `matrix(${a}, ${b}, ${c}, ${d}, ${e}, ${f})`;

interface CompareProps {
  view: StageView;
  trace: PlacedTrace;
  matrix: Matrix;
  size: Size;
  /** 0…1 of what is seen of the artwork. */
  at: number;
}

/** The product as it is, and the picture on it, as far as the line. */
export function Before({ view, trace, matrix, size, at }: CompareProps) {
  const scene = useEditorState((state) => state.scene);
  const artwork = useEditorState(activeArtwork);
  const design = useDesignState((state) => state.design);
  const crop = useDesignState((state) => state.settings.crop);
  const straighten = useDesignState((state) => state.settings.straighten);
  if (!artwork || !design) return null;
  const frame = frameCorners(view, trace, artwork);
  const { left, right } = spanOf(view, { scene, frame, size });
  const { x, y, width, height } = crop ?? { x: 0, y: 0, width: 1, height: 1 };
  const whole = straighten ? straightenedSize(straighten, design) : design;
  // The whole picture, straightened if it is, so that the part that is traced fills the artwork's box.
  const toBox = multiply(
    matrix,
    scale(artwork.width / width, artwork.height / height),
    translate(-x, -y),
    scale(1 / whole.width, 1 / whole.height),
  );
  const world = multiply(view.toScreen, scale(1 / view.pxPerMm));
  return (
    <div
      aria-hidden="true"
      data-compare="before"
      className="pointer-events-none absolute inset-0 overflow-hidden"
      style={{ clipPath: `inset(0 ${size.width - (left + at * (right - left))}px 0 0)` }}
    >
      <div className="absolute inset-0" style={{ clipPath: polygon(areaCorners(view, scene)) }}>
        <div className="absolute inset-0 bg-(--stage)" style={{ clipPath: polygon(frame) }}>
          {scene.backdrop && (
            <img
              src={scene.backdrop.pictureHref}
              alt=""
              draggable={false}
              className="absolute top-0 left-0 max-w-none origin-top-left"
              style={{
                width: view.picture.width * view.pxPerMm,
                height: view.picture.height * view.pxPerMm,
                transform: cssMatrix(world),
              }}
            />
          )}
          <img
            src={design.backgroundRemovedUrl ?? design.originalFileUrl}
            alt=""
            draggable={false}
            width={design.width}
            height={design.height}
            className="absolute top-0 left-0 max-w-none origin-top-left"
            style={{
              width: design.width,
              height: design.height,
              transform: `${cssMatrix(toBox)} ${straighten ? cssStraighten(straighten, design) : ''}`,
            }}
          />
        </div>
      </div>
    </div>
  );
}

const STEP = 0.02;

/** The line itself, over the stage. */
export function Divider({ view, trace, size, at }: Omit<CompareProps, 'matrix'>) {
  const editor = useEditor();
  const scene = useEditorState((state) => state.scene);
  const artwork = useEditorState(activeArtwork);
  if (!artwork) return null;
  return (
    <DividerLine
      {...spanOf(view, { scene, frame: frameCorners(view, trace, artwork), size })}
      at={at}
      before="picture"
      onMove={(compareAt) => editor.setViewOptions({ compareAt })}
      onLeave={() => editor.setViewOptions({ compareAt: undefined })}
    />
  );
}

interface DividerLineProps {
  /** Where it may stand in the box around it, px. */
  left: number;
  right: number;
  /** The position of the divider between `left` and `right`, 0…1. */
  at: number;
  /** The name of the side to the left of it. */
  before: string;
  onMove(at: number): void;
  /** Called on Escape, where that ends the comparison. */
  onLeave?(): void;
}

/** A line between before and after, to be dragged or moved by arrow keys. */
export function DividerLine({ left, right, at, before, onMove, onLeave }: DividerLineProps) {
  const x = left + at * (right - left);
  const grip = useRef<number>(undefined);
  const move = (to: number) => onMove(Math.min(1, Math.max(0, to)));

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? 5 * STEP : STEP;
    const to = {
      ArrowLeft: at - step,
      ArrowDown: at - step,
      ArrowRight: at + step,
      ArrowUp: at + step,
      Home: 0,
      End: 1,
    }[event.key];
    if (onLeave && (event.key === 'Escape' || event.key === '\\')) onLeave();
    else if (to === undefined) return;
    else move(to);
    event.preventDefault();
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    grip.current = event.clientX - x;
  };
  const onPointerMove = (event: PointerEvent) => {
    if (grip.current !== undefined) move((event.clientX - grip.current - left) / (right - left));
  };
  const onPointerUp = () => {
    grip.current = undefined;
  };
  const percent = Math.round(at * 100);
  return (
    <div className="pointer-events-none absolute inset-0 overflow-hidden">
      <div
        role="slider"
        tabIndex={0}
        aria-label="Before and after"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={`${percent} % ${before}`}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
        className="group pointer-events-auto absolute inset-y-0 w-9 -translate-x-1/2 cursor-ew-resize touch-none outline-none"
        style={{ left: x }}
      >
        <span className="absolute inset-y-0 left-1/2 w-px -translate-x-1/2 bg-paper shadow-[0_0_0_1px_rgb(var(--shade)/.55)]" />
        <span className="absolute bottom-3 left-1/2 grid size-9 -translate-x-1/2 place-items-center rounded-full border border-edge bg-paper text-ink shadow-float group-focus-visible:outline-2 group-focus-visible:outline-offset-2 group-focus-visible:outline-accent">
          <svg
            viewBox="0 0 20 20"
            aria-hidden="true"
            fill="none"
            stroke="currentColor"
            strokeWidth={1.5}
            strokeLinecap="round"
            strokeLinejoin="round"
            className="size-5"
          >
            <path d="M7.5 6.5 4 10l3.5 3.5M12.5 6.5 16 10l-3.5 3.5" />
          </svg>
        </span>
      </div>
      <span
        aria-hidden="true"
        className="absolute bottom-[18px] -translate-x-full rounded-control bg-ink/85 px-2 py-0.5 font-medium text-bone text-xs"
        style={{ left: x - 24 }}
      >
        Before
      </span>
      <span
        aria-hidden="true"
        className="absolute bottom-[18px] rounded-control bg-ink/85 px-2 py-0.5 font-medium text-bone text-xs"
        style={{ left: x + 24 }}
      >
        After
      </span>
    </div>
  );
}
