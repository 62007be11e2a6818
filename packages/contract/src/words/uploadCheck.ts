/** The check of a picture before its upload. The first load needs the limits alone, without the messages. */
import { type Message, messages } from './messages.ts';
import { MAX_UPLOAD_BYTES } from './pictures.ts';

/**
 * Checks a file before its upload, on both sides alike. Returns the message to show, or undefined when it may be sent.
 */
export function checkUpload(file: { type: string; size: number }): Message | undefined {
  if (!file.type.startsWith('image/')) return messages.notAnImage;
  if (file.size > MAX_UPLOAD_BYTES)
    return { title: messages.uploadFailed, description: 'Pictures may be up to 20 MB.' };
  return undefined;
}
