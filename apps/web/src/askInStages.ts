/** A long call that says on the way what the server is at. */
import { PROGRESS_STREAM_TYPE } from '@markwright/contract/paths';
import type { Call, CallBodyInput, CallReply, CallStage } from '@markwright/contract/schemas';
import { request } from './api.ts';

interface Line {
  readonly stage?: unknown;
  readonly reply?: unknown;
  readonly status?: number;
  readonly refusal?: unknown;
}

/** Gives the reply, and throws as every call does. A server or proxy that tells no stages is understood as well. */
export async function askInStages<C extends Call>(
  call: C,
  body: CallBodyInput<C>,
  { signal, onStage }: { signal: AbortSignal; onStage(stage: CallStage<C>): void },
): Promise<CallReply<C>> {
  const response = await request(call.method, call.path, body, { signal, accept: PROGRESS_STREAM_TYPE });
  if (!response.headers.get('content-type')?.startsWith(PROGRESS_STREAM_TYPE) || !response.body) {
    return call.reply.parse(await response.json()) as CallReply<C>;
  }
  for await (const { stage, reply, status, refusal } of readLines(response.body)) {
    if (reply !== undefined) return call.reply.parse(reply) as CallReply<C>;
    if (refusal !== undefined) throw new Error(`${status}: ${JSON.stringify(refusal)}`);
    // A stage of a later version is none of ours.
    if (call.stages?.some((known) => known === stage)) onStage(stage as CallStage<C>);
  }
  throw new TypeError('The answer broke off.');
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const lines = text.split('\n');
      text = lines.pop()!;
      for (const line of lines) yield JSON.parse(line) as Line;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
