/** The small picture of a work: drawn from its scene as the mockup is, some seconds after the last change. */

import { COMPOSITION_PICTURE_PX } from '@markwright/contract';
import type { Editor } from '@markwright/editor';
import { hasContent, renderView, type Scene, type SvgNode, sceneView, writeSvg } from '@markwright/scene';
import { readWork } from './deviceComposition.ts';
import { setPicture } from './serverCompositions.ts';
import { writePicture } from './deviceCompositionList.ts';
import type { Works } from './autosave.ts';

const CALM_MS = 2_500;
/** Between two pictures of one work that are sent. */
const SEND_EVERY_MS = 20_000;

export interface WorkPictures {
  connect(): () => void;
  /** Draws and sends at once what is not drawn or sent yet. */
  flush(): Promise<void>;
}

export function createWorkPictures(editor: Editor, works: Works): WorkPictures {
  let drawn: { readonly scene: Scene; readonly workId: string; readonly blob: Blob } | undefined;
  let sent: Blob | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function draw(): Promise<void> {
    const { settledScene: scene, composition, isGesturing } = editor.getState();
    const { id } = works.getState();
    if (isGesturing || !scene.backdrop || !hasContent(composition) || !readWork(id)) return;
    if (drawn?.scene === scene && drawn.workId === id) return;
    const blob = await drawPicture(scene);
    if (works.getState().id !== id) return;
    drawn = { scene, workId: id, blob };
    writePicture(id, await toDataUrl(blob));
  }

  async function send(): Promise<void> {
    const { id, savedId } = works.getState();
    if (!drawn || drawn.workId !== id || drawn.blob === sent || savedId === undefined || !navigator.onLine) return;
    sent = drawn.blob;
    sentAt = performance.now();
    await setPicture(savedId, drawn.blob);
  }

  function plan(delayMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void take(), delayMs);
  }

  /** A picture that cannot be drawn or sent is only missing from a list. */
  async function take(): Promise<void> {
    try {
      await draw();
      const waitMs = sentAt + SEND_EVERY_MS - performance.now();
      if (waitMs <= 0) await send();
      else if (drawn && drawn.blob !== sent) plan(waitMs);
    } catch (error) {
      console.warn('The picture of a work could not be made.', error);
    }
  }

  return {
    connect() {
      let { settledScene } = editor.getState();
      const onChange = () => {
        const next = editor.getState().settledScene;
        if (next === settledScene) return;
        settledScene = next;
        plan(CALM_MS);
      };
      const unsubscribe = editor.subscribe(onChange);
      // What was saved for the first time can have its picture.
      const unwatch = works.subscribe(() => drawn && drawn.blob !== sent && plan(CALM_MS));
      return () => {
        clearTimeout(timer);
        unsubscribe();
        unwatch();
      };
    },
    async flush() {
      try {
        await draw();
        await send();
      } catch (error) {
        console.warn('The picture of a work could not be made.', error);
      }
    },
  };
}

async function drawPicture(scene: Scene): Promise<Blob> {
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

/** An SVG that is shown as a picture may fetch nothing: what it names goes into it. */
async function inlinePictures(node: SvgNode): Promise<SvgNode> {
  const { href } = node.attrs;
  const attrs = href && !/^(data:|#)/.test(href) ? { ...node.attrs, href: await inline(href) } : node.attrs;
  if (!hasPicture(node)) return attrs === node.attrs ? node : { ...node, attrs };
  return { ...node, attrs, children: await Promise.all(node.children.map(inlinePictures)) };
}

/** Whether something below names a file; an artwork of thousands of paths is not copied for nothing. */
function hasPicture(node: SvgNode): boolean {
  return node.children.some((child) => (child.attrs.href && !/^(data:|#)/.test(child.attrs.href)) || hasPicture(child));
}

const inlined = new Map<string, Promise<string>>();

function inline(href: string): Promise<string> {
  let data = inlined.get(href);
  if (!data) {
    data = fetch(href).then(async (response) => {
      if (!response.ok) throw new Error(`A picture could not be fetched: ${response.status}`);
      return toDataUrl(await response.blob());
    });
    data.catch(() => inlined.delete(href));
    inlined.set(href, data);
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
