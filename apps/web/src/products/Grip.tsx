/** A grip on a picture: dragged, or moved with arrow keys, by ten times as much with Shift. */
import type { Point } from '@markwright/scene';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';

interface GripProps {
  readonly label: string;
  /** In fractions of the picture, as the places of `toPlace` and `onMove`. */
  readonly place: Point;
  readonly isSquare?: boolean;
  /** Smaller and lighter, for a corner that does not exist yet. */
  readonly isQuiet?: boolean;
  toPlace(event: PointerEvent): Point;
  /** `isFirst` is true for the first place of a drag, and for each key. */
  onMove(place: Point, isFirst: boolean): void;
  /** Called for the Delete key and a double click. Absent: the grip stays. */
  onRemove?: (() => void) | undefined;
  onFocus?: (() => void) | undefined;
}

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const clamp = (share: number) => Math.min(1, Math.max(0, share));

export function Grip({
  label,
  place,
  isSquare = false,
  isQuiet = false,
  toPlace,
  onMove,
  onRemove,
  onFocus,
}: GripProps) {
  const drag = useRef<'none' | 'begins' | 'goes on'>('none');
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (onRemove && (event.key === 'Delete' || event.key === 'Backspace')) {
      event.preventDefault();
      onRemove();
    }
    const move = steps[event.key];
    if (!move) return;
    event.preventDefault();
    const length = event.shiftKey ? 0.02 : 0.002;
    onMove({ x: clamp(place.x + length * move[0]), y: clamp(place.y + length * move[1]) }, true);
  };
  const continueDrag = (event: PointerEvent) => {
    if (drag.current === 'none') return;
    onMove(toPlace(event), drag.current === 'begins');
    drag.current = 'goes on';
  };
  const endDrag = () => {
    drag.current = 'none';
  };
  return (
    <button
      type="button"
      aria-label={label}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = 'begins';
      }}
      onPointerMove={continueDrag}
      onPointerUp={endDrag}
      onPointerCancel={endDrag}
      onDoubleClick={onRemove}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      className={`absolute grid -translate-x-1/2 -translate-y-1/2 cursor-move touch-none place-items-center rounded-full focus-visible:outline-2 focus-visible:outline-accent ${isQuiet ? 'size-6' : 'size-8 pointer-coarse:size-11'}`}
      style={{ left: `${place.x * 100}%`, top: `${place.y * 100}%` }}
    >
      <span
        className={`${isQuiet ? 'size-2 bg-white ring-1 ring-black/60' : 'size-3 border-2 border-ink bg-paper ring-1 ring-paper'} ${isSquare ? 'rounded-[2px]' : 'rounded-full'}`}
      />
    </button>
  );
}
