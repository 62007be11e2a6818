/**
 * The tracing worker. It reads a design's pixels once, caches the results of the stages, and answers with outlines. It
 * uses the server's tracer and the page's reader of traces, so that the preview is what they will show.
 */
import { type PictureChanges, toWarp } from '@markwright/contract/tracing';
import type { Artwork } from '@markwright/scene';
import { type Bitmap, Tracer, writeSvg } from '@markwright/vectorizer';
import type { FromWorker, ToWorker } from './messages.ts';
import { adjustPicture, openPicture, straightenPicture } from './openPicture.ts';
import { readTrace } from './readTrace.ts';

declare const self: { onmessage: (event: MessageEvent<ToWorker>) => void; postMessage(message: FromWorker): void };

let picture: { readonly url: string; readonly bitmap: Promise<Bitmap> } | undefined;
/** The latest straightened picture: levels change more often than its corners. */
let straightPicture: { readonly key: string; readonly bitmap: Bitmap } | undefined;
/** The tracer of the picture with these changes; its cached stages are valid for them alone. */
let current: { readonly changesKey: string; readonly tracer: Tracer } | undefined;
let running: { readonly id: number; readonly controller: AbortController } | undefined;

self.onmessage = ({ data }) => {
  if (data.kind === 'trace' || running?.id === data.id) running?.controller.abort();
  if (data.kind === 'trace') void answer(data);
};

async function answer(request: ToWorker & { kind: 'trace' }): Promise<void> {
  const { id, pictureUrl, isSketch, isForLaser } = request;
  const controller = new AbortController();
  running = { id, controller };
  const { signal } = controller;
  const report = (stage: string, fraction: number) => self.postMessage({ kind: 'progress', id, stage, fraction });
  try {
    report('open', 0);
    const tracer = await tracerOf(pictureUrl, request.changes);
    const pause = async (): Promise<void> => {
      await nextTask();
      signal.throwIfAborted();
    };
    await pause();
    const options = { ...request.options, signal, onProgress: report };
    const svg = writeSvg(
      await (isSketch
        ? // Shapes under others are then not drawn, and need not be cut away for a laser.
          tracer.sketchInSteps(isForLaser ? { ...options, stacking: 'cutouts' } : options, pause)
        : tracer.traceInSteps(options, pause)),
    );
    await pause();
    const artwork = toPlain(readTrace(svg), isForLaser && !isSketch);
    self.postMessage({ kind: 'done', id, artwork });
  } catch (error) {
    if (signal.aborted) return;
    // The next request may find the picture: the server makes it with the first stored trace.
    picture = undefined;
    current = undefined;
    self.postMessage({ kind: 'unable', id, reason: String(error) });
  }
}

async function tracerOf(url: string, changes: PictureChanges | undefined): Promise<Tracer> {
  if (picture?.url !== url) {
    picture = { url, bitmap: openPicture(url) };
    current = undefined;
  }
  const { bitmap } = picture;
  const whole = await straighten(url, await bitmap, changes);
  const changesKey = JSON.stringify([url, changes]);
  if (current?.changesKey !== changesKey) {
    current = { changesKey, tracer: new Tracer(adjustPicture(whole, changes)) };
  }
  return current.tracer;
}

/** Straightens a picture, or returns the latest one when it is the same. */
async function straighten(url: string, picture: Bitmap, changes: PictureChanges | undefined): Promise<Bitmap> {
  const straight = toWarp(changes, picture);
  if (!straight) return picture;
  const key = JSON.stringify([url, straight]);
  if (straightPicture?.key !== key) straightPicture = { key, bitmap: await straightenPicture(picture, changes) };
  return straightPicture.bitmap;
}

/** Returns a copy without lazy getters, which the page of a laser would otherwise compute on its own thread. */
function toPlain(artwork: Artwork, withCutouts: boolean): Artwork {
  const { width, height, shapes } = artwork;
  return withCutouts ? { width, height, shapes, cutouts: artwork.cutouts } : { width, height, shapes };
}

const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port1.onmessage = () => waiting.shift()?.();

/** Yields to the event loop, so that pending messages are handled. A timer would wait four milliseconds each time. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    channel.port2.postMessage(undefined);
  });
}
