/** The content of the stage: the product's picture and, clipped to the machine area, one layer for each element. */
import { lazyPart } from '@markwright/controls';
import { clipPaths, identity, invert, type Matrix, multiply, type SvgNode, scale } from '@markwright/scene';
import { memo, type ReactNode, Suspense, useMemo, useState } from 'react';
import { findText } from '../../core/document/editor.ts';
import { findTrace } from '../../core/document/viewOptions.ts';
import type { StageView } from '../../core/pointer/stageView.ts';
import { useEditorState } from '../EditorProvider.tsx';
import {
  drawScene,
  findGroup,
  HEAVY_CHARACTERS,
  isSameDrawing,
  type LayersProps,
  pathCharacters,
} from './drawScene.ts';
import { SvgNodes, SvgNodeView } from './SvgNodeView.tsx';
import { useRested } from './useRested.ts';

const RoundLayers = lazyPart(() => import('./RoundLayers.tsx').then(({ RoundLayers }) => ({ default: RoundLayers })));

/** A bent text that is edited in place is edited straight, and is faded below its field. */
export function Stage({ view, editedId }: { view: StageView; editedId?: string | undefined }) {
  const backdrop = useEditorState((state) => state.scene.backdrop);
  const settledScene = useEditorState((state) => state.settledScene);
  const fadedTextId = useEditorState(({ composition }) => {
    const text = findText(composition, editedId === undefined ? undefined : `text:${editedId}`);
    return text && (text.circle || text.bend !== 0) ? text.id : undefined;
  });
  const { picture } = view;
  const isHeavy = useMemo(
    () => settledScene.groups.reduce((sum, group) => sum + pathCharacters(group.children), 0) > HEAVY_CHARACTERS,
    [settledScene],
  );
  const isNearView = (lastPxPerMm: number) =>
    lastPxPerMm <= view.pxPerMm * MAX_SHRINK && lastPxPerMm >= view.pxPerMm / MAX_STRETCH;
  // A heavy drawing is painted once the zoom rests; until then its pixels are scaled.
  const pxPerMm = useRested(view.pxPerMm, isHeavy ? REST_MS : 0, isNearView);
  const picturePxPerMm = useRested(pxPerMm, isHeavy ? PICTURE_REST_MS : 0, isNearView);
  const isZooming = pxPerMm !== view.pxPerMm;
  const world = multiply(view.toScreen, scale(1 / pxPerMm));
  const fadedId = fadedTextId === undefined ? undefined : `text:${fadedTextId}`;
  return (
    <div
      className={`pointer-events-none absolute top-0 left-0 origin-top-left ${isHeavy ? 'will-change-transform' : ''}`}
      data-zooming={isZooming ? 'artwork' : undefined}
      style={{
        width: picture.width * pxPerMm,
        height: picture.height * pxPerMm,
        transform: cssMatrix(isHeavy ? toWholePx(world) : world),
      }}
    >
      {backdrop && (
        <div
          // Below a heavy drawing it is a layer at rest, too: as one that came and went, the picture of the product
          // would be painted at the first step of each zoom and once more at its end.
          className={`absolute top-0 left-0 origin-top-left ${isHeavy ? 'will-change-transform' : ''}`}
          data-zooming={picturePxPerMm === view.pxPerMm ? undefined : 'picture'}
          style={{
            width: picture.width * picturePxPerMm,
            height: picture.height * picturePxPerMm,
            transform: picturePxPerMm === pxPerMm ? undefined : `scale(${pxPerMm / picturePxPerMm})`,
          }}
        >
          <Picture key={backdrop.pictureHref} href={backdrop.pictureHref} />
        </div>
      )}
      {view.surface ? (
        <Suspense>
          <RoundLayers {...{ view, pxPerMm, fadedId }} />
        </Suspense>
      ) : (
        <FlatLayers {...{ view, pxPerMm, fadedId }} />
      )}
    </div>
  );
}

function FlatLayers({ view: { originMm }, pxPerMm, fadedId }: LayersProps) {
  const scene = useEditorState((state) => state.scene);
  const settledScene = useEditorState((state) => state.settledScene);
  const isGesturing = useEditorState((state) => state.isGesturing);
  const fadedGroup = useEditorState((state) => (state.viewOptions.showsNodes ? findTrace(state)?.group : undefined));
  const settledDrawing = useMemo(() => drawScene(settledScene), [settledScene]);
  // During a gesture only drawings that change beyond their place are drawn again, such as a text being typed.
  const isOnlyMoved = scene.groups.every((group) => isSameDrawing(group, findGroup(settledScene, group.elementId)));
  const drawing = isOnlyMoved ? settledDrawing : drawScene(scene);
  return (
    <>
      {drawing.defs && (
        <svg aria-hidden="true" width={0} height={0} className="absolute">
          <SvgNodeView node={drawing.defs} />
        </svg>
      )}
      <div
        className="absolute overflow-hidden"
        style={{
          left: originMm.x * pxPerMm,
          top: originMm.y * pxPerMm,
          width: scene.widthMm * pxPerMm,
          height: scene.heightMm * pxPerMm,
        }}
      >
        {clipPaths(scene.area, scale(pxPerMm)).reduce<ReactNode>(
          (inside, path) => (
            <div className="absolute inset-0" style={{ clipPath: `path(evenodd, "${path}")` }}>
              {inside}
            </div>
          ),
          scene.groups.map((group) => {
            const element = drawing.elements.get(group.elementId);
            return (
              element && (
                <ElementLayer
                  key={group.elementId}
                  node={element.node}
                  filter={element.filter}
                  matrix={group.matrix}
                  pxPerMm={pxPerMm}
                  isGesturing={isGesturing}
                  isFaded={group.elementId === fadedId || group === fadedGroup}
                />
              )
            );
          }),
        )}
      </div>
    </>
  );
}

/**
 * The time without a step of the zoom, after the frame of the last one, after which a heavy drawing is painted. A frame
 * without a step is rest enough: what is left is time for a step that comes late in it.
 */
const REST_MS = 4;
/**
 * The time after which the picture of the product is painted below a heavy drawing, after the drawing. It fills the
 * stage: its 30 to 60 tiles would hold up the few of the drawing, whose edges are looked at.
 */
const PICTURE_REST_MS = 80;
/**
 * How many times larger than they are shown the painted pixels may be, and how many times smaller. What comes into
 * sight when somebody zooms out is painted at their scale: at that of 32 times, it would be thousands of tiles.
 */
const MAX_SHRINK = 2;
const MAX_STRETCH = 4;

interface Painting {
  readonly nodes: readonly SvgNode[];
  readonly matrix: Matrix;
  readonly pxPerMm: number;
}

/**
 * Draws one element as a picture of its own, which the compositor moves with the pixels it has: thousands of nodes are
 * painted when the drawing or its scale changes, and not for a move or a rotation. A gesture that resizes shows the
 * scaled pixels and paints once at its end.
 */
const ElementLayer = memo(function ElementLayer({
  node,
  filter,
  matrix,
  pxPerMm,
  isGesturing,
  isFaded,
}: {
  node: SvgNode;
  filter: string | undefined;
  matrix: Matrix;
  pxPerMm: number;
  isGesturing: boolean;
  /** True while something else is shown over it: the paths of the trace, or the field of a text. */
  isFaded: boolean;
}) {
  // A light drawing needs a layer only while it moves: a resting layer costs memory and a little sharpness.
  const isHeavy = useMemo(() => countCharacters(node.children) > HEAVY_CHARACTERS, [node.children]);
  const isLayer = isHeavy || isGesturing;
  const [lastPainting, setLastPainting] = useState<Painting>({ nodes: node.children, matrix, pxPerMm });
  let painting = lastPainting;
  let motion = multiply(matrix, invert(painting.matrix));
  const isSameDrawing = painting.nodes === node.children && painting.pxPerMm === pxPerMm;
  if (!isSameDrawing || (!isGesturing && !keepsScale(motion))) {
    painting = { nodes: node.children, matrix, pxPerMm };
    motion = identity;
    setLastPainting(painting);
  }
  return (
    <svg
      aria-hidden="true"
      width={1}
      height={1}
      className={`absolute top-0 left-0 origin-top-left overflow-visible ${isLayer ? 'will-change-transform' : ''} ${isFaded ? 'opacity-25' : ''}`}
      style={{ transform: cssMatrix(toPx(motion, pxPerMm)) }}
    >
      <g transform={`scale(${pxPerMm})`} filter={filter}>
        <g
          transform={svgMatrix(painting.matrix)}
          opacity={node.attrs.opacity}
          data-element={node.attrs['data-element']}
        >
          <SvgNodes nodes={node.children} />
        </g>
      </g>
    </svg>
  );
});

const countCharacters = (nodes: readonly SvgNode[]) =>
  nodes.reduce((sum, { attrs }) => sum + (attrs.d?.length ?? 0), 0);

/** Differences below this are rounding errors. */
const TINY = 1e-6;

/**
 * True when a matrix keeps the scale and does not mirror. A mirrored drawing is painted again: it is rare, and the
 * light of a finish does not mirror.
 */
const keepsScale = ({ a, b, c, d }: Matrix) => Math.abs(a * d - b * c - 1) < TINY && Math.abs(a - d) < TINY;

/** Draws the product's picture, and a plain block until it has loaded. */
function Picture({ href }: { href: string }) {
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  return (
    <>
      {state === 'loading' && <div className="absolute inset-[8%] animate-pulse rounded-card bg-ink/6" />}
      {state === 'failed' && (
        <p role="alert" className="absolute inset-0 grid place-items-center text-center text-sm text-graphite">
          The picture of this product could not be loaded.
        </p>
      )}
      <img
        src={href}
        alt=""
        draggable={false}
        onLoad={() => setState('ready')}
        onError={() => setState('failed')}
        className={`absolute inset-0 size-full max-w-none transition-opacity select-none ${state === 'ready' ? '' : 'opacity-0'}`}
      />
    </>
  );
}

/** Converts a matrix to CSS px. */
const toPx = (m: Matrix, pxPerMm: number): Matrix => toWholePx({ ...m, e: m.e * pxPerMm, f: m.f * pxPerMm });

/** Rounds a pure translation to whole pixels: a layer that lies half a pixel off has blurred edges. */
function toWholePx(m: Matrix): Matrix {
  const isMove = Math.abs(m.b) < TINY && Math.abs(m.c) < TINY && Math.abs(m.a - 1) < TINY && Math.abs(m.d - 1) < TINY;
  return isMove ? { ...identity, e: Math.round(m.e), f: Math.round(m.f) } : m;
}

const cssMatrix = ({ a, b, c, d, e, f }: Matrix) => `matrix(${a}, ${b}, ${c}, ${d}, ${e}, ${f})`;
const svgMatrix = ({ a, b, c, d, e, f }: Matrix) => `matrix(${a} ${b} ${c} ${d} ${e} ${f})`;
