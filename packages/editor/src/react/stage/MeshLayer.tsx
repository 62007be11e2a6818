/** An element on a round blank while it is dragged: its flat bitmap, through the mesh of the blank. */
import {
  applyMatrix,
  type Bounds,
  clipPaths,
  invert,
  type Matrix,
  multiply,
  type Point,
  type Scene,
  type SceneGroup,
  type SceneLight,
  scale,
  translate,
} from '@markwright/scene';
import { useLayoutEffect, useMemo, useRef } from 'react';
import { boundsOf } from '../../core/pointer/bounds.ts';
import { type StageView, screenOutline } from '../../core/pointer/stageView.ts';
import type { SurfaceMap } from '../../core/pointer/surfaceMap.ts';
import { createMesh, type MeshPiece } from '../../core/pointer/surfaceMesh.ts';
import type { FlatBitmap } from './flatBitmaps.ts';

interface MeshLayerProps {
  readonly view: StageView;
  /** The scale of the layer that it lies in. */
  readonly pxPerMm: number;
  readonly scene: Scene;
  readonly group: SceneGroup;
  readonly bitmap: FlatBitmap;
  readonly light: SceneLight | undefined;
  readonly isFaded: boolean;
}

export function MeshLayer({ view, pxPerMm, scene, group, bitmap, light, isFaded }: MeshLayerProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const lastBox = useRef<Bounds>(undefined);
  const frame = useFrame(view, scene);
  const lightPicture = lightPictureOf(light);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || !frame) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    const last = lastBox.current;
    if (last) context.clearRect(last.left, last.top, last.right - last.left, last.bottom - last.top);
    lastBox.current = paint(context, { frame, view, group, bitmap, light, lightPicture });
  });
  if (!frame) return null;
  const { box } = frame;
  return (
    <canvas
      ref={canvas}
      width={frame.width}
      height={frame.height}
      className={`absolute will-change-transform ${isFaded ? 'opacity-25' : ''}`}
      style={{
        left: box.left * pxPerMm,
        top: box.top * pxPerMm,
        width: (box.right - box.left) * pxPerMm,
        height: (box.bottom - box.top) * pxPerMm,
      }}
    />
  );
}

/** The part of the machine area that is in sight, with its mesh. */
interface Frame {
  /** In picture mm. */
  readonly box: Bounds;
  readonly width: number;
  readonly height: number;
  /** Picture mm to px of the frame. */
  readonly toPx: Matrix;
  readonly pieces: readonly MeshPiece[];
  /** What limits the marks, in px. */
  readonly clips: readonly Path2D[];
}

/** What a drag brings into sight beyond the part of the stage that is free, px. */
const MARGIN_PX = 40;

function useFrame(view: StageView, scene: Scene): Frame | undefined {
  const { surface, toPicture, free, originMm } = view;
  const { widthMm, heightMm, area } = scene;
  const key = JSON.stringify([toPicture, free, originMm, widthMm, heightMm, devicePixelRatio]);
  return useMemo(() => surface && createFrame(surface, view, scene), [key, surface, area]);
}

function createFrame(surface: SurfaceMap, view: StageView, scene: Scene): Frame | undefined {
  const { toPicture, free, originMm } = view;
  const density = devicePixelRatio;
  const pxPerMm = view.pxPerMm * density;
  const clips = surface.wrapArea(scene);
  const points = clips[0]!.contours.flatMap(({ points }) => toPoints(points));
  if (points.length === 0) return undefined;
  const area = boundsOf(points.map(({ x, y }) => ({ x: x + originMm.x, y: y + originMm.y })));
  const corners = [
    { x: free.left - MARGIN_PX, y: free.top - MARGIN_PX },
    { x: free.right + MARGIN_PX, y: free.top - MARGIN_PX },
    { x: free.right + MARGIN_PX, y: free.bottom + MARGIN_PX },
    { x: free.left - MARGIN_PX, y: free.bottom + MARGIN_PX },
  ];
  const sight = boundsOf(corners.map((corner) => applyMatrix(toPicture, corner)));
  const left = Math.max(area.left, sight.left);
  const top = Math.max(area.top, sight.top);
  const width = Math.ceil((Math.min(area.right, sight.right) - left) * pxPerMm);
  const height = Math.ceil((Math.min(area.bottom, sight.bottom) - top) * pxPerMm);
  if (!(width > 0 && height > 0)) return undefined;
  const toPx = multiply(scale(pxPerMm), translate(-left, -top));
  return {
    box: { left, top, right: left + width / pxPerMm, bottom: top + height / pxPerMm },
    width,
    height,
    toPx,
    pieces: createMesh(surface, invert(toPx), { width, height }),
    clips: clipPaths(clips, multiply(toPx, translate(originMm.x, originMm.y))).map((d) => new Path2D(d)),
  };
}

const toPoints = (pairs: readonly number[]): Point[] =>
  Array.from({ length: pairs.length / 2 }, (_, i) => ({ x: pairs[2 * i]!, y: pairs[2 * i + 1]! }));

interface Painting {
  readonly frame: Frame;
  readonly view: StageView;
  readonly group: SceneGroup;
  readonly bitmap: FlatBitmap;
  readonly light: SceneLight | undefined;
  readonly lightPicture: HTMLImageElement | undefined;
}

/** What may lie beyond the box of an element, in its bitmap, px. */
const BEYOND_PX = 12;

/** Paints an element and returns the box of px that it is in; undefined where nothing of it is in sight. */
function paint(context: CanvasRenderingContext2D, painting: Painting): Bounds | undefined {
  const { frame, view, group, bitmap, light, lightPicture } = painting;
  const { originMm, toPicture } = view;
  const fromScreen = multiply(frame.toPx, toPicture);
  const outline = screenOutline(view, group.corners).map((point) => applyMatrix(fromScreen, point));
  const around = boundsOf(outline);
  const box = {
    left: Math.max(0, Math.floor(around.left) - BEYOND_PX),
    top: Math.max(0, Math.floor(around.top) - BEYOND_PX),
    right: Math.min(frame.width, Math.ceil(around.right) + BEYOND_PX),
    bottom: Math.min(frame.height, Math.ceil(around.bottom) + BEYOND_PX),
  };
  const { left, top, right, bottom } = box;
  if (left >= right || top >= bottom) return undefined;
  const toSurface = multiply(translate(originMm.x, originMm.y), group.matrix, bitmap.toElement);
  for (const piece of frame.pieces) {
    const [x, y] = [Math.max(piece.box.left, left), Math.max(piece.box.top, top)];
    const [width, height] = [Math.min(piece.box.right, right) - x, Math.min(piece.box.bottom, bottom) - y];
    if (width <= 0 || height <= 0) continue;
    context.save();
    clipTo(context, x, y, width, height);
    const { a, b, c, d, e, f } = multiply(piece.matrix, toSurface);
    context.setTransform(a, b, c, d, e, f);
    context.drawImage(bitmap.image, 0, 0);
    context.restore();
  }
  context.save();
  clipTo(context, left, top, right - left, bottom - top);
  if (light && lightPicture) {
    context.globalCompositeOperation = 'source-atop';
    const from = applyMatrix(frame.toPx, { x: light.x + originMm.x, y: light.y + originMm.y });
    const { a } = frame.toPx;
    context.drawImage(lightPicture, from.x, from.y, light.width * a, light.height * a);
  }
  context.globalCompositeOperation = 'destination-in';
  for (const clip of frame.clips) context.fill(clip, 'evenodd');
  context.restore();
  return box;
}

function clipTo(context: CanvasRenderingContext2D, x: number, y: number, width: number, height: number): void {
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
}

const lightPictures = new Map<string, HTMLImageElement>();
const MAX_LIGHTS = 4;

/** Returns the picture of a light, once it has loaded. */
function lightPictureOf(light: SceneLight | undefined): HTMLImageElement | undefined {
  const href = light?.href;
  if (href === undefined) return undefined;
  let picture = lightPictures.get(href);
  if (!picture) {
    picture = new Image();
    picture.src = href;
    if (lightPictures.size >= MAX_LIGHTS) lightPictures.clear();
    lightPictures.set(href, picture);
  }
  return picture.complete && picture.naturalWidth > 0 ? picture : undefined;
}
