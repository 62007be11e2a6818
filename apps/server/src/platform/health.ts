/** The operator's routes: liveness, readiness and metrics. */
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Context } from './context.ts';
import { AppError } from './errors.ts';

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

/** Returns how many mails there are in each state. */
export type CountMails = () => Promise<Readonly<Record<string, number>>>;

export function metricsRoute(app: FastifyInstance, context: Context, countMails: CountMails): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const seconds = new Histogram({
    name: 'http_request_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers: [registry],
  });
  const jobs = new Gauge({
    name: 'media_jobs',
    help: 'Jobs of the media pool: now running and queued, and since the start done, failed and killed',
    labelNames: ['state'],
    registers: [],
    collect() {
      const { running, queued, done, failed, killed } = context.media.stats();
      for (const [state, count] of Object.entries({ running, queued, done, failed, killed }))
        this.set({ state }, count);
    },
  });
  registry.registerMetric(jobs);
  const mailCount = new Gauge({
    name: 'mails',
    help: 'Mails of the last 90 days by state; queued ones wait for their next try',
    labelNames: ['state'],
    registers: [],
    async collect() {
      // While the database is unreachable, all other metrics are still reported.
      const counts = await countMails().catch(() => ({}));
      this.reset();
      for (const [state, count] of Object.entries(counts)) this.set({ state }, count);
    },
  });
  registry.registerMetric(mailCount);

  app.addHook('onResponse', async (request, reply) => {
    const { method, url = 'none' } = request.routeOptions;
    const labels = { method: String(method ?? request.method), route: url, status: reply.statusCode };
    seconds.observe(labels, reply.elapsedTime / 1000);
  });
  app.get('/metrics', async (request, reply) => {
    // The socket's own address, because anybody can send a forwarded one.
    if (!isLoopback(request.socket.remoteAddress)) throw new AppError('notFound', 'There is nothing at this address.');
    return reply.type(registry.contentType).send(await registry.metrics());
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

function isLoopback(address: string | undefined): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address ?? '');
}
