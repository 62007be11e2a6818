/** Limits of an uploaded picture, and the check before an upload. */
import { type Message, messages } from './messages.ts';

export const MAX_UPLOAD_BYTES = 20 * 1024 * 1024;
export const MAX_SVG_BYTES = 10 * 1024 * 1024;
export const MAX_PIXELS = 50_000_000;
/** The types that the file picker offers. The server decides by the bytes. */
export const UPLOAD_ACCEPT = '.jpg,.jpeg,.png,.svg,image/jpeg,image/png,image/svg+xml';

/**
 * Checks a file before its upload, on both sides alike. Returns the message to show, or undefined when it may be sent.
 */
export function checkUpload(file: { type: string; size: number }): Message | undefined {
  if (!file.type.startsWith('image/')) return messages.notAnImage;
  if (file.size > MAX_UPLOAD_BYTES)
    return { title: messages.uploadFailed, description: 'Pictures may be up to 20 MB.' };
  return undefined;
}
