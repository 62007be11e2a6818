/** Shows the white ink over the colors: the plate of the file, hatched, so that it is seen on any blank. */
import { lengthScale, multiply, type Scene, translate } from '@markwright/scene';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { describeWhite, whiteOf } from '../../core/export/whiteLayer.ts';
import type { Size, StageView } from '../../core/pointer/stageView.ts';
import { useEditorState, usePorts } from '../EditorProvider.tsx';
import { type Brush, OverlayCanvas, toArtwork, tokenColor } from './OverlayCanvas.tsx';

/** Longer than the pause between two nudges. */
const REST_MS = 250;
/** A plate with more characters than this counts as heavy. */
const HEAVY_CHARACTERS = 40_000;

/** Plates by the scene they are of and their options, so that looking again costs nothing. */
const plates = new WeakMap<Scene, Map<string, string | undefined>>();

export function WhiteLayer({ view, size }: { view: StageView; size: Size }) {
  const scene = useEditorState((state) => state.settledScene);
  const isGesturing = useEditorState((state) => state.isGesturing);
  const { drawWhitePlate, fileFormats } = usePorts();
  const options = whiteOf(fileFormats?.read(scene.machine));
  const { mode, chokeMm } = options;
  const plate = usePlate(scene, `${mode} ${chokeMm}`, (signal) =>
    // Pictures without a trace are in no file, and long to send.
    drawWhitePlate?.({ scene: withoutPictures(scene), options: { mode, chokeMm } }, signal),
  );
  const outline = useMemo(() => (plate.d === undefined ? undefined : new Path2D(plate.d)), [plate.d]);
  const paint = useCallback((brush: Brush) => outline && drawPlate(brush, outline), [outline]);
  const matrix = multiply(view.toScreen, translate(view.originMm.x, view.originMm.y));
  const isStale = isGesturing || !plate.isCurrent;
  return (
    <>
      {outline && (
        <OverlayCanvas
          size={size}
          matrix={matrix}
          paint={paint}
          isHeavy={(plate.d?.length ?? 0) > HEAVY_CHARACTERS}
          className={isStale ? 'opacity-30' : ''}
        />
      )}
      <p
        role="status"
        // Above the marks of the print area; on a phone in two lines, beside the rotation handle.
        className="measure pointer-events-none absolute z-1 max-w-[calc(100%-160px)] rounded-control border border-line bg-paper/95 px-2 py-1 text-graphite max-sm:w-min max-sm:min-w-27 max-sm:py-0 max-sm:leading-4"
        style={{ left: view.free.left + 8, top: view.free.top + 8 }}
      >
        <span className="text-ink">White ink</span> ·{' '}
        {plate.hasFailed ? 'cannot be shown here' : plate.d === '' ? 'none' : describeWhite(options)}
      </p>
    </>
  );
}

interface PlateState {
  readonly scene: Scene | undefined;
  readonly key: string;
  readonly d: string | undefined;
  readonly hasFailed: boolean;
}

/** Returns the plate of a scene, or the one before it until it is computed. */
function usePlate(
  scene: Scene,
  key: string,
  compute: (signal: AbortSignal) => Promise<string | undefined> | undefined,
) {
  const [state, setState] = useState<PlateState>({ scene: undefined, key: '', d: undefined, hasFailed: false });
  const isCurrent = state.scene === scene && state.key === key;
  useEffect(() => {
    const earlier = plates.get(scene);
    const show = (d: string | undefined) => setState({ scene, key, d, hasFailed: d === undefined });
    if (earlier?.has(key)) {
      show(earlier.get(key));
      return;
    }
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const d = await compute(controller.signal);
        if (controller.signal.aborted) return;
        plates.set(scene, new Map(plates.get(scene)).set(key, d));
        show(d);
      } catch {
        if (!controller.signal.aborted) show(undefined);
      }
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [scene, key]);
  return { ...state, isCurrent };
}

function withoutPictures({ machine, widthMm, heightMm, area, groups }: Scene) {
  const outlines = groups.map((group) => ({
    ...group,
    children: group.children.filter(({ kind }) => kind === 'path'),
  }));
  return { machine, widthMm, heightMm, area, groups: outlines };
}

/** The distance between the lines of the hatching, and their width, in screen px. */
const HATCH_PX = 7;
const HATCH_LINE_PX = 1;

function drawPlate(brush: Brush, outline: Path2D): void {
  const { context, matrix, density, width, height } = brush;
  const unit = density / lengthScale(matrix); // a screen pixel in mm
  const hatch = tokenColor('accent');
  context.save();
  toArtwork(brush);
  context.fillStyle = '#ffffff';
  context.globalAlpha = 0.88;
  context.fill(outline, 'evenodd');
  context.clip(outline, 'evenodd');
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.globalAlpha = 0.45;
  context.strokeStyle = hatch;
  context.lineWidth = HATCH_LINE_PX * density;
  context.beginPath();
  for (let x = -height; x < width; x += HATCH_PX * density) {
    context.moveTo(x, height);
    context.lineTo(x + height, 0);
  }
  context.stroke();
  context.restore();
  toArtwork(brush);
  context.lineJoin = 'round';
  // A dark edge with a light one outside: one of them is seen on any blank.
  context.strokeStyle = '#ffffff';
  context.lineWidth = 2.5 * unit;
  context.stroke(outline);
  context.strokeStyle = hatch;
  context.lineWidth = unit;
  context.stroke(outline);
}
