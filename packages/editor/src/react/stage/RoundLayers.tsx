/**
 * The elements on a round blank as it will be: a layer for each, with the picture that the one renderer draws of the
 * scene on its blank.
 */
import { renderView, type Scene, type SceneGroup, type SvgNode } from '@markwright/scene';
import { memo, useMemo, useState } from 'react';
import { useEditorState } from '../EditorProvider.tsx';
import { createBlankWrapper } from './blankWrapper.ts';
import { findGroup, isSameDrawing, type LayersProps } from './drawScene.ts';
import { SvgNodes } from './SvgNodeView.tsx';

export function RoundLayers({ view: { picture }, pxPerMm, fadedId }: LayersProps) {
  const scene = useEditorState((state) => state.scene);
  const settledScene = useEditorState((state) => state.settledScene);
  const [version, setVersion] = useState(0);
  const [wrapper] = useState(() => createBlankWrapper(() => setVersion((before) => before + 1)));
  const sidePx = sharpSide(Math.max(picture.width, picture.height) * pxPerMm * devicePixelRatio);
  // Version counts what has loaded meanwhile.
  const restLayers = useMemo(
    () => drawLayers(wrapper.wrap(settledScene, 0, sidePx)),
    [wrapper, settledScene, sidePx, version],
  );
  const isResting = scene === settledScene;
  const isFrameMoving = scene.widthMm !== settledScene.widthMm || scene.heightMm !== settledScene.heightMm;
  const moving = isResting
    ? []
    : scene.groups.filter((group) => isFrameMoving || !isUnmoved(group, findGroup(settledScene, group.elementId)));
  const movingLayers =
    moving.length > 0 ? drawLayers(wrapper.wrap({ ...scene, groups: moving }, 0, sidePx)) : restLayers;
  const { originMm } = (isFrameMoving ? scene : settledScene).backdrop!;
  return scene.groups.map((group) => {
    const nodes = (moving.includes(group) ? movingLayers : restLayers).get(group.elementId);
    return (
      nodes && (
        <RoundLayer
          key={group.elementId}
          nodes={nodes}
          pxPerMm={pxPerMm}
          left={originMm.x}
          top={originMm.y}
          isFaded={group.elementId === fadedId}
        />
      )
    );
  });
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

/** Draws each element of a scene alone, with its light and its clips, and without the picture of the product. */
function drawLayers(scene: Scene): ReadonlyMap<string, readonly SvgNode[]> {
  const backdrop = scene.backdrop && { ...scene.backdrop, angleDeg: 0 };
  return new Map(
    scene.groups.map((group) => {
      const { children } = renderView({ ...scene, backdrop, groups: [group] }, { kind: 'preview' });
      return [group.elementId, children.filter(({ attrs }) => attrs.href !== backdrop?.pictureHref)];
    }),
  );
}

const RoundLayer = memo(function RoundLayer({
  nodes,
  pxPerMm,
  left,
  top,
  isFaded,
}: {
  nodes: readonly SvgNode[];
  pxPerMm: number;
  /** Of the machine area on the picture, mm. */
  left: number;
  top: number;
  isFaded: boolean;
}) {
  return (
    <svg
      aria-hidden="true"
      width={1}
      height={1}
      className={`absolute top-0 left-0 origin-top-left overflow-visible ${isFaded ? 'opacity-25' : ''}`}
    >
      <g transform={`scale(${pxPerMm}) translate(${left} ${top})`}>
        <SvgNodes nodes={nodes} />
      </g>
    </svg>
  );
});
