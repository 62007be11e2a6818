/**
 * Bitmaps of heavy elements, flat, as the one renderer draws them. While an element is dragged on a round blank its
 * bitmap is shown through the mesh of the blank, which costs the same for any number of nodes.
 */
import {
  invert,
  type Matrix,
  multiply,
  type Scene,
  type SceneGroup,
  type SvgNode,
  scale,
  svgNode,
  translate,
  writeSvg,
} from '@markwright/scene';
import { boundsOf } from '../../core/pointer/bounds.ts';
import { drawScene, pathCharacters } from './drawScene.ts';

export interface FlatBitmap {
  readonly image: ImageBitmap;
  /** Maps its px to the element's own space. */
  readonly toElement: Matrix;
}

export interface FlatBitmaps {
  /** Returns the bitmap of an element, wherever it is now; undefined while there is none. */
  find(scene: Scene, group: SceneGroup): FlatBitmap | undefined;
  /** Makes the bitmap of an element as it is in the scene, unless there is one that is sharp enough. */
  prepare(scene: Scene, group: SceneGroup, pxPerMm: number): Promise<void>;
}

/** More characters of path data than this take longer than a frame to be wrapped and painted, with their light. */
const HEAVY_CHARACTERS = 12_000;

/** True for what is shown as a bitmap while it is dragged: many points, or pixels. */
export const isHeavyOnBlank = ({ children }: SceneGroup): boolean =>
  pathCharacters(children) > HEAVY_CHARACTERS || children.some(({ kind }) => kind !== 'path');

/** Around the box of an element, mm: lines are wider than their outline, and edges of a material shine beyond it. */
const MARGIN_MM = 1.5;
const MAX_SIDE_PX = 2048;
/** A bitmap that is this much less sharp is made anew. */
const LEAST_SHARPNESS = 0.6;
const MAX_BITMAPS = 4;

interface Entry extends FlatBitmap {
  readonly look: string;
  readonly pxPerMm: number;
}

export function createFlatBitmaps(): FlatBitmaps {
  const entries = new Map<SceneGroup['children'], Entry>();
  let isAtWork = false;
  const find = (scene: Scene, group: SceneGroup) => {
    const entry = entries.get(group.children);
    return entry?.look === lookOf(scene, group) ? entry : undefined;
  };
  return {
    find,
    async prepare(scene, group, pxPerMm) {
      const present = find(scene, group);
      if (isAtWork || (present && present.pxPerMm >= pxPerMm * LEAST_SHARPNESS)) return;
      isAtWork = true;
      try {
        const bitmap = await drawFlat(scene, group, pxPerMm);
        if (!bitmap) return;
        entries.delete(group.children);
        // One that is on the stage now is not closed: it is in use until the next frame.
        if (entries.size >= MAX_BITMAPS) entries.delete(entries.keys().next().value!);
        entries.set(group.children, { ...bitmap, look: lookOf(scene, group), pxPerMm });
      } finally {
        isAtWork = false;
      }
    },
  };
}

/** The facts beside the shapes that a bitmap depends on. A change of one needs another bitmap. */
function lookOf({ machine, backdrop, markPainter }: Scene, { opacity }: SceneGroup): string {
  return JSON.stringify([machine, backdrop?.finish, markPainter !== undefined, opacity]);
}

async function drawFlat(scene: Scene, group: SceneGroup, pxPerMm: number): Promise<FlatBitmap | undefined> {
  const { elements, defs } = drawScene({ ...scene, area: undefined, groups: [group] });
  const drawing = elements.get(group.elementId);
  if (!drawing) return undefined;
  const { left, top, right, bottom } = boundsOf(group.corners);
  const [x, y] = [left - MARGIN_MM, top - MARGIN_MM];
  const [widthMm, heightMm] = [right - left + 2 * MARGIN_MM, bottom - top + 2 * MARGIN_MM];
  const sharpness = Math.min(pxPerMm, MAX_SIDE_PX / Math.max(widthMm, heightMm));
  const [width, height] = [Math.ceil(widthMm * sharpness), Math.ceil(heightMm * sharpness)];
  const content = [...(defs ? [defs] : []), svgNode('g', { filter: drawing.filter }, [drawing.node])];
  const viewBox = `${x} ${y} ${width / sharpness} ${height / sharpness}`;
  const node = await inlinePictures(svgNode('svg', { width, height, viewBox }, content));
  const url = URL.createObjectURL(new Blob([writeSvg(node)], { type: 'image/svg+xml' }));
  try {
    const picture = new Image();
    picture.src = url;
    await picture.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    canvas.getContext('2d')?.drawImage(picture, 0, 0, width, height);
    const image = await createImageBitmap(canvas);
    return { image, toElement: multiply(invert(group.matrix), translate(x, y), scale(1 / sharpness)) };
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Puts the pictures of a drawing into it: one that is shown as a picture itself loads no others. */
async function inlinePictures(node: SvgNode): Promise<SvgNode> {
  const children = await Promise.all(node.children.map(inlinePictures));
  const { href, ...others } = node.attrs;
  const attrs =
    node.tag === 'image' && href && !href.startsWith('data:')
      ? { ...others, href: await toDataHref(href) }
      : node.attrs;
  return { ...node, attrs, children };
}

async function toDataHref(href: string): Promise<string> {
  const picture = new Image();
  picture.src = href;
  await picture.decode();
  const share = Math.min(1, MAX_SIDE_PX / Math.max(picture.naturalWidth, picture.naturalHeight, 1));
  const canvas = Object.assign(document.createElement('canvas'), {
    width: Math.max(1, Math.round(picture.naturalWidth * share)),
    height: Math.max(1, Math.round(picture.naturalHeight * share)),
  });
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL();
}
