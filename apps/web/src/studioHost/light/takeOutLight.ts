/** The editor's port for what a trace takes out of a picture. A worker answers once and ends. */
import { toDropLight, toHalftoneTrace, toPictureChanges, toScreenSettings } from '@markwright/contract/tracing';
import { type Ports, toVectorizeSettings } from '@markwright/editor';
import type { LightPictures, LightQuestion } from './messages.ts';

type TakeOutLight = NonNullable<Ports['takeOutLight']>;
type Answer = Awaited<ReturnType<TakeOutLight>>;

export const takeOutLight: TakeOutLight = ({ design: { tracePictureUrl }, ...request }, signal) => {
  const isAble = typeof Worker !== 'undefined' && typeof OffscreenCanvas !== 'undefined';
  const settings = toScreenSettings(toVectorizeSettings(request));
  const dropLight = toDropLight(settings);
  if (!tracePictureUrl || !isAble || !dropLight || toHalftoneTrace(settings)) return Promise.resolve(undefined);
  if (signal.aborted) return Promise.reject(signal.reason);
  const worker = new Worker(new URL('./light.worker.ts', import.meta.url), { type: 'module', name: 'light' });
  return new Promise<Answer>((resolve, reject) => {
    const end = (answer: Answer) => {
      worker.terminate();
      resolve(answer);
    };
    signal.addEventListener('abort', () => {
      worker.terminate();
      reject(signal.reason);
    });
    worker.onmessage = ({ data }: MessageEvent<LightPictures | undefined>) => end(data && toAnswer(data));
    worker.onerror = (event) => {
      console.warn('The light of a picture could not be looked at.', event.message);
      end(undefined);
    };
    const question: LightQuestion = {
      pictureUrl: new URL(tracePictureUrl, location.href).href,
      changes: toPictureChanges(settings),
      dropLight,
    };
    worker.postMessage(question);
  });
};

function toAnswer({ before, after, ...size }: LightPictures): Answer {
  const [beforeUrl, afterUrl] = [URL.createObjectURL(before), URL.createObjectURL(after)];
  return {
    ...size,
    beforeUrl,
    afterUrl,
    release() {
      URL.revokeObjectURL(beforeUrl);
      URL.revokeObjectURL(afterUrl);
    },
  };
}
