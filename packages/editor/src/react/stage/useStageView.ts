/** The view of the product on the stage, and the moves that it makes by itself. */
import { type FractionRect, isArtworkId } from '@markwright/scene';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Editor } from '../../core/document/editor.ts';
import { roundViewOf } from '../../core/document/roundView.ts';
import { measureProductBox } from '../../core/pointer/productBox.ts';
import {
  areaPosition,
  createStageView,
  type Inset,
  type Size,
  type StageView,
  unionRect,
  type ViewPosition,
} from '../../core/pointer/stageView.ts';
import type { SurfaceMap } from '../../core/pointer/surfaceMap.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';
import { isTextField } from './isTextField.ts';

/**
 * Returns the view for a stage of this size. When the first artwork lands, it moves gently to the machine area. It
 * keeps that in view while it is traced and while elements come, and moves no more once a person has zoomed or panned.
 */
export function useStageView(size: Size | undefined, inset: Inset): StageView | undefined {
  const scene = useEditorState((state) => state.scene);
  const zoom = useEditorState((state) => state.zoom);
  const pan = useEditorState((state) => state.pan);
  const productBox = useProductBox();
  const surface = useSurfaceMap();
  const view =
    size && size.width > 0 && size.height > 0
      ? createStageView({ ...size, inset }, scene, zoom, pan, productBox, surface)
      : undefined;
  useMoveToArea(view);
  return view;
}

type Surfaces = typeof import('../../core/pointer/surfaceMap.ts');

/** Returns where a round blank shows its places, while the stage shows it as it will be; the same while it is. */
function useSurfaceMap(): SurfaceMap | undefined {
  const isRound = useEditorState((state) => roundViewOf(state) === 'round');
  const scene = useEditorState((state) => state.scene);
  const [surfaces, setSurfaces] = useState<Surfaces>();
  const isMissing = isRound && !surfaces;
  useEffect(() => {
    if (!isMissing) return;
    let isWanted = true;
    // Without the code the stage stays flat, and the next try is that of the next switch.
    import('../../core/pointer/surfaceMap.ts').then(
      (code) => isWanted && setSurfaces(code),
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [isMissing]);
  const last = useRef<{ readonly key: string; readonly map: SurfaceMap | undefined }>(undefined);
  if (!isRound || !surfaces) return undefined;
  const key = surfaces.surfaceKey(scene);
  if (key === undefined) return undefined;
  if (last.current?.key !== key) last.current = { key, map: surfaces.createSurfaceMap(scene) };
  return last.current.map;
}

/** The most that the stage zooms in by itself: to an area that is a small part of its product. */
const MAX_AREA_ZOOM = 8;

function useMoveToArea(view: StageView | undefined): void {
  const editor = useEditor();
  const hasArtwork = useEditorState(
    ({ scene }) => scene.backdrop !== undefined && scene.groups.some(({ elementId }) => isArtworkId(elementId)),
  );
  const isGesturing = useEditorState((state) => state.isGesturing);
  const origin = useEditorState((state) => state.viewOrigin);
  const contents = useEditorState(({ scene, assets }) =>
    [
      ...scene.groups.map(({ elementId }) => elementId),
      ...[...assets.artworks.values()].map(({ imageHref }) => (imageHref === undefined ? 'trace' : 'picture')),
    ].join(),
  );
  const stop = useRef<() => void>(undefined);
  const move = useEffectEvent((isGentle: boolean) => {
    if (!view) return;
    stop.current?.();
    stop.current = moveView(editor, areaPosition(view, editor.getState().scene, MAX_AREA_ZOOM), isGentle);
  });
  const hasView = view !== undefined;
  const lastContents = useRef(contents);
  useEffect(() => {
    if (!hasView || !hasArtwork || origin === 'person') return;
    const isOther = lastContents.current !== contents;
    lastContents.current = contents;
    // Nothing moves under a hand. A text that is typed is a gesture, too, with the hand elsewhere.
    if (isGesturing && !isTextField(document.activeElement)) return;
    if (origin === 'fit' || isOther) move(true);
  }, [hasView, hasArtwork, isGesturing, origin, contents]);

  // Another product, or another stage, has another view of its machine area.
  const surroundings = view && JSON.stringify([view.free, view.product, view.angleDeg]);
  const last = useRef(surroundings);
  useEffect(() => {
    const isOther = last.current !== surroundings;
    last.current = surroundings;
    if (!isOther || editor.getState().viewOrigin !== 'stage') return;
    if (hasArtwork) move(false);
    else editor.resetView();
  }, [surroundings, hasArtwork, editor]);
  useEffect(() => () => stop.current?.(), []);
}

const MOVE_MS = 280;

/** Moves the view, in one step or gently. Returns a function that stops it. It stops for a gesture or a person. */
function moveView(editor: Editor, to: ViewPosition, isGentle: boolean): () => void {
  if (!isGentle || matchMedia('(prefers-reduced-motion: reduce)').matches) {
    editor.setView(to, 'stage');
    return () => undefined;
  }
  const from = editor.getState();
  let lastPan = from.pan;
  let frame = 0;
  let start: number | undefined;
  const step = (now: number) => {
    start ??= now;
    const state = editor.getState();
    const isHeld = state.isGesturing && !from.isGesturing;
    if (state.pan !== lastPan || state.viewOrigin === 'person' || isHeld) return;
    const time = Math.min(1, (now - start) / MOVE_MS);
    const share = time * time * (3 - 2 * time);
    const mix = (a: number, b: number) => a + (b - a) * share;
    lastPan = { x: mix(from.pan.x, to.pan.x), y: mix(from.pan.y, to.pan.y) };
    editor.setView(time < 1 ? { zoom: mix(from.zoom, to.zoom), pan: lastPan } : to, 'stage');
    if (time < 1) frame = requestAnimationFrame(step);
  };
  frame = requestAnimationFrame(step);
  return () => cancelAnimationFrame(frame);
}

/** The longest side, in px, at which a picture is measured: a margin is right to a hundredth. */
const MEASURED_PX = 128;
/** The measured boxes by the picture's address. Each picture is measured once on a page. */
const boxes = new Map<string, Promise<FractionRect | undefined>>();

/** Returns the part of the product's picture that the product fills, with its print area. */
function useProductBox(): FractionRect | undefined {
  const product = useEditorState((state) => state.assets.product);
  const href = product?.pictureHref;
  const [measurement, setMeasurement] = useState<{ readonly href: string; readonly box: FractionRect | undefined }>();
  useEffect(() => {
    if (href === undefined) return;
    let isWanted = true;
    const box = boxes.get(href) ?? measurePicture(href);
    boxes.set(href, box);
    void box.then((result) => isWanted && setMeasurement({ href, box: result }));
    return () => {
      isWanted = false;
    };
  }, [href]);
  const box = measurement && measurement.href === href ? measurement.box : undefined;
  return box && product ? unionRect(box, product.printArea) : undefined;
}

/** Resolves with undefined for a picture that does not load or may not be read. */
async function measurePicture(href: string): Promise<FractionRect | undefined> {
  try {
    const image = new Image();
    image.src = href;
    await image.decode();
    const scale = MEASURED_PX / Math.max(image.naturalWidth, image.naturalHeight);
    const width = Math.max(1, Math.round(image.naturalWidth * scale));
    const height = Math.max(1, Math.round(image.naturalHeight * scale));
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width, height });
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (!context) return undefined;
    context.drawImage(image, 0, 0, width, height);
    return measureProductBox(context.getImageData(0, 0, width, height));
  } catch {
    boxes.delete(href);
    return undefined;
  }
}
