/** For benches: uploads and traces pictures at a built server. */
import { PROGRESS_STREAM_TYPE } from '@markwright/contract';

/** The headers of a caller: its address behind a proxy, its token or cookie, and the media types it accepts. */
export type CallHeaders = Readonly<Record<string, string>>;

export interface Picture {
  readonly bytes: Uint8Array;
  readonly name: string;
}

/**
 * Uploads a picture. Returns the id of its design, and the headers of its owner: a new guest has a cookie. Throws the
 * status and the sentence of a refusal.
 */
export async function uploadPicture(
  url: string,
  headers: CallHeaders,
  { bytes, name }: Picture,
  signal?: AbortSignal,
): Promise<{ designId: string; headers: CallHeaders }> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  const answer = await fetch(`${url}/api/designs/upload`, {
    method: 'POST',
    body: form,
    headers,
    ...(signal && { signal }),
  });
  const { id } = await readReply<{ id: string }>(answer);
  const cookie = answer.headers.get('set-cookie')?.split(';')[0];
  return { designId: id, headers: cookie ? { ...headers, cookie } : headers };
}

/** Asks for the trace of a design. The answer is not read yet. */
export function requestTrace(
  url: string,
  headers: CallHeaders,
  designId: string,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${url}/api/designs/vectorize`, {
    method: 'POST',
    body: JSON.stringify({ designId, settings: {} }),
    headers: { ...headers, 'content-type': 'application/json' },
    ...(signal && { signal }),
  });
}

/** Reads an answer to its end, a progress stream or not. Throws the status and the sentence of a refusal. */
export async function readReply<T>(answer: Response): Promise<T> {
  const last = JSON.parse((await answer.text()).trimEnd().split('\n').at(-1) || '{}');
  const isStream = answer.headers.get('content-type')?.startsWith(PROGRESS_STREAM_TYPE);
  const { status, reply, refusal } = isStream
    ? last
    : { status: answer.status, ...(answer.ok ? { reply: last } : { refusal: last }) };
  if (reply === undefined) throw new Error(`${status} ${refusal?.message}`);
  return reply;
}
