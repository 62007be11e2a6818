/** The progress stream: a long call sends its stages before its reply, to a caller who accepts that. */
import { PassThrough } from 'node:stream';
import { PROGRESS_STREAM_TYPE } from '@markwright/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { toErrorReply } from './errorReplies.ts';
import type { AppError } from './errors.ts';
import { withPlaceReports } from './placeReports.ts';

export const acceptsProgressStream = ({ headers }: FastifyRequest): boolean =>
  String(headers.accept ?? '').includes(PROGRESS_STREAM_TYPE);

/** A proxy or a browser may end a connection on which nothing moves. */
const KEEP_ALIVE_MS = 10_000;

/** Runs `work` and sends the lines of `PROGRESS_STREAM_TYPE`. Throws the errors that occur before the first line. */
export async function sendProgressStream(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (report: (stage: string) => void) => Promise<unknown>,
): Promise<FastifyReply> {
  const lines = new PassThrough();
  let begin = (): void => {};
  const firstLine = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const say = (line: object): void => {
    if (!lines.destroyed) lines.write(`${JSON.stringify(line)}\n`);
    begin();
  };
  const keepAlive = setInterval(() => say({}), KEEP_ALIVE_MS);
  let last: string | undefined;
  const reportStage = (stage: string): void => {
    if (stage !== last) say({ stage });
    last = stage;
  };
  const done = withPlaceReports(
    (place) => say({ place }),
    () => work(reportStage),
  );
  await Promise.race([firstLine, done]).catch((error: unknown) => {
    clearInterval(keepAlive);
    throw error;
  });
  void done
    .then(
      (answer) => say({ reply: answer }),
      (error: FastifyError | AppError) => {
        const { retryAfterSeconds: retryAfter, ...answer } = toErrorReply(error, request);
        say({ ...answer, ...(retryAfter && { retryAfter }) });
      },
    )
    .finally(() => {
      clearInterval(keepAlive);
      lines.end();
    });
  // Tells a proxy not to buffer the reply, which would delay the stages.
  return reply
    .headers({ 'content-type': `${PROGRESS_STREAM_TYPE}; charset=utf-8`, 'x-accel-buffering': 'no' })
    .send(lines);
}
