/** The package of a batch: a ZIP that is made while it is sent, so that none is in memory or stored twice. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { Zip, type ZipInputFile } from 'fflate';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { attachment, SignedQuery } from '../platform/fileRoutes.ts';
import { packageKey } from './batches.ts';
import { listPackage } from './batchRun.ts';
import { keepPackageHash } from './madeFiles.ts';
import { batches } from './tables.ts';

const deflate = promisify(deflateRaw);
/** Pictures and PDFs are compressed already. */
const STORED = /\.(png|tiff|pdf)$/;
const DEFLATED = 8;

/** Mounts the signed address of packages. It is beside those of stored files, and answered as they are. */
export function batchRoutes(app: FastifyInstance, context: Context): void {
  app.get('/files/batches/:name', async (request, reply) => {
    const id = /^([\w-]{1,64})\.zip$/.exec((request.params as { name: string }).name)?.[1];
    const query = SignedQuery.safeParse(request.query);
    if (id === undefined || !query.success || !context.urls.isValid({ key: packageKey(id), ...query.data })) {
      throw new AppError('notFound', 'This file is not there, or its address has ended.');
    }
    const [batch] = await context.db.select().from(batches).where(eq(batches.id, id));
    if (batch?.state !== 'done') throw new AppError('notFound', 'This file is not there any more.');
    const files = listPackage(batch);
    reply.headers({ 'content-type': 'application/zip', 'cache-control': 'private, no-store' });
    if (query.data.d !== undefined) reply.header('content-disposition', attachment(query.data.d));
    const bytes = withHash(zip(context, files, batch.createdAt), (receipt) => keepPackageHash(context, id, receipt));
    return reply.send(Readable.from(bytes, { objectMode: false }));
  });
}

/** Passes chunks on, and keeps their size and hash before the stream ends. One that breaks off has none. */
async function* withHash(
  chunks: AsyncIterable<Uint8Array>,
  keep: (receipt: { sizeBytes: number; sha256: string }) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    sizeBytes += chunk.length;
    yield chunk;
  }
  await keep({ sizeBytes, sha256: hash.digest('hex') });
}

/**
 * Writes a ZIP, one file after the other. Node deflates in threads of its own. Throws when a file is missing: the
 * connection then breaks off, which a half package must not look like a whole one.
 */
async function* zip(
  context: Context,
  files: readonly { readonly filename: string; readonly key: string }[],
  mtime: Date,
): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = [];
  const take = () => {
    const ready = chunks;
    chunks = [];
    return ready;
  };
  const archive = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  for (const { filename, key } of files) {
    const file = await context.files.get(key);
    if (!file) throw new Error(`The file ${key} of a batch is missing.`);
    const { bytes } = file;
    const isStored = STORED.test(filename);
    const entry: ZipInputFile = {
      filename,
      size: bytes.length,
      crc: crc32(bytes),
      compression: isStored ? 0 : DEFLATED,
      mtime,
    };
    archive.add(entry);
    entry.ondata!(null, new Uint8Array(isStored ? bytes : await deflate(bytes)), true);
    yield* take();
  }
  archive.end();
  yield* take();
}
