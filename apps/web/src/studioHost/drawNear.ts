import { nearView, renderView, type Scene, type SvgNode } from '@markwright/scene';

/** Draws the marks of a scene on their product, as near as they all are in sight. */
export function drawNear(scene: Scene): SvgNode {
  const node = renderView(scene, { kind: 'preview' });
  const { x, y, width, height } = nearView(scene);
  return { ...node, attrs: { ...node.attrs, viewBox: [x, y, width, height].join(' ') } };
}
