/** The check of a picture before its upload. The first load needs the limits alone, without the messages. */
import { type Message, messages } from './messages.ts';
import { MAX_SVG_BYTES, MAX_UPLOAD_BYTES } from './pictures.ts';

/**
 * Checks a file before its upload, on both sides alike. Returns the message to show, or undefined when it may be sent.
 */
export function checkUpload(file: { type: string; size: number }): Message | undefined {
  if (!file.type.startsWith('image/')) return messages.notAnImage;
  if (file.size > MAX_UPLOAD_BYTES)
    return { title: messages.uploadFailed, description: 'Pictures may be up to 20 MB.' };
  return undefined;
}

/** Returns what a file of outlines for a machine is called, by its name; undefined for any other file. */
export function drawingKind(filename: string): 'DXF' | 'LightBurn' | undefined {
  if (/\.dxf$/i.test(filename)) return 'DXF';
  return /\.lbrn2?$/i.test(filename) ? 'LightBurn' : undefined;
}

/** Checks the file of a design: a picture, or a drawing for a machine, which no browser calls an image. */
export function checkDesignUpload(file: { name: string; type: string; size: number }): Message | undefined {
  const kind = drawingKind(file.name);
  if (!kind) return checkUpload(file);
  if (file.size <= MAX_SVG_BYTES) return undefined;
  return { title: messages.uploadFailed, description: `${kind} files may be up to 10 MB.` };
}
