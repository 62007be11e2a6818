/** Starts the server: reads the settings, opens the context, creates the app, listens. Stops in reverse order. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Registry } from 'prom-client';
import { version } from '../package.json';
import { ensureAdmin } from './accounts/accounts.ts';
import { createApp } from './app.ts';
import { seedCatalogue } from './catalogue/products.ts';
import { ConfigError, readConfig } from './config.ts';
import { openContext } from './openContext.ts';
import { StartError } from './platform/errors.ts';
import { createLog } from './platform/log.ts';
import { createMetricsServer } from './platform/metrics.ts';
import { backgroundJobs } from './schedule.ts';

/** The time limit for running requests at a stop; hanging ones are cut off after it. */
const DRAIN_MS = 20_000;
/** The time limit for a start that was asked to stop: it may be waiting for a frozen database. */
const START_GRACE_MS = 5_000;

/** Runs the server until it stops. Returns the exit code. */
async function main(): Promise<number> {
  const config = readConfig();
  // With the machine's name and the process id, which every line has, it says which server of several wrote the line.
  const log = createLog(config.logLevel).child({ roles: config.roles.join(), version });
  // A signal during the start takes effect when the start has ended, so that nothing stays half open, or after a time
  // limit.
  let hurry = (): void => {};
  const stopRequest = new Promise<NodeJS.Signals | 'fault'>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        resolve(signal);
        hurry();
      });
    }
    // After a bug outside of any request the state is unknown, so the process stops in order.
    process.on('uncaughtException', (error) => {
      log.fatal({ err: error }, 'a fault outside of any call');
      resolve('fault');
    });
  });

  let isStarting = true;
  void stopRequest.then(() => {
    setTimeout(() => {
      if (!isStarting) return;
      log.fatal('the start does not end and is broken off');
      process.exit(1);
    }, START_GRACE_MS).unref();
  });

  const openedContext = await openContext(config, log);
  const { context } = openedContext;
  let stop = openedContext.close;
  let delay = async (): Promise<void> => {};
  try {
    const adminPassword = await ensureAdmin(context);
    await seedCatalogue(context);
    const app = await createApp(context, openedContext);
    stop = async () => {
      await drain(app);
      await openedContext.close();
    };
    delay = async () => {
      app.drain();
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, config.shutdownDelayMs);
        hurry = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    };
    if (config.roles.includes('jobs')) await context.jobs.start(backgroundJobs(context));
    await listen(app, config);
    const metrics = config.metrics && (await openMetrics(app.metrics, config.metrics));
    if (metrics) {
      const stopApp = stop;
      stop = async () => {
        metrics.closeAllConnections();
        metrics.close();
        await stopApp();
      };
    }
    const welcome = [`Markwright is ready at ${config.publicUrl?.origin ?? urlOf(app.server, config)}`];
    if (metrics) welcome.push(`Its metrics are at ${urlOf(metrics, config.metrics!)}/metrics`);
    if (adminPassword) {
      welcome.push(`Sign in as ${config.adminEmail} with the password ${adminPassword} (shown this once).`);
    }
    console.log(welcome.join('\n'));
  } catch (error) {
    isStarting = false;
    await stop();
    throw error;
  }
  isStarting = false;

  const reason = await stopRequest;
  log.info({ reason }, 'stopping');
  // Load balancers need a while to see that the server is not ready. A second signal ends the wait.
  if (reason === 'SIGTERM') await delay();
  await stop();
  return reason === 'fault' ? 1 : 0;
}

/** Accepts no new connection and lets running calls end within their limit. */
async function drain(app: Awaited<ReturnType<typeof createApp>>): Promise<void> {
  const limit = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
  await app.close();
  clearTimeout(limit);
}

const listen = (app: Awaited<ReturnType<typeof createApp>>, address: { host: string; port: number }) =>
  inSentences('', address, () => app.listen(address));

async function openMetrics(registry: Registry, address: { host: string; port: number }): Promise<Server> {
  const server = createMetricsServer(registry);
  await inSentences('METRICS_', address, async () => {
    server.listen(address.port, address.host);
    await once(server, 'listening');
  });
  return server;
}

/** Listens. Throws a StartError with a sentence for an address that cannot be used. */
async function inSentences(
  prefix: '' | 'METRICS_',
  { host, port }: { host: string; port: number },
  listenThere: () => Promise<unknown>,
): Promise<void> {
  try {
    await listenThere();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${port} is taken by another program. Set ${prefix}PORT to another one.`);
    if (code === 'EACCES')
      throw new StartError(`Port ${port} may not be used by this user. Set ${prefix}PORT to one above 1023.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(`${prefix}HOST ${host} is no address of this machine.`);
    throw error;
  }
}

function urlOf(server: Server, { host, port }: { host: string; port: number }): string {
  const address = server.address();
  return `http://${hostInUrl(host)}:${typeof address === 'object' && address ? address.port : port}`;
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    if (error instanceof ConfigError)
      console.error(`Markwright cannot start:\n${error.problems.map((problem) => `- ${problem}`).join('\n')}`);
    else if (error instanceof StartError) console.error(error.message);
    else console.error(error);
    process.exit(1);
  },
);
