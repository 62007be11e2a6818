/** A composition's thumbnail: drawn from its scene as the mockup is, some seconds after the last change. */
import { COMPOSITION_PICTURE_PX } from '@markwright/contract/words';
import type { Editor } from '@markwright/editor';
import { hasContent, renderView, type Scene, type SvgNode, sceneView, writeSvg } from '@markwright/scene';
import { findMask } from '../../../studioHost/engraver/masks.ts';
import type { Autosave } from './autosave.ts';
import { readDeviceComposition } from './deviceComposition.ts';
import { writeThumbnail } from './deviceCompositionList.ts';
import { uploadThumbnail } from './serverCompositions.ts';

/** The debounce: changes pause this long before a thumbnail is drawn. */
const PAUSE_MS = 2_500;
/** The least time between two thumbnails that are sent. */
const SEND_EVERY_MS = 20_000;

export interface Thumbnails {
  /** Returns a function that disconnects. */
  connect(): () => void;
  /** Draws and sends what is not drawn or sent yet, at once. */
  flush(): Promise<void>;
}

export function createThumbnails(editor: Editor, autosave: Autosave): Thumbnails {
  let lastPicture: { readonly scene: Scene; readonly compositionId: string; readonly blob: Blob } | undefined;
  let lastUpload: Blob | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function draw(): Promise<void> {
    const { settledScene: scene, composition, isGesturing } = editor.getState();
    const { id } = autosave.getState();
    if (isGesturing || !scene.backdrop || !hasContent(composition) || !readDeviceComposition(id)) return;
    if (lastPicture?.scene === scene && lastPicture.compositionId === id) return;
    const blob = await drawThumbnail(scene);
    if (autosave.getState().id !== id) return;
    lastPicture = { scene, compositionId: id, blob };
    writeThumbnail(id, await toDataUrl(blob));
  }

  async function send(): Promise<void> {
    const { id, savedId } = autosave.getState();
    if (
      !lastPicture ||
      lastPicture.compositionId !== id ||
      lastPicture.blob === lastUpload ||
      savedId === undefined ||
      !navigator.onLine
    )
      return;
    lastUpload = lastPicture.blob;
    sentAt = performance.now();
    await uploadThumbnail(savedId, lastPicture.blob);
  }

  function plan(delayMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void drawAndSend(), delayMs);
  }

  /** Logs what goes wrong: a thumbnail that cannot be drawn or sent is only missing from a list. */
  async function drawAndSend(): Promise<void> {
    try {
      await draw();
      const waitMs = sentAt + SEND_EVERY_MS - performance.now();
      if (waitMs <= 0) await send();
      else if (lastPicture && lastPicture.blob !== lastUpload) plan(waitMs);
    } catch (error) {
      console.warn('The thumbnail could not be made.', error);
    }
  }

  return {
    connect() {
      let { settledScene } = editor.getState();
      const onChange = () => {
        const next = editor.getState().settledScene;
        if (next === settledScene) return;
        settledScene = next;
        plan(PAUSE_MS);
      };
      const unsubscribe = editor.subscribe(onChange);
      // After the first save, the server can take the thumbnail.
      const unsubscribeSaves = autosave.subscribe(
        () => lastPicture && lastPicture.blob !== lastUpload && plan(PAUSE_MS),
      );
      return () => {
        clearTimeout(timer);
        unsubscribe();
        unsubscribeSaves();
      };
    },
    async flush() {
      try {
        await draw();
        await send();
      } catch (error) {
        console.warn('The thumbnail could not be made.', error);
      }
    },
  };
}

async function drawThumbnail(scene: Scene): Promise<Blob> {
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

function toDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
