/** The HTTP server without its routes: limits, headers, authentication, one error handler. */
import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import { BRUSHED_PICTURE, PLACEHOLDER_PATH, SAVED_PICTURE_PATH } from '@markwright/contract';
import fastify, { type FastifyBaseLogger, type FastifyError, type FastifyInstance, LogController } from 'fastify';
import { createCallCounter } from './callCounter.ts';
import { CALL_LIMITS, type CallLimits, cutSlowReaders } from './callLimits.ts';
import type { Context } from './context.ts';
import { toErrorReply } from './errorReplies.ts';
import { AppError } from './errors.ts';
import { type FindAllowedOrigins, securityHeaders, strictHeaders } from './headers.ts';
import { malformedRequestOptions, refuseMalformed } from './malformedRequests.ts';
import { type CountMails, collectMetrics } from './metrics.ts';
import type { FindKey, FindUser } from './mount.ts';
import { networkOf, withoutPorts } from './network.ts';
import { isBelow, plainPath } from './plainPath.ts';
import { traceRequests } from './spans.ts';

/** Routes below /api that are no call of the contract. Every other one must come from `mount`. */
export const plainRoutes: readonly string[] = [
  '/api/health',
  '/api/ready',
  '/api/status',
  '/api/openapi.json',
  '/api/login',
  '/api/stripe/webhook',
  BRUSHED_PICTURE,
  PLACEHOLDER_PATH,
  SAVED_PICTURE_PATH,
];

/** The most calls of one network in a minute. A person with several tabs stays far below it. */
const CALLS_A_MINUTE = 600;
const MINUTE_MS = 60_000;

/** Asked for by load balancers, from few addresses. They cost next to nothing. */
const OPERATORS_PATHS = ['/api/health', '/api/ready'];

export interface HttpOptions {
  /** The keys of cookies: the first one signs, all are accepted. */
  readonly cookieSecrets: readonly Buffer[];
  /** Default 600. */
  readonly callsAMinute?: number;
  readonly callLimits?: Partial<CallLimits> | undefined;
}

/** The functions of areas that the platform needs. app.ts passes them in, because the platform imports no area. */
export interface AreaLookups {
  readonly findUser: FindUser;
  readonly findKey: FindKey;
  readonly findAllowedOrigins: FindAllowedOrigins;
  readonly countMails: CountMails;
}

/** Creates the app. Adding a route below /api without declared access throws. */
export async function createHttp(
  context: Context,
  lookups: AreaLookups,
  options: HttpOptions,
): Promise<FastifyInstance> {
  const strict = strictHeaders(context.config);
  const malformedOptions = malformedRequestOptions(strict);
  const app: FastifyInstance = fastify({
    ...malformedOptions,
    loggerInstance: context.log as FastifyBaseLogger,
    genReqId: () => randomUUID(),
    logController: new LogController({ requestIdLogLabel: 'requestId', disableRequestLogging: true }),
    // A forwarded address is trusted only from the operator's own proxies.
    trustProxy: context.config.trustedProxies.length > 0 ? [...context.config.trustedProxies] : false,
    bodyLimit: 64 * 1024,
    connectionTimeout: 75_000,
    requestTimeout: 60_000,
    keepAliveTimeout: context.config.keepAliveMs,
    // By default Node looks for requests over their time limit only every 30 seconds.
    http: { ...malformedOptions.http, headersTimeout: 10_000, connectionsCheckingInterval: 1_000 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
  });

  traceRequests(app, context.spans);
  refuseUndeclared(app);
  dropForwardedPorts(app);
  dropClosedCalls(app);
  securityHeaders(app, context.config, lookups.findAllowedOrigins);
  const callLimits = { ...CALL_LIMITS, ...options.callLimits };
  cutSlowReaders(app, callLimits);
  refuseMalformed(app, strict);
  app.decorate('findUser', lookups.findUser);
  app.decorate('findKey', lookups.findKey);
  app.decorate('callLimits', callLimits);
  app.decorateRequest('actor', null);
  acceptJsonOnly(app);
  answerErrors(app);
  logAnswers(app);
  closeConnectionsWhileStopping(app);
  collectMetrics(app, context, lookups.countMails);

  await app.register(cookie, { secret: options.cookieSecrets.map((secret) => secret.toString('hex')) });
  await app.register(multipart, { throwFileSizeLimit: true });
  await app.register(rateLimit, {
    max: options.callsAMinute ?? CALLS_A_MINUTE,
    timeWindow: MINUTE_MS,
    store: createCallCounter(context, MINUTE_MS),
    keyGenerator: (request) => networkOf(request.ip),
    allowList: (request) => !isBelow('/api', plainPath(request)) || OPERATORS_PATHS.includes(plainPath(request)),
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('tooMany', 'Too many calls at once. Please wait a moment.', {
        retryAfterSeconds: Math.ceil(ttl / 1000),
      }),
  });
  return app;
}

/** Denies by default: a route below /api without declared access stops the start. */
function refuseUndeclared(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const isApi = route.url === '/api' || route.url.startsWith('/api/');
    if (isApi && !route.config?.call && !plainRoutes.includes(route.url)) {
      throw new Error(`The route ${route.url} has no declared access: mount it from a call of the contract.`);
    }
  });
}

/** Takes the ports out of forwarded addresses, before anything reads `request.ip`, which takes none for an address. */
function dropForwardedPorts(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: { headers } }) => {
    const forwardedFor = headers['x-forwarded-for'];
    if (typeof forwardedFor === 'string') headers['x-forwarded-for'] = withoutPorts(forwardedFor);
  });
}

/**
 * Drops calls whose socket has closed already: they have no address to count the call for, and nobody reads the reply.
 */
function dropClosedCalls(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (request.ip === undefined) throw new AppError('invalid', 'The caller went away.');
  });
}

/** Accepts JSON, and multipart where a call has a file. A form that another site could post is neither. */
function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parseJson(request, body as string, done);
  });
}

function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | AppError, request, reply) => {
    const { status, refusal, retryAfterSeconds } = toErrorReply(error, request);
    if (retryAfterSeconds) reply.header('retry-after', retryAfterSeconds);
    reply.removeHeader('content-disposition');
    return reply
      .code(status)
      .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, no-store' })
      .send(JSON.stringify(refusal));
  });
}

/** Paths that contain a capability: they are not logged. */
const secretPaths = ['/api/widget/designs/:id'];

/** Logs one line for each answer, without the query, because signed addresses are secrets. */
function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url;
    const isSecret = secretPaths.some((path) => route?.startsWith(path));
    request.log.info(
      {
        method: request.method,
        path: isSecret ? route : request.url.split('?')[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        actor: request.actor?.kind === 'user' ? request.actor.id : request.actor?.kind,
      },
      'answered',
    );
  });
}

/** Closes connections while the server stops: a keep-alive connection would keep the process running. */
function closeConnectionsWhileStopping(app: FastifyInstance): void {
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onSend', async (_request, reply) => {
    if (isStopping) reply.header('connection', 'close');
  });
}
