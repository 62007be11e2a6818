/** The worker that unpacks a ZIP of pictures. It ends with its answer. */
import { readPictureZip, type ZipPictures, ZipRefused } from './readPictureZip.ts';

export type ZipReply = ZipPictures | { readonly refusal: string };

declare const self: {
  onmessage: (event: MessageEvent<Blob>) => void;
  postMessage(reply: ZipReply, transfer: Transferable[]): void;
};

self.onmessage = async ({ data }) => {
  try {
    const reply = readPictureZip(new Uint8Array(await data.arrayBuffer()));
    self.postMessage(
      reply,
      reply.pictures.map(({ bytes }) => bytes.buffer),
    );
  } catch (error) {
    if (!(error instanceof ZipRefused)) throw error;
    self.postMessage({ refusal: error.message }, []);
  }
};
