/** Mounts calls of the contract as routes: authorizes, parses, runs, and validates the reply. */
import {
  type AdminRole,
  API_KEY_CALLS_A_MINUTE,
  API_KEY_PREFIX,
  type Call,
  type CallBody,
  type CallParams,
  type CallQuery,
  type CallReplyInput,
  type CallStage,
  IDEMPOTENCY_HEADER,
  messages,
} from '@markwright/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type CallLimits, createDeadline } from './callLimits.ts';
import type { Context } from './context.ts';
import { AppError } from './errors.ts';
import { findGuestId, keepGuestId, refuseForeignSite } from './guestCookie.ts';
import { type RequestKey, readRequestKey } from './idempotencyKey.ts';
import { readManyFiles, readMultipart, type SpooledFile, type UploadedFile } from './multipart.ts';
import { acceptsProgressStream, sendProgressStream } from './progressStream.ts';
import { isWithinRateLimit } from './rateLimit.ts';
import { checkReply, SharedReply } from './replies.ts';
import { recordRefusal } from './securityEvents.ts';

/** A browser without a session, known by its guest cookie. */
export interface GuestActor {
  readonly kind: 'guest';
  readonly guestId: string;
  readonly address: string;
}
/** The account of a session. */
export interface SignedInAccount {
  readonly id: number;
  readonly email: string;
  readonly isAdmin: boolean;
  /** The role of an administrator. */
  readonly adminRole?: AdminRole | undefined;
  /** True for an administrator who may not use the portal before setting up a second factor. */
  readonly needsSecondFactor?: boolean;
  readonly sessionId: string;
}
export interface UserActor extends SignedInAccount {
  readonly kind: 'user';
  readonly address: string;
}
/** The account of an API key, and what the key permits. */
export interface KeyAccount {
  readonly id: number;
  readonly email: string;
  readonly keyId: string;
  readonly scopes: readonly string[];
}
/** The caller. `address` is the network address of the socket. */
export type Actor = GuestActor | UserActor;

/** Finds the account of a bearer token. app.ts passes it in, because the platform imports no area. */
export type FindUser = (token: string) => Promise<SignedInAccount | undefined>;
/** Finds the account of an API key. */
export type FindKey = (key: string) => Promise<KeyAccount | undefined>;

declare module 'fastify' {
  interface FastifyInstance {
    findUser: FindUser;
    findKey: FindKey;
    callLimits: CallLimits;
  }
  interface FastifyRequest {
    actor: Actor | null;
  }
  interface FastifyContextConfig {
    /** The call a route was mounted from. */
    call?: Call;
  }
}

/** The guest that this browser has been until now, also when its person has signed in. */
interface Visitor {
  readonly guestId: string | undefined;
  readonly address: string;
}

/** Everything that the handler of a call gets. Its parts are parsed by the call's schemas. */
export interface CallContext<C extends Call> {
  readonly actor: C['access'] extends 'anyone' ? Actor : UserActor;
  readonly visitor: Visitor;
  readonly params: CallParams<C>;
  readonly query: CallQuery<C>;
  readonly body: CallBody<C>;
  readonly file: C extends { file: { isOptional: true } }
    ? UploadedFile | undefined
    : C extends { file: object }
      ? UploadedFile
      : undefined;
  readonly files: C extends { files: object } ? readonly SpooledFile[] : undefined;
  /** The key of a request to a keyed call, for `makeOnce`. */
  readonly key: RequestKey | undefined;
  /** Aborted when the client disconnects before the answer is sent, and when the call's time is over. */
  readonly signal: AbortSignal;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Reports that a stage of the call begins. A caller without a progress stream is not told. */
  report(stage: CallStage<C>): void;
}

/**
 * Mounts one call as a route. The bearer token is the only proof of identity. The cookie only tells guests apart; a
 * guest gets it with its first write. A caller without access is refused before a byte of the body is read.
 */
export function mount<C extends Call>(
  app: FastifyInstance,
  context: Context,
  call: C,
  handler: (callContext: CallContext<C>) => Promise<CallReplyInput<C> | SharedReply>,
): void {
  const uploadBytes = call.file?.maxBytes ?? call.files?.maxTotalBytes;
  app.route({
    method: call.method,
    url: call.path,
    config: { call },
    bodyLimit: uploadBytes === undefined ? JSON_BODY_BYTES : uploadBytes + MULTIPART_EXTRA_BYTES,
    onRequest: async (request, reply) => {
      request.actor = await authorize(app, context, call, request, reply);
    },
    handler: async (request, reply) => {
      const { callMs, streamMs, graceMs } = app.callLimits;
      const deadline = createDeadline(reply, graceMs);
      const { signal } = deadline;
      const upload = call.file ? await readMultipart(request, call.file) : undefined;
      const many = call.files ? await readManyFiles(request, call.files, context.config.dataDir) : undefined;
      const fields = (upload ?? many)?.fields ?? request.body ?? {};
      const toCallContext = (key: RequestKey | undefined, report: (stage: string) => void): CallContext<C> =>
        ({
          actor: request.actor,
          visitor: { guestId: findGuestId(context, request), address: request.ip },
          params: parse(call.params, request.params, 'address'),
          query: parse(call.query, request.query, 'query'),
          body: parse(call.body, fields, 'body'),
          file: upload?.file,
          files: many?.files,
          key,
          signal,
          request,
          reply,
          report,
        }) as unknown as CallContext<C>;

      const isStreamed = call.stages !== undefined && acceptsProgressStream(request);
      deadline.start(isStreamed ? streamMs : callMs);
      const work = (report: (stage: string) => void = () => {}) =>
        deadline.bound(
          readKey(request, fields, upload?.file)
            .then((key) => run(toCallContext(key, report)))
            .finally(() => many?.discard()),
        );
      if (isStreamed) {
        reply.header('cache-control', 'private, no-store');
        return sendProgressStream(request, reply, work);
      }
      const answer = await work();
      if (answer instanceof SharedReply) return answer.send(request, reply);
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-store');
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
    },
  });

  async function readKey(request: FastifyRequest, body: unknown, file: UploadedFile | undefined) {
    if (!call.isKeyed) return undefined;
    const header = request.headers[IDEMPOTENCY_HEADER];
    return readRequestKey(header, { call: call.path, body, file });
  }

  async function run(callContext: CallContext<C>): Promise<unknown> {
    const answer = await handler(callContext);
    return answer instanceof SharedReply ? answer : checkReply(call, answer);
  }
}

const JSON_BODY_BYTES = 2 * 1024 * 1024;
const MULTIPART_EXTRA_BYTES = 256 * 1024;

async function authorize(
  app: FastifyInstance,
  context: Context,
  call: Call,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Actor> {
  const token = /^Bearer +([\w.~+/=-]{1,512})$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token?.startsWith(API_KEY_PREFIX)) return authorizeKey(app, context, call, { token, request, reply });
  const user = token === undefined ? undefined : await app.findUser(token);
  if (user) {
    const actor: UserActor = { kind: 'user', ...user, address: request.ip };
    const denial = call.access === 'admin' ? findDenial(call, actor) : undefined;
    if (denial === undefined) return actor;
    const { id: userId, email, address } = actor;
    await recordRefusal(context, { action: 'portal', userId, email, address, detail: { call: call.path } });
    throw new AppError('forbidden', denial);
  }
  if (call.access !== 'anyone') {
    reply.header('www-authenticate', 'Bearer');
    throw new AppError(
      'unauthorized',
      token === undefined ? 'Please sign in first.' : 'Your session has ended. Please sign in again.',
    );
  }

  // An expired token does not stop a guest's call: the page may still send it while the person signs in again.
  const isUnsafe = call.method !== 'GET';
  if (isUnsafe) refuseForeignSite(request, context.config.publicUrl);
  const cookieGuestId = findGuestId(context, request);
  const guestId = cookieGuestId ?? crypto.randomUUID();
  if (isUnsafe && !cookieGuestId && !call.keepsNoGuest) keepGuestId(context, reply, guestId);
  return { kind: 'guest', guestId, address: request.ip };
}

/**
 * Returns the account of an API key, for a call that declares a scope of the key. The account is nobody's administrator
 * then, and has no session. Throws unauthorized for an unknown or revoked key, also where a guest may call: a program
 * that believes to be an account must not go on as nobody.
 */
async function authorizeKey(
  app: FastifyInstance,
  context: Context,
  call: Call,
  { token, request, reply }: { token: string; request: FastifyRequest; reply: FastifyReply },
): Promise<UserActor> {
  const account = await app.findKey(token);
  if (!account) {
    reply.header('www-authenticate', 'Bearer error="invalid_token"');
    throw new AppError(
      'unauthorized',
      'This API key is unknown, or was revoked. Please make a new one in your profile.',
    );
  }
  const { id, email, keyId, scopes } = account;
  const limit = { key: `api key ${keyId}`, limit: API_KEY_CALLS_A_MINUTE, windowMs: MINUTE_MS };
  if (!(await isWithinRateLimit(context, limit))) {
    throw new AppError(
      'tooMany',
      `An API key may make ${API_KEY_CALLS_A_MINUTE} calls a minute. Please wait a little.`,
      { retryAfterSeconds: MINUTE_MS / 1000 },
    );
  }
  const address = request.ip;
  if (call.access === 'admin' || call.scope === undefined || !scopes.includes(call.scope)) {
    const detail = { key: keyId, call: call.path };
    await recordRefusal(context, { action: 'apiKey', userId: id, email, address, detail });
    throw new AppError(
      'forbidden',
      call.scope
        ? `This call needs an API key with the scope ${call.scope}.`
        : 'No API key opens this call. Sign in instead.',
    );
  }
  return { kind: 'user', id, email, isAdmin: false, sessionId: '', address };
}

const MINUTE_MS = 60_000;

/** Returns the sentence that denies a call of the portal; undefined for a role that the call declares. */
function findDenial(call: Call, { isAdmin, adminRole, needsSecondFactor }: UserActor): string | undefined {
  const { title, description } = messages.adminAccessDenied;
  if (!isAdmin || !adminRole) return `${title}: ${description}`;
  if (needsSecondFactor) return messages.needsSecondFactor;
  return call.roles?.includes(adminRole) ? undefined : messages.roleDenied;
}

function parse(schema: z.core.$ZodType | undefined, value: unknown, part: string): unknown {
  if (!schema) return undefined;
  const result = z.safeParse(schema, value, { error: (issue) => sentence(issue, part) });
  if (!result.success) throw new AppError('invalid', result.error.issues[0]?.message ?? 'The request is not valid.');
  return result.data;
}

/** Returns a sentence about one invalid field. A message in the schema takes precedence. */
function sentence(issue: Parameters<z.core.$ZodErrorMap>[0], part: string): string {
  const name = issue.path?.length ? `“${issue.path.join('.')}”` : `The ${part}`;
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? `${name} is missing.` : `${name} must be ${article(String(issue.expected))}.`;
    case 'too_small':
      return `${name} is too small: at least ${issue.minimum}${unitOf(issue.origin)}.`;
    case 'too_big':
      return `${name} is too large: at most ${issue.maximum}${unitOf(issue.origin)}.`;
    case 'invalid_value':
      return `${name} must be one of: ${issue.values.map(String).join(', ')}.`;
    default:
      return `${name} is not valid.`;
  }
}

function article(type: string): string {
  const names: Record<string, string> = {
    string: 'text',
    int: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list',
  };
  return names[type] ?? `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' || origin === 'set' ? ' entries' : '';
}
