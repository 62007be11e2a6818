/**
 * The editor's port for engraving in a worker. One question is with the worker at a time. An aborted one may finish
 * there, as it costs nothing to wait for a moment; one that takes longer ends with its worker.
 */
import type { Engraver, EngravingReply } from '@markwright/editor';
import type { EngravedArtwork } from '@markwright/scene';
import { keepMask, releaseMask } from './masks.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** A worker is ended when an aborted question takes longer than this: the next one must not wait for it. */
const PATIENCE_MS = 300;
/** An idle worker is closed after this time: a large picture takes some hundred megabytes. */
const IDLE_MS = 60_000;

type EngraverWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

const openWorker = (): EngraverWorker =>
  new Worker(new URL('./engraver.worker.ts', import.meta.url), { type: 'module', name: 'engraver' });

/** `Omit` for each member of a union. */
type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

interface Waiting {
  readonly question: ToWorker;
  readonly settle: (answer: FromWorker | undefined) => void;
  isAborted: boolean;
}

export function createEngraver(open: () => EngraverWorker = openWorker): Engraver {
  const queue: Waiting[] = [];
  let asking: Waiting | undefined;
  let worker: EngraverWorker | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let lastId = 0;

  function close(): void {
    worker?.terminate();
    worker = undefined;
  }

  function end(answer: FromWorker | undefined): void {
    clearTimeout(patience);
    const before = asking;
    asking = undefined;
    before?.settle(answer);
    askNext();
  }

  function askNext(): void {
    if (asking) return;
    asking = queue.shift();
    clearTimeout(idle);
    if (!asking) {
      idle = setTimeout(close, IDLE_MS);
      return;
    }
    if (!worker) {
      worker = open();
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.kind === 'unable') console.warn('No engraving on this device:', data.reason);
        if (data.id === asking?.question.id) end(data);
      };
      worker.onerror = (event) => {
        console.warn('The engraving worker broke.', event.message);
        close();
        end(undefined);
      };
    }
    worker.postMessage(asking.question);
  }

  function abort(waiting: Waiting): void {
    waiting.isAborted = true;
    const place = queue.indexOf(waiting);
    if (place >= 0) queue.splice(place, 1);
    if (asking !== waiting) return;
    patience = setTimeout(() => {
      close();
      end(undefined);
    }, PATIENCE_MS);
  }

  function ask(question: WithoutId<ToWorker>, signal: AbortSignal): Promise<FromWorker | undefined> {
    if (typeof Worker === 'undefined' || typeof DecompressionStream === 'undefined') return Promise.resolve(undefined);
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        question: { ...question, id: ++lastId },
        settle: (answer) => !waiting.isAborted && resolve(answer),
        isAborted: false,
      };
      signal.addEventListener('abort', () => {
        abort(waiting);
        reject(signal.reason);
      });
      queue.push(waiting);
      askNext();
    });
  }

  return {
    async engrave({ design, framing, engraving, place, surface, maxPixels }, signal) {
      const { tracePictureUrl: pictureUrl } = design;
      if (!pictureUrl) return undefined;
      const changes = toChanges(framing);
      const answer = await ask({ kind: 'engrave', pictureUrl, changes, engraving, place, surface, maxPixels }, signal);
      if (answer?.kind === 'refused') throw new Error(answer.sentence);
      return answer?.kind === 'engraved' ? toReply(answer) : undefined;
    },
    async suggestWay({ design: { tracePictureUrl: pictureUrl }, framing, material }, signal) {
      if (!pictureUrl) return undefined;
      const answer = await ask({ kind: 'suggestWay', pictureUrl, changes: toChanges(framing), material }, signal);
      return answer?.kind === 'suggested' ? answer.suggestion : undefined;
    },
  };
}

type Framing = Parameters<Engraver['engrave']>[0]['framing'];

const toChanges = ({ crop, straighten }: Framing) =>
  crop || straighten ? { ...(straighten && { straighten }), ...(crop && { crop }) } : undefined;

function toReply({ artwork, mask, meanTone }: FromWorker & { kind: 'engraved' }): EngravingReply {
  if (!mask) return { artwork, meanTone, release: () => undefined };
  const href = keepMask(mask);
  const children = artwork.children.map((child): EngravedArtwork['children'][number] =>
    child.kind === 'raster' ? { ...child, href } : child,
  );
  return { artwork: { ...artwork, children }, meanTone, release: () => releaseMask(href) };
}
