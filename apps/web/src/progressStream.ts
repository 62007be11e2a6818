/** Reads a progress stream: one line of JSON for each stage of a long call, and its end in the last one. */
import { unlessCut } from './request.ts';

interface ProgressLine {
  readonly stage?: unknown;
  readonly place?: number;
  readonly reply?: unknown;
  readonly status?: number;
  readonly refusal?: unknown;
  readonly retryAfter?: number;
}

/** Yields the lines as they arrive. Cancels the body when the caller stops before the end. */
export async function* readProgressStream(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ProgressLine> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await unlessCut(reader.read(), signal);
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const lines = text.split('\n');
      text = lines.pop()!;
      for (const line of lines) yield JSON.parse(line) as ProgressLine;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
