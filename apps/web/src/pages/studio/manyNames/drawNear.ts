import { applyMatrix, boxAround, type Point, renderView, type Scene, type SvgNode, sceneView } from '@markwright/scene';

/** The share of the marks' longer side that is free around them. */
const NEAR_MARGIN = 0.15;

/** Draws the marks of a scene on their product, as near as they all are in sight. */
export function drawNear(scene: Scene): SvgNode {
  const node = renderView(scene, { kind: 'preview' });
  if (scene.groups.length === 0) return node;
  const { matrix } = sceneView(scene);
  const { left, top, right, bottom } = boxAround(
    scene.groups.map(({ corners }) => ({
      corners: corners.map((corner) => applyMatrix(matrix, corner)) as [Point, Point, Point, Point],
    })),
  )!;
  const margin = NEAR_MARGIN * Math.max(right - left, bottom - top);
  const size = [right - left + 2 * margin, bottom - top + 2 * margin];
  return { ...node, attrs: { ...node.attrs, viewBox: [left - margin, top - margin, ...size].join(' ') } };
}
