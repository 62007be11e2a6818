/** The operator's routes: liveness and readiness. */
import type { FastifyInstance } from 'fastify';
import type { Context } from './context.ts';

const READY_TIMEOUT_MS = 2_000;

/** Adds the routes. `checkDatabase` resolves when a query is answered. */
export function healthRoutes(app: FastifyInstance, context: Context, checkDatabase: () => Promise<void>): void {
  app.get('/api/health', async () => ({ status: 'ok' }));

  app.get('/api/ready', async (request, reply) => {
    const parts = {
      database: await answers(checkDatabase()),
      files: await answers(context.files.check()),
      media: context.media.stats().ready > 0,
    };
    const isReady = Object.values(parts).every(Boolean);
    if (!isReady) {
      request.log.warn(parts, 'not ready');
      reply.code(503).header('retry-after', '2');
    }
    return { status: isReady ? 'ready' : 'not ready', ...parts };
  });
}

async function answers(work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, READY_TIMEOUT_MS, false);
  });
  const result = work.then(
    () => true,
    () => false,
  );
  const isAnswered = await Promise.race([result, tooLate]);
  clearTimeout(timer);
  return isAnswered;
}
