/** The only renderer: it draws every target from the same scene. */
import { PaintServer, transformGradient } from '../artwork/gradient.ts';
import { laserLayers } from '../document/machine.ts';
import { lengthScale, type Matrix, multiply, scale, translate } from '../geometry/matrix.ts';
import { readContours, transformContours, writeContours } from '../geometry/pathData.ts';
import { clipToFrame, type FrameShape, layerShapes } from '../production/production.ts';
import type { Scene, SceneImage } from '../resolve/scene.ts';
import { formatNumber, type SvgNode, svgNode } from '../svg/svg.ts';
import { CUSTOM_SVG_PX, type FileTarget, STANDARD_SVG_PX, sceneView, type Target } from './targets.ts';
import { renderView } from './view.ts';
import { drawWatermark } from './watermark.ts';

/**
 * Draws a scene for a target. Pictures (preview, mockup) come from `renderView`, which a page without files can import
 * alone. Files have every transform baked into coordinates of at most three decimals (a micron in production), have
 * presentation attributes only, and hold nothing outside the frame. Throws a RangeError when a coordinate is not
 * finite. Cost: linear in the nodes; a laser file also takes boolean operations where shapes overlap.
 */
export function renderScene(scene: Scene, target: Target): SvgNode {
  if (target.kind !== 'preview' && target.kind !== 'mockup') return renderFile(scene, target);
  const view = renderView(scene, target);
  if (target.kind === 'preview' || !target.watermark) return view;
  return { ...view, children: [...view.children, drawWatermark(sceneView(scene))] };
}

function renderFile(scene: Scene, target: FileTarget): SvgNode {
  const { widthMm, heightMm } = scene;
  const width = formatNumber(widthMm, 4);
  const height = formatNumber(heightMm, 4);
  if (target.kind !== 'production') {
    const pixels = target.kind === 'customSvg' ? CUSTOM_SVG_PX : STANDARD_SVG_PX;
    // Contain-fitted by the view box, so that the coordinates stay the millimeters of every other target.
    const side = Math.max(widthMm, heightMm);
    const box = [(widthMm - side) / 2, (heightMm - side) / 2, side, side].map((value) => formatNumber(value, 4));
    return svgNode(
      'svg',
      { width: pixels, height: pixels, viewBox: box.join(' ') },
      drawElements(scene, identityFrame),
    );
  }
  const frame = { width: `${width}mm`, height: `${height}mm`, viewBox: `0 0 ${width} ${height}` };
  if (scene.machine === 'laser') return svgNode('svg', frame, drawLaserLayers(scene));
  // A sublimation print is pressed face down, so the file is mirrored; preview and mockup are not.
  const turn = scene.machine === 'sublimation' ? multiply(translate(widthMm, 0), scale(-1, 1)) : identityFrame;
  return svgNode('svg', frame, [svgNode('g', { id: 'print' }, drawElements(scene, turn))]);
}

const identityFrame = scale(1);

function placedShapes(scene: Scene, turn: Matrix): FrameShape[] {
  return scene.groups.flatMap((group) => {
    const matrix = multiply(turn, group.matrix);
    return group.children.flatMap((child) => {
      if (child.kind === 'image' || child.operation === 'guide') return [];
      const shape: FrameShape = {
        elementId: group.elementId,
        operation: child.operation,
        contours: transformContours(readContours(child.d), matrix),
        fill: child.fill,
        gradient: child.gradient && transformGradient(child.gradient, matrix),
        stroke: child.stroke,
        strokeWidth: child.strokeWidth * lengthScale(matrix),
        opacity: child.opacity * group.opacity,
      };
      return clipToFrame(shape, scene.widthMm, scene.heightMm);
    });
  });
}

/** Draws one group for each element, in the artwork's own colors. */
function drawElements(scene: Scene, turn: Matrix): SvgNode[] {
  const shapes = placedShapes(scene, turn);
  const paints = new PaintServer(PAINT_DECIMALS);
  const groups = scene.groups.flatMap(({ elementId, matrix, opacity, children }) => {
    const nodes = [
      ...children.flatMap((child) =>
        child.kind === 'image' ? [drawImage(child, multiply(turn, matrix), opacity)] : [],
      ),
      ...shapes.filter((shape) => shape.elementId === elementId).map((shape) => drawShape(shape, paints)),
    ];
    return nodes.length > 0 ? [svgNode('g', { id: elementId.replace(/[^\w-]/g, '-') }, nodes)] : [];
  });
  return [...paints.defs(), ...groups];
}

/** Decimals of gradient coordinates, like those of outlines: a micron in production. */
const PAINT_DECIMALS = 3;

function drawShape(shape: FrameShape, paints: PaintServer): SvgNode {
  return svgNode('path', {
    d: writePath(shape),
    fill: shape.fill && shape.gradient ? paints.add(shape.gradient) : (shape.fill ?? 'none'),
    'fill-rule': 'evenodd',
    stroke: shape.stroke ?? 'none',
    'stroke-width': shape.stroke ? formatNumber(shape.strokeWidth, 4) : undefined,
    opacity: shape.opacity < 1 ? shape.opacity : undefined,
  });
}

/** Draws an image. It is the only node of a file with a transform, because nothing else can rotate a picture. */
function drawImage(image: SceneImage, matrix: Matrix, opacity: number): SvgNode {
  const { a, b, c, d, e, f } = matrix;
  const box = { href: image.href, preserveAspectRatio: 'none', opacity: opacity < 1 ? opacity : undefined };
  if (b === 0 && c === 0 && a > 0 && d > 0) {
    return svgNode('image', { x: e, y: f, width: image.width * a, height: image.height * d, ...box });
  }
  const numbers = [a, b, c, d, e, f].map((value) => formatNumber(value, 6));
  return svgNode('image', {
    width: image.width,
    height: image.height,
    transform: `matrix(${numbers.join(' ')})`,
    ...box,
  });
}

/**
 * Draws one group for each layer that is not empty, in running order, in LightBurn's exact palette colors. An engraved
 * shape has the color as fill and stroke: the fill is engraved, and LightBurn reads the layer from the stroke.
 */
function drawLaserLayers(scene: Scene): SvgNode[] {
  const shapes = layerShapes(placedShapes(scene, identityFrame));
  return laserLayers.flatMap((layer) => {
    const paths = shapes.filter((shape) => shape.layer === layer);
    if (paths.length === 0) return [];
    const isFilled = layer.operation === 'engrave';
    const look = {
      fill: isFilled ? layer.color : 'none',
      'fill-rule': isFilled ? 'evenodd' : undefined,
      stroke: layer.color,
      'stroke-width': LASER_STROKE_MM,
    };
    return [
      svgNode(
        'g',
        { id: layer.id },
        paths.map((shape) => svgNode('path', { d: writePath(shape), ...look })),
      ),
    ];
  });
}

/** Thin enough for every driver to follow, wide enough to be seen: LightBurn's preset in the file reference. */
const LASER_STROKE_MM = 0.1;

/** Writes path data. Filled outlines always end with Z, even where the artwork left them open. */
const writePath = ({ contours, fill }: FrameShape) =>
  writeContours(fill ? contours.map((contour) => ({ ...contour, isClosed: true })) : contours);
