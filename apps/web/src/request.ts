/** Requests to the server, the errors they end in, and what may be tried again. */
import { IDEMPOTENCY_HEADER } from '@markwright/contract/paths/endpoint';
import { reportPause } from './pauses.ts';

/** The server answered with an error status. The message is the status, a colon, a space and the body. */
export class ApiError extends Error {
  readonly status: number;
  /** The raw body, or the status text when the body is empty. */
  readonly body: string;
  /** How long the server asks to wait, in seconds. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: string, retryAfter?: number) {
    super(`${status}: ${body}`);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

/** The server did not answer, or the connection broke before the end of its answer. */
export class NetworkError extends Error {
  constructor(cause?: unknown) {
    super('The server cannot be reached right now.', { cause });
    this.name = 'NetworkError';
  }
}

/** Returns the status of an error answer, or undefined when the server did not answer. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof ApiError ? error.status : undefined;
}

/** Returns the sentence to show for an error: the server's own `message` where it sent one. */
export function messageOf(error: unknown, fallback = 'Something went wrong. Please try again.'): string {
  if (error instanceof NetworkError) return error.message;
  if (!(error instanceof ApiError)) return fallback;
  try {
    const { message } = JSON.parse(error.body) as { message?: unknown };
    if (typeof message === 'string' && message) return message;
  } catch {
    // The body is not our server's JSON but, for example, the page of a proxy. It holds no sentence for a person.
  }
  return fallback;
}

/** Returns the error as the editor reads it: the sentence to show in `message`, and the status beside it. */
export function withSentence(error: unknown, sentence: string): Error & { status: number | undefined } {
  return Object.assign(new Error(sentence, { cause: error }), { status: statusOf(error) });
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** The request goes on when the page is left. Its body may then have 64 kB at most. */
  readonly keepalive?: boolean | undefined;
  readonly accept?: string | undefined;
}

interface SendOptions extends RequestOptions {
  /** The idempotency key: sent again with it, the request makes nothing new. */
  readonly key?: string | undefined;
}

export interface Transport {
  readonly credentials: 'include' | 'omit';
  /** The headers that say who calls. Read before each request. */
  headers(): Record<string, string>;
}

/** Sends one request. The body is sent as JSON unless it is form data. */
export type SendRequest = (method: string, url: string, body?: unknown, options?: SendOptions) => Promise<Response>;

/**
 * Returns a function that sends requests over a transport. It rejects with an ApiError when the status is not OK, with
 * a NetworkError when there is no answer, and with the signal's own error when the request was aborted.
 */
export function createRequest({ credentials, headers }: Transport): SendRequest {
  return async (method, url, body, { signal, keepalive, accept, key } = {}) => {
    const isForm = body instanceof FormData;
    const send = () =>
      fetch(url, {
        method,
        headers: {
          ...headers(),
          ...(accept && { accept }),
          ...(key && { [IDEMPOTENCY_HEADER]: key }),
          ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        },
        credentials,
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
        ...(signal && { signal }),
        ...(keepalive && { keepalive }),
      });
    const response = await unlessCut(send(), signal);
    if (response.ok) return response;
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
    const text = await unlessCut(response.text(), signal);
    throw new ApiError(response.status, text || response.statusText, Number.isNaN(retryAfter) ? undefined : retryAfter);
  };
}

/**
 * Runs what may be repeated: sends a request and reads its answer. Tries it again when the connection broke, also in
 * the middle of the answer, or when a server or a proxy says that it is worth it: a server that ends is then a pause
 * and no failure. Rejects with the error of the last attempt, and with the signal's own error when it is aborted.
 */
export async function tryAgain<T>(work: () => Promise<T>, { signal, keepalive }: RequestOptions): Promise<T> {
  let endPause: (() => void) | undefined;
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        // A page that is left has no time to wait.
        const waitMs = keepalive ? undefined : pauseBeforeRetry(error, attempt);
        if (waitMs === undefined || signal?.aborted) throw error;
        if (waitMs >= NOTICED_PAUSE_MS) endPause ??= reportPause();
        await pause(waitMs, signal);
      }
    }
  } finally {
    endPause?.();
  }
}

/** The pauses before the second attempt and the third. A proxy has found another server by then. */
const RETRY_PAUSES_MS = [400, 1_600];
/** A shorter pause is over before anybody could read why. */
const NOTICED_PAUSE_MS = 1_000;
/** Nobody looks at a page that waits any longer. */
const LONGEST_WAIT_SECONDS = 5;

/**
 * Returns how long to wait before the next attempt, in ms; undefined when another one does not help. The pauses of many
 * pages differ, so that they do not come back at the same moment.
 */
function pauseBeforeRetry(error: unknown, attempt: number): number | undefined {
  const pauseMs = RETRY_PAUSES_MS[attempt];
  if (pauseMs === undefined) return undefined;
  const spread = 0.75 + Math.random() / 2;
  if (error instanceof NetworkError) return globalThis.navigator?.onLine === false ? undefined : pauseMs * spread;
  if (!(error instanceof ApiError)) return undefined;
  // A proxy says these for a server that ended.
  if (error.status === 502 || error.status === 504) return pauseMs * spread;
  // A server that says when it is worth coming back.
  if (error.status !== 503 || error.retryAfter === undefined || error.retryAfter > LONGEST_WAIT_SECONDS)
    return undefined;
  return Math.max(pauseMs, error.retryAfter * 1_000) * spread;
}

/** Waits. Rejects with the signal's own error when it is aborted. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Turns the TypeError of a broken connection into a NetworkError. */
export async function unlessCut<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof TypeError && !signal?.aborted ? new NetworkError(error) : error;
  }
}

/** Reads the JSON of a response. Throws a plain Error when it is not JSON, for example the page of a captive portal. */
export async function readJson(response: Response, signal?: AbortSignal): Promise<unknown> {
  const text = await unlessCut(response.text(), signal);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`The answer of ${response.url} is not JSON.`, { cause: error });
  }
}
