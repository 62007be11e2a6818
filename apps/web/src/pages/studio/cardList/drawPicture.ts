/** The small picture of a scene for a card. */
import { COMPOSITION_PICTURE_PX } from '@markwright/contract/words';
import { renderView, type Scene, type SvgNode, sceneView, writeSvg } from '@markwright/scene';
import { findMask } from '../../../studioHost/engraver/masks.ts';

/** Draws a scene as its mockup is drawn, as a small WebP. Rejects when a picture in it cannot be fetched. */
export async function drawPicture(scene: Scene): Promise<Blob> {
  const node = await inlinePictures(renderView(scene, { kind: 'mockup' }));
  const { width, height } = sceneView(scene);
  const scale = COMPOSITION_PICTURE_PX / Math.max(width, height);
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const attrs = { ...node.attrs, width: String(size.width), height: String(size.height) };
  const address = URL.createObjectURL(new Blob([writeSvg({ ...node, attrs })], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), size);
    canvas.getContext('2d')?.drawImage(image, 0, 0, size.width, size.height);
    return await toBlob(canvas);
  } finally {
    URL.revokeObjectURL(address);
  }
}

function toBlob(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const take = (blob: Blob | null) => (blob ? resolve(blob) : reject(new Error('The canvas gave no picture.')));
    canvas.toBlob(take, 'image/webp', 0.82);
  });
}

/** Puts the pictures an SVG names into it as data: a browser fetches nothing for an SVG that is shown as an image. */
async function inlinePictures(node: SvgNode): Promise<SvgNode> {
  const { href } = node.attrs;
  const attrs = href && !/^(data:|#)/.test(href) ? { ...node.attrs, href: await inline(href) } : node.attrs;
  if (!hasPicture(node)) return attrs === node.attrs ? node : { ...node, attrs };
  return { ...node, attrs, children: await Promise.all(node.children.map(inlinePictures)) };
}

/** Returns true when a node below names a file. An artwork of thousands of paths is not copied without need. */
function hasPicture(node: SvgNode): boolean {
  return node.children.some((child) => (child.attrs.href && !/^(data:|#)/.test(child.attrs.href)) || hasPicture(child));
}

const dataUrls = new Map<string, Promise<string>>();

function inline(href: string): Promise<string> {
  const mask = findMask(href);
  if (mask) return toDataUrl(mask);
  let data = dataUrls.get(href);
  if (!data) {
    data = fetch(href).then(async (response) => {
      if (!response.ok) throw new Error(`A picture could not be fetched: ${response.status}`);
      return toDataUrl(await response.blob());
    });
    data.catch(() => dataUrls.delete(href));
    dataUrls.set(href, data);
  }
  return data;
}

export function toDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
