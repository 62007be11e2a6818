/** Serves stored files at signed addresses. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { createDeadline } from './callLimits.ts';
import type { Context } from './context.ts';
import { AppError } from './errors.ts';
import { mediaTypeOf, type OpenedFile } from './files.ts';
import { networkOf } from './network.ts';
import type { RunOptions } from './ports/mediaPool.ts';

/** Sandboxes an SVG from a stranger that is opened as a page: it may run no script and load nothing. */
const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

export const SignedQuery = z.object({ e: z.string(), s: z.string(), d: z.string().max(255).optional() });

/** Makes a cached file again; false when there is nothing to make it from. app.ts passes it in. */
export type RestoreFile = (key: string, run: RunOptions) => Promise<boolean>;

/**
 * Mounts the signed addresses of stored files. An unknown, forged or expired address is answered with 404, as a deleted
 * file is.
 */
export function fileRoutes(app: FastifyInstance, context: Context, restore: RestoreFile): void {
  app.get('/files/*', async (request, reply) => {
    const key = (request.params as { '*': string })['*'];
    const query = SignedQuery.safeParse(request.query);
    if (!query.success || !isKey(key) || !context.urls.isValid({ key, ...query.data })) {
      throw new AppError('notFound', 'This file is not there, or its address has ended.');
    }
    const file = (await context.files.open(key)) ?? (await openRestored(request, reply, key));
    if (!file) throw new AppError('notFound', 'This file is not there any more.');
    if (query.data.d !== undefined) reply.header('content-disposition', attachment(query.data.d));
    return sendFile(reply, file, `private, max-age=${MAX_AGE_SECONDS}, immutable`);
  });

  /** Makes a file again at the expense of the network that asks for it: an address says nothing about an account. */
  async function openRestored(request: FastifyRequest, reply: FastifyReply, key: string) {
    const network = networkOf(request.ip);
    const caller = { name: network, lane: 'guest', payers: [{ kind: 'network', name: network }] } as const;
    const { callMs, graceMs } = app.callLimits;
    const deadline = createDeadline(reply, graceMs);
    deadline.start(callMs);
    const isRestored = await deadline.bound(restore(key, { caller, signal: deadline.signal }));
    return isRestored ? context.files.open(key) : undefined;
  }
}

const SVG = 'image/svg+xml';

/** Sends a stored file. */
export function sendFile(reply: FastifyReply, file: OpenedFile, cacheControl: string): FastifyReply {
  return reply
    .headers({
      'content-type': file.mediaType === SVG ? `${SVG}; charset=utf-8` : file.mediaType,
      'content-length': file.sizeBytes,
      'content-security-policy': SANDBOX,
      'cache-control': cacheControl,
    })
    .send(file.stream);
}

const MAX_AGE_SECONDS = 3600;

/** Returns true when a file store accepts the key. */
export function isKey(key: string): boolean {
  try {
    mediaTypeOf(key);
    return true;
  } catch {
    return false;
  }
}

/** Returns the Content-Disposition header (RFC 6266): an ASCII name for old clients, and the real one in UTF-8. */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%/]/g, '_');
  const encodedName = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodedName}`;
}
