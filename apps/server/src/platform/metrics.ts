/** Metrics for Prometheus, on a port of their own, so that no mistake in a proxy shows them to the public. */
import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Context } from './context.ts';

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Registry;
  }
}

/** Returns how many mails there are in each state. */
export type CountMails = () => Promise<Readonly<Record<string, number>>>;

/** Counts what the server does, in `app.metrics`. */
export function collectMetrics(app: FastifyInstance, context: Context, countMails: CountMails): void {
  const registry = new Registry();
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
  app.decorate('metrics', registry);
}

/**
 * Creates the server that answers `GET /metrics` and nothing else. From then on the registry has the metrics of the
 * process too, until it ends: their monitor of the event loop wakes it a hundred times a second, so that a server
 * whose metrics nobody reads goes without them.
 */
export function createMetricsServer(registry: Registry): Server {
  collectDefaultMetrics({ register: registry });
  return createServer(async (request, response) => {
    response.setHeader('x-content-type-options', 'nosniff');
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    try {
      const text = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text);
    } catch {
      response.writeHead(500).end();
    }
  });
}
