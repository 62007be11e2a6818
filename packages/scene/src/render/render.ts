/** The only renderer: it draws every target from the same scene. */
import { identity } from '../geometry/matrix.ts';
import { buildJob, colorPlate } from '../production/buildJob.ts';
import { drawGroups, drawJob } from '../production/writers/jobSvg.ts';
import type { Scene } from '../resolve/scene.ts';
import { formatNumber, type SvgNode, svgNode } from '../svg/svg.ts';
import { CUSTOM_SVG_PX, type FileTarget, STANDARD_SVG_PX, sceneView, type Target } from './targets.ts';
import { renderView } from './view.ts';
import { drawWatermark } from './watermark.ts';

/**
 * Draws a scene for a target. Pictures (preview, mockup) come from `renderView`, which a page without files can import
 * alone. A production file is drawn from the scene's job. Files have every transform baked into coordinates of at most
 * three decimals (a micron in production), have presentation attributes only, and hold nothing outside the frame.
 * Throws a RangeError when a coordinate is not finite. Cost: that of `buildJob` for a production file; linear in the
 * nodes for the others.
 */
export function renderScene(scene: Scene, target: Target): SvgNode {
  if (target.kind === 'production') return drawJob(buildJob(scene));
  if (target.kind !== 'preview' && target.kind !== 'mockup') return drawSquare(scene, target);
  const view = renderView(scene, target);
  if (target.kind === 'preview' || !target.watermark) return view;
  return { ...view, children: [...view.children, drawWatermark(sceneView(scene))] };
}

/** Draws the artwork's own colors on a square canvas. */
function drawSquare(scene: Scene, target: Exclude<FileTarget, { kind: 'production' }>): SvgNode {
  const { widthMm, heightMm } = scene;
  const pixels = target.kind === 'customSvg' ? CUSTOM_SVG_PX : STANDARD_SVG_PX;
  // Contain-fitted by the view box, so that the coordinates stay the millimeters of every other target.
  const side = Math.max(widthMm, heightMm);
  const box = [(widthMm - side) / 2, (heightMm - side) / 2, side, side].map((value) => formatNumber(value, 4));
  return svgNode(
    'svg',
    { width: pixels, height: pixels, viewBox: box.join(' ') },
    drawGroups(colorPlate(scene, identity, ({ operation }) => operation !== 'guide').groups),
  );
}
