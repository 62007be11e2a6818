/**
 * The elements on a round blank as it will be: a layer for each, with the picture that the one renderer draws of the
 * scene on its blank.
 */
import { type Point, renderView, type Scene, type SceneGroup, type SceneLight, type SvgNode } from '@markwright/scene';
import { Fragment, memo, useEffect, useMemo, useState } from 'react';
import { useEditorState } from '../EditorProvider.tsx';
import { createBlankWrapper } from './blankWrapper.ts';
import { findGroup, isSameDrawing, type LayersProps } from './drawScene.ts';
import { createFlatBitmaps, type FlatBitmaps, isHeavyOnBlank } from './flatBitmaps.ts';
import { MeshLayer } from './MeshLayer.tsx';
import { SvgNodes } from './SvgNodeView.tsx';

export function RoundLayers({ view, pxPerMm, fadedId }: LayersProps) {
  const { picture } = view;
  const scene = useEditorState((state) => state.scene);
  const settledScene = useEditorState((state) => state.settledScene);
  const [version, setVersion] = useState(0);
  const [wrapper] = useState(() => createBlankWrapper(() => setVersion((before) => before + 1)));
  const sidePx = sharpSide(Math.max(picture.width, picture.height) * pxPerMm * devicePixelRatio);
  // The version counts what has loaded meanwhile.
  const atRest = useMemo(
    () => drawLayers(wrapper.wrap(settledScene, 0, sidePx)),
    [wrapper, settledScene, sidePx, version],
  );
  const bitmaps = useBitmaps(settledScene, view.pxPerMm * devicePixelRatio);
  const moving = findMoving(scene, settledScene);
  const bitmapOf = (group: SceneGroup) => (moving.includes(group) ? bitmaps.find(scene, group) : undefined);
  // An element without a bitmap is wrapped anew in each frame.
  const anew = moving.filter((group) => !bitmapOf(group));
  const inMotion = anew.length > 0 ? drawLayers(wrapper.wrap({ ...scene, groups: anew }, 0, sidePx)) : atRest;
  return scene.groups.map((group) => {
    const bitmap = bitmapOf(group);
    const isFaded = group.elementId === fadedId;
    const drawing = anew.includes(group) ? inMotion : atRest;
    const nodes = drawing.layers.get(group.elementId);
    return (
      <Fragment key={group.elementId}>
        {nodes && (
          <RoundLayer
            nodes={nodes}
            pxPerMm={pxPerMm}
            left={drawing.originMm.x}
            top={drawing.originMm.y}
            isFaded={isFaded}
            isHidden={bitmap !== undefined}
          />
        )}
        {bitmap && <MeshLayer {...{ view, pxPerMm, scene, group, bitmap, isFaded }} light={atRest.light} />}
      </Fragment>
    );
  });
}

/** Returns what a gesture has moved or changed: everything, while it resizes the machine area. */
function findMoving(scene: Scene, settledScene: Scene): readonly SceneGroup[] {
  if (scene === settledScene) return [];
  const isFrameMoving =
    scene.widthMm !== settledScene.widthMm ||
    scene.heightMm !== settledScene.heightMm ||
    scene.backdrop?.originMm.x !== settledScene.backdrop?.originMm.x ||
    scene.backdrop?.originMm.y !== settledScene.backdrop?.originMm.y;
  return scene.groups.filter((group) => isFrameMoving || !isUnmoved(group, findGroup(settledScene, group.elementId)));
}

/** After so long without a change the bitmaps of heavy elements are made: nobody waits for them. */
const IDLE_MS = 250;

function useBitmaps(settledScene: Scene, pxPerMm: number): FlatBitmaps {
  const [bitmaps] = useState(createFlatBitmaps);
  const isGesturing = useEditorState((state) => state.isGesturing);
  useEffect(() => {
    if (isGesturing) return;
    const timer = setTimeout(async () => {
      for (const group of settledScene.groups.filter(isHeavyOnBlank)) {
        // Without its bitmap an element is wrapped while it is dragged, in slower frames.
        await bitmaps.prepare(settledScene, group, pxPerMm).catch(() => undefined);
      }
    }, IDLE_MS);
    return () => clearTimeout(timer);
  }, [bitmaps, settledScene, pxPerMm, isGesturing]);
  return bitmaps;
}

/** Pictures of more are no sharper to the eye, and take a second. */
const MAX_SIDE_PX = 2400;
const MIN_SIDE_PX = 600;

/** Returns the side that pictures are made for: the same one for zooms that are alike. */
const sharpSide = (px: number) =>
  Math.min(MAX_SIDE_PX, Math.max(MIN_SIDE_PX, 2 ** Math.ceil(Math.log2(Math.max(1, px / MIN_SIDE_PX))) * MIN_SIDE_PX));

function isUnmoved(group: SceneGroup, before: SceneGroup | undefined): boolean {
  if (!before || !isSameDrawing(group, before)) return false;
  const { a, b, c, d, e, f } = group.matrix;
  const m = before.matrix;
  return a === m.a && b === m.b && c === m.c && d === m.d && e === m.e && f === m.f;
}

interface RoundDrawing {
  readonly layers: ReadonlyMap<string, readonly SvgNode[]>;
  readonly light: SceneLight | undefined;
  /** The machine area's corner on the picture, mm. */
  readonly originMm: Point;
}

/** Draws each element of a scene alone, with its light and its clips, and without the picture of the product. */
function drawLayers(scene: Scene): RoundDrawing {
  const backdrop = { ...scene.backdrop!, angleDeg: 0 };
  const layers = new Map(
    scene.groups.map((group) => {
      const { children } = renderView({ ...scene, backdrop, groups: [group] }, { kind: 'preview' });
      return [group.elementId, children.filter(({ attrs }) => attrs.href !== backdrop.pictureHref)];
    }),
  );
  return { layers, light: scene.wrap?.light, originMm: backdrop.originMm };
}

const RoundLayer = memo(function RoundLayer({
  nodes,
  pxPerMm,
  left,
  top,
  isFaded,
  isHidden,
}: {
  nodes: readonly SvgNode[];
  pxPerMm: number;
  /** Of the machine area on the picture, mm. */
  left: number;
  top: number;
  isFaded: boolean;
  /** Its bitmap is shown instead. */
  isHidden: boolean;
}) {
  return (
    // What hides it must not reach its clips and masks: the Live Preview may refer to the same ones.
    <svg
      aria-hidden="true"
      width={1}
      height={1}
      className={`absolute top-0 left-0 origin-top-left overflow-visible ${isFaded ? 'opacity-25' : ''} ${isHidden ? '[clip-path:inset(100%)]' : ''}`}
    >
      <g transform={`scale(${pxPerMm}) translate(${left} ${top})`}>
        <SvgNodes nodes={nodes} />
      </g>
    </svg>
  );
});
