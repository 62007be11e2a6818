/** Unpacks a ZIP of pictures beside the page. */
import type { ZipReply } from './pictureZip.worker.ts';
import { ZIP_LIMITS, type ZipPictures, ZipRefused } from './readPictureZip.ts';

/** Rejects with ZipRefused for a ZIP of which nothing is taken, and with the signal's reason. */
export function openPictureZip(file: Blob, signal: AbortSignal): Promise<ZipPictures> {
  if (file.size > ZIP_LIMITS.bytes) {
    return Promise.reject(new ZipRefused('This ZIP is larger than 300 MB. Make it in parts.'));
  }
  const worker = new Worker(new URL('./pictureZip.worker.ts', import.meta.url), { type: 'module', name: 'zip' });
  return new Promise<ZipPictures>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    worker.onmessage = ({ data }: MessageEvent<ZipReply>) =>
      'refusal' in data ? reject(new ZipRefused(data.refusal)) : resolve(data);
    worker.onerror = () => reject(new ZipRefused('This ZIP cannot be read on this device. Choose the pictures.'));
    worker.postMessage(file);
  }).finally(() => worker.terminate());
}
