/** Calls of any endpoint: with JSON, with files, and with a progress stream. */
import { type Endpoint, PROGRESS_STREAM_TYPE } from '@markwright/contract/paths/endpoint';
import { type CallEndpoint, type CallInput, type CallOptions, checkReply, isRepeatable, toUrl } from './jsonCall.ts';
import { reportPlace } from './placeInLine.ts';
import { readProgressStream } from './progressStream.ts';
import { ApiError, NetworkError, readJson, type SendRequest, tryAgain } from './request.ts';

export const callEndpoint: CallEndpoint = (request, endpoint, input, options) => {
  const key = endpoint.isKeyed ? newKey() : undefined;
  const send = () => sendOnce(request, endpoint, input, { ...options, key });
  return isRepeatable(endpoint) ? tryAgain(send, options) : send();
};

/** Returns 128 random bits as hex. `crypto.randomUUID` is missing on plain http, as in a workshop's own network. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

async function sendOnce(
  request: SendRequest,
  endpoint: Endpoint,
  input: CallInput,
  { onStage, ...options }: CallOptions & { readonly key: string | undefined },
): Promise<unknown> {
  // A streamed call may wait for its turn on a busy server; any other is refused after some seconds.
  const accept = endpoint.stages && PROGRESS_STREAM_TYPE;
  const response = await request(endpoint.method, toUrl(endpoint.path, input), toPayload(endpoint, input), {
    ...options,
    accept,
  });
  const isStream = accept && response.headers.get('content-type')?.startsWith(PROGRESS_STREAM_TYPE);
  if (!isStream || !response.body) return checkReply(endpoint, await readJson(response, options.signal));
  let isWaiting = false;
  try {
    for await (const line of readProgressStream(response.body, options.signal)) {
      if (line.reply !== undefined) return checkReply(endpoint, line.reply);
      if (line.refusal !== undefined) {
        throw new ApiError(line.status ?? 500, JSON.stringify(line.refusal), line.retryAfter);
      }
      // A newer server may have stages that this page does not know.
      if (endpoint.stages?.some((stage) => stage === line.stage)) onStage?.(line.stage as string);
      if (line.place === undefined) continue;
      isWaiting = line.place > 0;
      reportPlace(line.place);
    }
  } finally {
    if (isWaiting) reportPlace(0);
  }
  throw new NetworkError();
}

function toPayload({ path, ...endpoint }: Endpoint, { body, file, files = [] }: CallInput): unknown {
  if (!endpoint.file && !endpoint.files) return body;
  if (endpoint.file && !file && !endpoint.file.isOptional) throw new Error(`${path} needs a file`);
  const form = new FormData();
  // Fields first: a server that reads the parts in order knows them before the file arrives.
  for (const [name, value] of Object.entries((body as Record<string, unknown> | undefined) ?? {})) {
    if (endpoint.files && Array.isArray(value)) for (const one of value) form.append(name, String(one));
    else if (value !== undefined && value !== null)
      form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  if (endpoint.file && file) form.append(endpoint.file.field, file);
  for (const one of files) form.append(endpoint.files!.field, one);
  return form;
}
