/** The progress stream: a long call sends its stages before its reply, to a caller who accepts that. */
import { PassThrough } from 'node:stream';
import { PROGRESS_STREAM_TYPE } from '@markwright/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { toErrorReply } from './errorReplies.ts';
import type { AppError } from './errors.ts';

export const acceptsProgressStream = ({ headers }: FastifyRequest): boolean =>
  String(headers.accept ?? '').includes(PROGRESS_STREAM_TYPE);

/** Runs `work` and sends the lines of `PROGRESS_STREAM_TYPE`. Throws the errors that occur before the first stage. */
export async function sendProgressStream(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (report: (stage: string) => void) => Promise<unknown>,
): Promise<FastifyReply> {
  const lines = new PassThrough();
  const say = (line: object): void => {
    if (!lines.destroyed) lines.write(`${JSON.stringify(line)}\n`);
  };
  let last: string | undefined;
  let begin = (): void => {};
  const firstStage = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const done = work((stage) => {
    if (stage !== last) say({ stage });
    last = stage;
    begin();
  });
  await Promise.race([firstStage, done]);
  void done
    .then(
      (answer) => say({ reply: answer }),
      (error: FastifyError | AppError) => {
        const { status, refusal } = toErrorReply(error, request);
        say({ status, refusal });
      },
    )
    .finally(() => lines.end());
  // Tells a proxy not to buffer the reply, which would delay the stages.
  return reply
    .headers({ 'content-type': `${PROGRESS_STREAM_TYPE}; charset=utf-8`, 'x-accel-buffering': 'no' })
    .send(lines);
}
