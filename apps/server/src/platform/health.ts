/** The operator's routes: liveness, readiness of this server, and the state of what all servers share. */
import type { FastifyInstance } from 'fastify';
import { coalesce } from './coalesce.ts';
import type { Context } from './context.ts';
import { AppError } from './errors.ts';
import { plainPath } from './plainPath.ts';

/** Longer than the database and the files need to say that they cannot be reached. */
const STATUS_TIMEOUT_MS = 10_000;

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes the server say that it is not ready, so that a load balancer sends it no more calls. It still works. */
    drain(): void;
  }
}

/**
 * Adds the routes. `checkDatabase` resolves when a query is answered.
 *
 * Readiness is about this server alone: when a shared part is away, no other server could do more, and a load balancer
 * would take out all of them at once.
 */
export function healthRoutes(app: FastifyInstance, context: Context, checkDatabase: () => Promise<void>): void {
  if (!context.config.roles.includes('web')) refuseOtherCalls(app);
  let isDraining = false;
  app.decorate('drain', () => {
    isDraining = true;
  });
  app.get('/api/health', async () => ({ status: 'ok' }));

  app.get('/api/ready', async (_request, reply) => {
    // A server without the role needs no processes.
    const hasMedia = !context.config.roles.includes('media') || context.media.stats().ready > 0;
    const parts = { media: hasMedia, draining: isDraining };
    const isReady = parts.media && !isDraining;
    if (!isReady) reply.code(503).header('retry-after', '2');
    return { status: isReady ? 'ready' : 'not ready', ...parts };
  });

  const readParts = coalesce(async () => {
    const [database, files] = await Promise.all([answers(checkDatabase()), answers(context.files.check())]);
    return { database, files };
  });
  app.get('/api/status', async (request, reply) => {
    const parts = await readParts();
    const isComplete = Object.values(parts).every(Boolean);
    if (!isComplete) {
      request.log.warn(parts, 'a shared part cannot be reached');
      reply.code(503).header('retry-after', '3');
    }
    return { status: isComplete ? 'complete' : 'limited', ...parts };
  });
}

const OPERATORS_PATHS = ['/api/health', '/api/ready', '/api/status'];

function refuseOtherCalls(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (OPERATORS_PATHS.includes(plainPath(request))) return;
    throw new AppError('unavailable', 'This server answers no calls: it works in the background.');
  });
}

async function answers(work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, STATUS_TIMEOUT_MS, false);
  });
  const result = work.then(
    () => true,
    () => false,
  );
  const isAnswered = await Promise.race([result, tooLate]);
  clearTimeout(timer);
  return isAnswered;
}
