/** The picture with the crop's frame over it, which is moved and resized by pointers and keys. */
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import {
  type CropBox,
  type CropHandle,
  type CropLimits,
  cropHandles,
  moveBox,
  resizeBox,
} from '../../core/cutout/cropBox.ts';
import { arrowKeys } from '../../core/document/keymap.ts';

/** Where each handle stands on the frame, per cent, and the pointer over it. */
const places: Record<CropHandle, { left: number; top: number; cursor: string }> = {
  nw: { left: 0, top: 0, cursor: 'nwse-resize' },
  n: { left: 50, top: 0, cursor: 'ns-resize' },
  ne: { left: 100, top: 0, cursor: 'nesw-resize' },
  e: { left: 100, top: 50, cursor: 'ew-resize' },
  se: { left: 100, top: 100, cursor: 'nwse-resize' },
  s: { left: 50, top: 100, cursor: 'ns-resize' },
  sw: { left: 0, top: 100, cursor: 'nesw-resize' },
  w: { left: 0, top: 50, cursor: 'ew-resize' },
};

interface CropFrameProps {
  box: CropBox;
  limits: CropLimits;
  aspect: number | undefined;
  picture: ReactNode;
  frameRef: React.RefObject<HTMLButtonElement | null>;
  hintId: string;
  onChange(box: CropBox): void;
}

export function CropFrame({ box, limits, aspect, picture, frameRef, hintId, onChange }: CropFrameProps) {
  const sheet = useRef<HTMLDivElement>(null);
  const drag = useRef<{ readonly handle: string; readonly x: number; readonly y: number; readonly box: CropBox }>(
    undefined,
  );
  const [isDragging, setIsDragging] = useState(false);

  const onPointerDown = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0 || drag.current) return;
    const handle = (event.target as HTMLElement).dataset.handle ?? 'move';
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { handle, x: event.clientX, y: event.clientY, box };
    setIsDragging(true);
  };
  const onPointerMove = (event: PointerEvent) => {
    const { current } = drag;
    const width = sheet.current?.getBoundingClientRect().width;
    if (!current || !width) return;
    const perPx = limits.width / width;
    const [dx, dy] = [(event.clientX - current.x) * perPx, (event.clientY - current.y) * perPx];
    onChange(
      current.handle === 'move'
        ? moveBox(current.box, dx, dy, limits)
        : resizeBox(current.box, current.handle as CropHandle, [dx, dy], limits, aspect),
    );
  };
  const onPointerEnd = () => {
    drag.current = undefined;
    setIsDragging(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = arrowKeys[event.key];
    if (!arrow) return;
    event.preventDefault();
    const step = event.shiftKey ? 10 : 1;
    const [dx, dy] = [arrow[0] * step, arrow[1] * step];
    onChange(
      event.altKey ? resizeBox(box, dx === 0 ? 's' : 'e', [dx, dy], limits, aspect) : moveBox(box, dx, dy, limits),
    );
  };

  const percent = (part: number, whole: number) => `${(100 * part) / whole}%`;
  const place = {
    left: percent(box.x, limits.width),
    top: percent(box.y, limits.height),
    width: percent(box.width, limits.width),
    height: percent(box.height, limits.height),
  };
  return (
    <div className="grid place-items-center rounded-card bg-bone p-4 pointer-coarse:p-6">
      <div
        ref={sheet}
        className="relative bg-white"
        style={{
          aspectRatio: `${limits.width} / ${limits.height}`,
          width: `min(100%, calc(60dvh * ${limits.width / limits.height}))`,
        }}
      >
        {picture}
        <div className="pointer-events-none absolute inset-0 overflow-hidden">
          <div className="absolute shadow-[0_0_0_9999px_rgb(0_0_0/0.55)]" style={place} />
        </div>
        <button
          ref={frameRef}
          type="button"
          aria-label={`Crop frame, ${box.width} × ${box.height} pixels at ${box.x}, ${box.y}`}
          aria-describedby={hintId}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerEnd}
          onPointerCancel={onPointerEnd}
          onKeyDown={onKeyDown}
          className="absolute cursor-move touch-none border border-white shadow-[0_0_0_1px_rgb(0_0_0/0.5)] focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent"
          style={place}
        >
          {isDragging && <Thirds />}
          {cropHandles.map((handle) => {
            const { left, top, cursor } = places[handle];
            return (
              <span
                key={handle}
                data-handle={handle}
                className="absolute grid size-7 -translate-x-1/2 -translate-y-1/2 place-items-center pointer-coarse:size-11"
                style={{ left: `${left}%`, top: `${top}%`, cursor }}
              >
                <span
                  data-handle={handle}
                  className="size-2.5 rounded-[2px] border border-accent bg-white pointer-coarse:size-3.5"
                />
              </span>
            );
          })}
        </button>
      </div>
    </div>
  );
}

/** Lines at the thirds, white with a dark edge so that they show on every picture. */
function Thirds() {
  return [1, 2].flatMap((third) => [
    <span
      key={`v${third}`}
      className="pointer-events-none absolute inset-y-0 w-px bg-white/70 shadow-[0_0_0_0.5px_rgb(0_0_0/0.3)]"
      style={{ left: `${(100 * third) / 3}%` }}
    />,
    <span
      key={`h${third}`}
      className="pointer-events-none absolute inset-x-0 h-px bg-white/70 shadow-[0_0_0_0.5px_rgb(0_0_0/0.3)]"
      style={{ top: `${(100 * third) / 3}%` }}
    />,
  ]);
}
