/**
 * The crop dialog: the picture, straightened by an angle or by four corners, with the frame of the part that is traced.
 * Nothing changes before "Apply".
 */
import { MIN_CROP_PX, toTraceSize } from '@markwright/contract/tracing';
import { Button, NumberField, SegmentedControl, Slider } from '@markwright/controls';
import { elementIdOf, isSameStraightening, lengthScale, type Straightening } from '@markwright/scene';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import {
  type CropBox,
  type CropLimits,
  findContent,
  fitAspect,
  moveBox,
  recenterBox,
  resizeBox,
  scaleBox,
  toBox,
  toFractions,
  wholeBox,
} from '../../core/cutout/cropBox.ts';
import {
  ANGLE_LIMIT,
  angleOf,
  type Corners,
  straightenCorners,
  toWholeSize,
  turnTo,
  wholeCorners,
} from '../../core/cutout/straighten.ts';
import { activeArtwork, activeElement } from '../../core/document/editor.ts';
import { formatSize } from '../../core/document/measure.ts';
import { useDesignFlow, useDesignState, useEditorState, usePorts } from '../EditorProvider.tsx';
import { CornersFrame } from './CornersFrame.tsx';
import { CropFrame } from './CropFrame.tsx';
import { DialogFrame } from './DialogFrame.tsx';
import { StraightPicture } from './StraightPicture.tsx';

type Aspect = 'free' | 'square' | 'original' | 'area';

/** Opens as a modal when mounted, and calls `onClose` when it is closed. */
export function CropDialog({ onClose }: { onClose(): void }) {
  const designs = useDesignFlow();
  const design = useDesignState((state) => state.design);
  const frame = useRef<HTMLButtonElement>(null);
  const [picture, setPicture] = useState<HTMLImageElement | HTMLCanvasElement | null>(null);
  const [mode, setMode] = useState<'frame' | 'corners'>('frame');
  const id = useId();
  const size = design ?? { width: 1, height: 1 };
  const straightening = useStraightening(size);
  const { straighten } = straightening;
  const crop = useCropBox(toWholeSize(size, { straighten }));

  useEffect(() => frame.current?.focus(), []);
  if (!design) return null;

  const urls = [design.tracePictureUrl, design.backgroundRemovedUrl, design.originalFileUrl];
  const apply = () => {
    designs.frame({ straighten, crop: toFractions(crop.box, crop.limits) });
    onClose();
  };
  return (
    <DialogFrame title={`Crop ${design.filename}`} width="w-[min(920px,calc(100vw-32px))]" onClose={onClose}>
      <div className="grid flex-1 gap-5 p-5 sm:grid-cols-[minmax(0,1fr)_232px] max-sm:content-start">
        {mode === 'corners' ? (
          <CornersFrame
            corners={straighten?.corners ?? wholeCorners}
            size={size}
            onChange={straightening.setCorners}
            hintId={`${id}-hint`}
            picture={<Picture ref={setPicture} urls={urls} />}
            source={picture instanceof HTMLImageElement ? picture.src : undefined}
          />
        ) : (
          <CropFrame
            box={crop.box}
            limits={crop.limits}
            aspect={crop.ratio}
            onChange={crop.change}
            frameRef={frame}
            hintId={`${id}-hint`}
            picture={
              straighten ? (
                <StraightPicture ref={setPicture} urls={urls} size={size} straighten={straighten} />
              ) : (
                <Picture ref={setPicture} urls={urls} />
              )
            }
          />
        )}
        <div className="flex flex-col gap-4">
          <SegmentedControl
            label="What to set"
            value={mode}
            options={[
              { value: 'frame', label: 'Crop' },
              { value: 'corners', label: 'Corners' },
            ]}
            onChange={(next) => {
              setMode(next);
              if (next === 'corners') straightening.startCorners();
            }}
          />
          <AngleGroup straightening={straightening} />
          {mode === 'corners' ? (
            <CornersControls straightening={straightening} hintId={`${id}-hint`} />
          ) : (
            <CropControls crop={crop} hasScale={straightening.isSame} picture={picture} hintId={`${id}-hint`} />
          )}
        </div>
      </div>
      <div className="sticky bottom-0 flex items-center justify-end gap-2 border-line border-t bg-paper px-5 py-3">
        <p className="mr-auto text-graphite text-xs max-sm:hidden">
          {straightening.isSame ? 'What stays' : 'The mark'} keeps its place and size.
        </p>
        <Button size="md" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="primary" onClick={apply}>
          Apply
        </Button>
      </div>
    </DialogFrame>
  );
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Keeps the angle and the corners while the dialog is open. */
function useStraightening(size: Size) {
  const { findSkew } = usePorts();
  const design = useDesignState((state) => state.design);
  const storedStraighten = useDesignState((state) => state.settings.straighten);
  const [straighten, setStraighten] = useState(storedStraighten);
  const [note, setNote] = useState('');
  const search = useRef<AbortController>(undefined);
  useEffect(() => () => search.current?.abort(), []);

  const change = (next: Straightening | undefined) => {
    search.current?.abort();
    setNote('');
    setStraighten(next);
  };
  /** Searches the picture, and takes over what is there unless something is set meanwhile. */
  const find = async () => {
    if (!findSkew || !design) return;
    search.current?.abort();
    const controller = new AbortController();
    search.current = controller;
    setNote('Looking for corners…');
    const skew = await findSkew(design, controller.signal).catch(() => undefined);
    if (controller.signal.aborted) return;
    if (skew) setStraighten(skew.straighten);
    setNote(
      skew?.isPerspective
        ? 'These corners were found.'
        : skew
          ? `The picture is tilted by ${Math.abs(skew.angleDeg).toFixed(1)}°.`
          : 'No corners were found. Drag them to those of a sheet, a label or a frame.',
    );
  };
  return {
    straighten,
    /** True while the picture is straightened as it was: then its scale on the product stays. */
    isSame: isSameStraightening(straighten, storedStraighten),
    angle: angleOf(straighten, size),
    /** The result of the latest search. */
    note,
    find: findSkew && find,
    setAngle: (angle: number) => change(turnTo(straighten, angle, size)),
    /** Corners that are no quadrilateral change nothing. */
    setCorners(corners: Corners) {
      const next = straightenCorners(corners, size);
      const whole = toWholeSize(size, { straighten: next });
      if (next && Math.min(whole.width, whole.height) > limitsOf(size).least) change(next);
    },
    startCorners: () => void (straighten ? setNote('') : find()),
    reset: () => change(undefined),
  };
}

function AngleGroup({ straightening: { angle, setAngle } }: { straightening: ReturnType<typeof useStraightening> }) {
  const range = { value: angle, min: -ANGLE_LIMIT, max: ANGLE_LIMIT, step: 0.1 };
  return (
    <Group label="Straighten">
      <div className="flex items-center gap-2">
        <Slider label="Angle" {...range} valueText={`${angle.toFixed(1)}°`} onChange={setAngle} />
        <NumberField label="Angle in degrees" {...range} decimals={1} unit="°" onCommit={setAngle} className="w-16" />
      </div>
    </Group>
  );
}

function CornersControls({
  straightening: { straighten, note, find, reset },
  hintId,
}: {
  straightening: ReturnType<typeof useStraightening>;
  hintId: string;
}) {
  return (
    <>
      <div className="flex flex-col gap-2">
        {find && (
          <Button icon="sparkle" onClick={() => void find()}>
            Find corners
          </Button>
        )}
        <Button icon="expand" disabled={!straighten} onClick={reset}>
          As it was taken
        </Button>
        <p role="status" className="min-h-4 text-graphite text-xs">
          {note}
        </p>
      </div>
      <p className="text-graphite text-xs">
        What is inside of the corners becomes the whole picture, and its sides become straight.
      </p>
      <p id={hintId} className="text-graphite text-xs max-sm:hidden pointer-coarse:hidden">
        Arrow keys move a corner, with Shift by 10.
      </p>
    </>
  );
}

/** The frame's aspect, size and place, and what sets it by itself. */
function CropControls({
  crop,
  hasScale,
  picture,
  hintId,
}: {
  crop: ReturnType<typeof useCropBox>;
  hasScale: boolean;
  picture: HTMLImageElement | HTMLCanvasElement | null;
  hintId: string;
}) {
  return (
    <>
      <Group label="Aspect">
        <SegmentedControl
          label="Aspect"
          value={crop.aspect}
          options={[
            { value: 'free', label: 'Free' },
            { value: 'square', label: '1:1' },
            { value: 'original', label: 'Picture' },
            { value: 'area', label: 'Area' },
          ]}
          onChange={crop.chooseAspect}
        />
      </Group>
      <CropNumbers crop={crop} hasScale={hasScale} />
      <div className="flex flex-col gap-2">
        <Button icon="collapse" onClick={() => void crop.trim(picture)}>
          Trim empty edges
        </Button>
        <Button icon="expand" disabled={isSameBox(crop.box, wholeBox(crop.limits))} onClick={crop.showAll}>
          All of the picture
        </Button>
        <p role="status" className="min-h-4 text-graphite text-xs">
          {crop.note}
        </p>
      </div>
      <p id={hintId} className="text-graphite text-xs max-sm:hidden pointer-coarse:hidden">
        Arrow keys move the frame, with Shift by 10. Alt and arrows resize it.
      </p>
    </>
  );
}

/** Keeps the frame while the dialog is open: its box in pixels of the straightened picture, and its aspect. */
function useCropBox(pictureSize: Size) {
  const storedCrop = useDesignState((state) => state.settings.crop);
  const areaAspect = useEditorState(({ scene }) => scene.widthMm / scene.heightMm);
  const limits = limitsOf(pictureSize);
  const [{ box, within }, setFrame] = useState({ box: toBox(storedCrop, limits), within: limits });
  const setBox = (next: CropBox) => setFrame({ box: next, within: limits });
  // The frame stays around the middle of the picture when that is straightened otherwise.
  if (within.width !== limits.width || within.height !== limits.height) setBox(recenterBox(box, within, limits));
  const [aspect, setAspect] = useState<Aspect>('free');
  const [note, setNote] = useState('');
  const ratios = { free: undefined, square: 1, original: limits.width / limits.height, area: areaAspect };

  const change = (next: CropBox) => {
    setNote('');
    setBox(next);
  };
  const changeFreely = (next: CropBox) => {
    setAspect('free');
    change(next);
  };
  return {
    box,
    limits,
    aspect,
    ratio: ratios[aspect],
    /** The result of the latest trim. */
    note,
    change,
    chooseAspect(next: Aspect) {
      setAspect(next);
      const ratio = ratios[next];
      if (ratio !== undefined) change(fitAspect(box, ratio, limits));
    },
    async trim(image: HTMLImageElement | HTMLCanvasElement | null) {
      // The picture may still be loading; what fails here is no answer about its edges.
      if (image instanceof HTMLImageElement) await image.decode().catch(() => undefined);
      const content = image && readContent(image, limits);
      if (!content) setNote('There is nothing but background here.');
      else if (isSameBox(content, box)) setNote('There are no empty edges.');
      else changeFreely(content);
    },
    showAll: () => changeFreely(wholeBox(limits)),
  };
}

/** Size and place of the frame as numbers. */
function CropNumbers({
  crop: { box, limits, ratio, change },
  hasScale,
}: {
  crop: ReturnType<typeof useCropBox>;
  /** True where a pixel keeps its size on the product. */
  hasScale: boolean;
}) {
  // A pixel of the frame in mm: the design's own size is that of its ink.
  const widthMm = useEditorState((state) => {
    const [element, artwork] = [activeElement(state), activeArtwork(state)];
    const group = element && state.scene.groups.find(({ elementId }) => elementId === elementIdOf(element));
    return group && artwork && lengthScale(group.matrix) * artwork.width;
  });
  const unit = useEditorState((state) => state.unit);
  // The scale on the product stays whatever is cut away.
  const [mmPerPx] = useState(() => (widthMm === undefined ? undefined : widthMm / box.width));

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
  /**
   * Resizes the frame to a typed width or height. It grows to the right and down, and moves back where the picture
   * ends.
   */
  const resizeTo = (handle: 'e' | 's', value: number): CropBox => {
    const isWidth = handle === 'e';
    const side = isWidth ? limits.width : limits.height;
    const start = isWidth ? { ...box, x: Math.min(box.x, side - value) } : { ...box, y: Math.min(box.y, side - value) };
    const by = value - (isWidth ? box.width : box.height);
    return resizeBox(start, handle, isWidth ? [by, 0] : [0, by], limits, ratio);
  };
  return (
    <>
      <Group label="Size">
        <div className="grid grid-cols-2 gap-2">
          {field('width', 'W', 'Crop width', (value) => resizeTo('e', value))}
          {field('height', 'H', 'Crop height', (value) => resizeTo('s', value))}
        </div>
        {hasScale && mmPerPx !== undefined && (
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
    </>
  );
}

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

function readContent(image: HTMLImageElement | HTMLCanvasElement, limits: CropLimits): CropBox | undefined {
  const [fullWidth, fullHeight] =
    image instanceof HTMLImageElement ? [image.naturalWidth, image.naturalHeight] : [image.width, image.height];
  if (fullWidth === 0 || fullHeight === 0) return undefined;
  const scale = Math.min(1, Math.sqrt(MAX_LOOK_PIXELS / (fullWidth * fullHeight)));
  const width = Math.max(1, Math.round(fullWidth * scale));
  const height = Math.max(1, Math.round(fullHeight * scale));
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return undefined;
  context.drawImage(image, 0, 0, width, height);
  const content = findContent(context.getImageData(0, 0, width, height).data, width, height);
  return content && scaleBox(content, { width, height }, limits);
}
