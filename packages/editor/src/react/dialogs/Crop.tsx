/** The crop dialog: the picture with the frame of the part that is traced. Nothing changes before "Apply". */
import { MIN_CROP_PX, toTraceSize } from '@markwright/contract/tracing';
import { Button, IconButton, NumberField, SegmentedControl } from '@markwright/controls';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import {
  type CropBox,
  type CropHandle,
  type CropLimits,
  cropHandles,
  findContent,
  fitAspect,
  moveBox,
  resizeBox,
  scaleBox,
  toBox,
  toFractions,
  wholeBox,
} from '../../core/cutout/cropBox.ts';
import { formatSize } from '../../core/document/measure.ts';
import { useDesignFlow, useDesignState, useEditorState } from '../EditorProvider.tsx';

type Aspect = 'free' | 'square' | 'original' | 'area';

/** Opens when mounted; calls `onClose` when it is closed. */
export function CropDialog({ onClose }: { onClose(): void }) {
  const designs = useDesignFlow();
  const design = useDesignState((state) => state.design);
  const crop = useDesignState((state) => state.settings.crop);
  const areaAspect = useEditorState(({ scene }) => scene.widthMm / scene.heightMm);
  const widthMm = useEditorState(({ scene }) => scene.groups.find(isDesign)?.sizeMm.width);
  const unit = useEditorState((state) => state.unit);
  const dialog = useRef<HTMLDialogElement>(null);
  const frame = useRef<HTMLButtonElement>(null);
  const picture = useRef<HTMLImageElement>(null);
  const id = useId();

  const limits = limitsOf(design ?? { width: 1, height: 1 });
  const [box, setBox] = useState(() => toBox(crop, limits));
  const [aspect, setAspect] = useState<Aspect>('free');
  const [note, setNote] = useState('');
  const ratio = { free: undefined, square: 1, original: limits.width / limits.height, area: areaAspect }[aspect];
  // The scale on the product stays whatever is cut away.
  const [mmPerPx] = useState(() => (widthMm === undefined ? undefined : widthMm / toBox(crop, limits).width));

  useEffect(() => {
    dialog.current?.showModal();
    frame.current?.focus();
  }, []);
  if (!design) return null;

  const change = (next: CropBox) => {
    setNote('');
    setBox(next);
  };
  const chooseAspect = (next: Aspect) => {
    setAspect(next);
    const chosen = { free: undefined, square: 1, original: limits.width / limits.height, area: areaAspect }[next];
    if (chosen !== undefined) change(fitAspect(box, chosen, limits));
  };
  const trim = async () => {
    // It may still be on its way: that says nothing of its edges.
    await picture.current?.decode().catch(() => undefined);
    const content = picture.current && readContent(picture.current, limits);
    if (!content) {
      setNote('There is nothing but background here.');
    } else if (isSameBox(content, box)) {
      setNote('There are no empty edges.');
    } else {
      setAspect('free');
      change(content);
    }
  };
  const apply = () => {
    designs.crop(toFractions(box, limits));
    onClose();
  };
  const field = (key: keyof CropBox, prefix: string, label: string, commit: (value: number) => CropBox) => (
    <NumberField
      label={label}
      prefix={prefix}
      unit="px"
      value={box[key]}
      min={key === 'width' || key === 'height' ? limits.least : 0}
      max={
        { x: limits.width - box.width, y: limits.height - box.height, width: limits.width, height: limits.height }[key]
      }
      onCommit={(value) => change(commit(value))}
      className="w-full"
    />
  );
  /** A wider or higher frame grows to the right and down, and moves in where the picture ends. */
  const resized = (handle: 'e' | 's', value: number): CropBox => {
    const isWidth = handle === 'e';
    const side = isWidth ? limits.width : limits.height;
    const start = isWidth ? { ...box, x: Math.min(box.x, side - value) } : { ...box, y: Math.min(box.y, side - value) };
    const by = value - (isWidth ? box.width : box.height);
    return resizeBox(start, handle, isWidth ? [by, 0] : [0, by], limits, ratio);
  };

  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      onClose={onClose}
      // The studio's own keys, undo among them, are for what lies behind.
      onKeyDown={(event) => event.stopPropagation()}
      className="m-auto max-h-[calc(100dvh-32px)] w-[min(920px,calc(100vw-32px))] overflow-auto rounded-card border border-line bg-paper p-0 text-ink shadow-float backdrop:bg-black/45 open:animate-float-in max-sm:m-0 max-sm:h-dvh max-sm:max-h-none max-sm:w-screen max-sm:max-w-none max-sm:rounded-none max-sm:border-0"
    >
      <div className="flex min-h-full flex-col">
        <div className="flex items-center justify-between gap-2 border-line border-b py-2 pr-3 pl-5">
          <h2 id={`${id}-title`} className="min-w-0 truncate text-base">
            Crop {design.filename}
          </h2>
          <IconButton icon="close" label="Close" onClick={onClose} />
        </div>
        <div className="grid flex-1 gap-5 p-5 sm:grid-cols-[minmax(0,1fr)_232px] max-sm:content-start">
          <Frame
            box={box}
            limits={limits}
            aspect={ratio}
            onChange={change}
            frameRef={frame}
            hintId={`${id}-hint`}
            picture={
              <Picture
                ref={picture}
                urls={[design.tracePictureUrl, design.backgroundRemovedUrl, design.originalFileUrl]}
              />
            }
          />
          <div className="flex flex-col gap-4">
            <Group label="Aspect">
              <SegmentedControl
                label="Aspect"
                value={aspect}
                options={[
                  { value: 'free', label: 'Free' },
                  { value: 'square', label: '1:1' },
                  { value: 'original', label: 'Picture' },
                  { value: 'area', label: 'Area' },
                ]}
                onChange={chooseAspect}
              />
            </Group>
            <Group label="Size">
              <div className="grid grid-cols-2 gap-2">
                {field('width', 'W', 'Crop width', (value) => resized('e', value))}
                {field('height', 'H', 'Crop height', (value) => resized('s', value))}
              </div>
              {mmPerPx !== undefined && (
                <p className="measure mt-1 text-graphite">
                  {formatSize({ width: box.width * mmPerPx, height: box.height * mmPerPx }, unit)} on the product
                </p>
              )}
            </Group>
            <Group label="From the top left">
              <div className="grid grid-cols-2 gap-2">
                {field('x', 'X', 'Crop left edge', (value) => moveBox({ ...box, x: value }, 0, 0, limits))}
                {field('y', 'Y', 'Crop top edge', (value) => moveBox({ ...box, y: value }, 0, 0, limits))}
              </div>
            </Group>
            <div className="flex flex-col gap-2">
              <Button icon="collapse" onClick={() => void trim()}>
                Trim empty edges
              </Button>
              <Button
                icon="expand"
                disabled={isSameBox(box, wholeBox(limits))}
                onClick={() => {
                  setAspect('free');
                  change(wholeBox(limits));
                }}
              >
                All of the picture
              </Button>
              <p role="status" className="min-h-4 text-graphite text-xs">
                {note}
              </p>
            </div>
            <p id={`${id}-hint`} className="text-graphite text-xs max-sm:hidden pointer-coarse:hidden">
              Arrow keys move the frame, with Shift by 10. Alt and arrows resize it.
            </p>
          </div>
        </div>
        <div className="flex items-center justify-end gap-2 border-line border-t px-5 py-3">
          <p className="mr-auto text-graphite text-xs max-sm:hidden">What stays keeps its place and size.</p>
          <Button size="md" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" onClick={apply}>
            Apply
          </Button>
        </div>
      </div>
    </dialog>
  );
}

const isDesign = ({ elementId }: { elementId: string }) => elementId === 'design';

const isSameBox = (a: CropBox, b: CropBox) =>
  a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

/**
 * Returns the limits of the frame, which is in pixels of the picture itself. It must leave enough of the pixels that a
 * trace is made from.
 */
function limitsOf({ width, height }: { width: number; height: number }): CropLimits {
  const least = Math.ceil((MIN_CROP_PX + 1) * (width / toTraceSize({ width, height }).width));
  const isSmall = width * height > 0 && toTraceSize({ width, height }).width === width;
  return { width, height, least: Math.min(isSmall ? MIN_CROP_PX : least, width, height) };
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <p className="mb-1 text-graphite text-xs">{label}</p>
      {children}
    </div>
  );
}

/** Shows the first of its addresses that has a picture. */
function Picture({ ref, urls }: { ref: React.Ref<HTMLImageElement>; urls: (string | null | undefined)[] }) {
  const addresses = urls.filter((url) => url !== undefined && url !== null);
  const [at, setAt] = useState(0);
  return (
    <img
      ref={ref}
      src={addresses[at]}
      alt=""
      draggable={false}
      onError={() => setAt((now) => Math.min(now + 1, addresses.length - 1))}
      className="pointer-events-none absolute inset-0 size-full select-none"
    />
  );
}

/** The pixels that are searched for content: a copy of a larger picture shows it as well. */
const MAX_LOOK_PIXELS = 2_500_000;

function readContent(image: HTMLImageElement, limits: CropLimits): CropBox | undefined {
  if (!image.complete || image.naturalWidth === 0) return undefined;
  const scale = Math.min(1, Math.sqrt(MAX_LOOK_PIXELS / (image.naturalWidth * image.naturalHeight)));
  const width = Math.max(1, Math.round(image.naturalWidth * scale));
  const height = Math.max(1, Math.round(image.naturalHeight * scale));
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return undefined;
  context.drawImage(image, 0, 0, width, height);
  const content = findContent(context.getImageData(0, 0, width, height).data, width, height);
  return content && scaleBox(content, { width, height }, limits);
}

const arrows: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

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

interface FrameProps {
  box: CropBox;
  limits: CropLimits;
  aspect: number | undefined;
  picture: ReactNode;
  frameRef: React.RefObject<HTMLButtonElement | null>;
  hintId: string;
  onChange(box: CropBox): void;
}

function Frame({ box, limits, aspect, picture, frameRef, hintId, onChange }: FrameProps) {
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
    const arrow = arrows[event.key];
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
