/**
 * The vectorizing service of the paid tier, over HTTP: Vectorizer.AI, or another that answers as its public API does.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { VectorizerService } from '../platform/ports/vectorizerService.ts';

/** Thrown when the service returned no drawing. Its message has neither keys nor pictures, so it can be logged. */
export class ServiceFailed extends Error {
  override readonly name = 'ServiceFailed';
  /** The delay in ms before a retry; undefined when a retry is useless. */
  readonly pauseMs: number | undefined;
  /** True when another picture would fail as well: the service is down, overloaded, or does not accept our keys. */
  readonly isAway: boolean;
  constructor(message: string, options: { pauseMs?: number; isAway?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.pauseMs = options.pauseMs;
    this.isAway = options.isAway ?? options.pauseMs !== undefined;
  }
}

/** The service's address, keys and time limits. */
export interface ServiceSettings {
  readonly id: string;
  readonly secret: string;
  /** The base address, to which `/vectorize` is appended. */
  readonly url: URL;
  /** The longest wait for an answer, in ms. */
  readonly limitMs?: number;
  /** A service that is down is not called again for this time, in ms; 0 calls it always. */
  readonly restMs?: number;
}

const LIMIT_MS = 10_000;
const REST_MS = 20_000;
const PAUSE_MS = 400;
const TRIES = 2;
const MAX_ANSWER_BYTES = 20 * 1024 * 1024;

/** Creates the client of the service. Its calls throw ServiceFailed, or the signal's reason when aborted. */
export function createVectorizerService(settings: ServiceSettings): VectorizerService {
  const { id, secret, url, limitMs = LIMIT_MS, restMs = REST_MS } = settings;
  const address = `${url.href.replace(/\/$/, '')}/vectorize`;
  const headers = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
  /** Skips the service while it is down, so that people do not wait for the time limit with each picture. */
  let restUntil = 0;

  async function ask(form: FormData, signal: AbortSignal): Promise<string> {
    let response: Response;
    try {
      // A redirect is not followed: the picture and the keys are for this host alone.
      response = await fetch(address, { method: 'POST', headers, body: form, redirect: 'manual', signal });
    } catch (cause) {
      throw new ServiceFailed('The service cannot be reached.', { pauseMs: PAUSE_MS, cause });
    }
    try {
      if (response.status !== 200) throw await refusalOf(response);
      if (!/^image\/svg\+xml\b/i.test(response.headers.get('content-type') ?? '')) {
        throw new ServiceFailed('The service answered with something that is no SVG.');
      }
      return await readText(response);
    } finally {
      await response.body?.cancel().catch(() => undefined);
    }
  }

  return {
    host: url.host,

    async vectorize(png, fields, signal) {
      if (performance.now() < restUntil) throw new ServiceFailed('The service has just failed and is left alone.');
      const endsAt = performance.now() + limitMs;
      const timeout = AbortSignal.timeout(limitMs);
      const either = AbortSignal.any([signal, timeout]);
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append('image', new Blob([png as Uint8Array<ArrayBuffer>], { type: 'image/png' }), 'picture.png');

      for (let tries = 1; ; tries++) {
        try {
          return await ask(form, either);
        } catch (error) {
          signal.throwIfAborted();
          const failure = timeout.aborted ? new ServiceFailed('The service took too long.', { isAway: true }) : error;
          if (!(failure instanceof ServiceFailed)) throw failure;
          const { pauseMs, isAway } = failure;
          if (tries === TRIES || pauseMs === undefined || performance.now() + pauseMs >= endsAt) {
            if (isAway && restMs > 0) restUntil = performance.now() + Math.max(restMs, pauseMs ?? 0);
            throw failure;
          }
          await wait(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
        }
      }
    },
  };
}

/** Reads `{error: {status, code, message}}`. Drops the message, which may repeat the request. */
async function refusalOf(response: Response): Promise<ServiceFailed> {
  const { status } = response;
  let code: unknown;
  try {
    code = (JSON.parse(await readText(response)) as { error?: { code?: unknown } }).error?.code;
  } catch {
    // Such as the page of a proxy: the status is enough.
  }
  const suffix = typeof code === 'number' ? ` (code ${code})` : '';
  const message = `The service answered ${status}${suffix}.`;
  if (status === 429 || status >= 500)
    return new ServiceFailed(message, { pauseMs: readRetryAfter(response) ?? PAUSE_MS });
  return new ServiceFailed(message, { isAway: status < 400 || [401, 402, 403].includes(status) });
}

function readRetryAfter(response: Response): number | undefined {
  const seconds = response.headers.get('retry-after');
  return seconds && /^\d{1,5}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > MAX_ANSWER_BYTES) throw new ServiceFailed('The answer of the service is too large.');
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof ServiceFailed) throw cause;
    throw new ServiceFailed('The answer of the service broke off.', { pauseMs: PAUSE_MS, cause });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw new ServiceFailed('The answer of the service is no text.', { cause });
  }
}
