/**
 * The file store on an S3-compatible service. A key of the store is the object's key behind a prefix. The service
 * replaces an object as a whole, and checks each upload against its length and SHA-256: no object is half a file.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { Logger } from 'pino';
import type { S3Settings } from '../config.ts';
import { AppError, StartError } from './errors.ts';
import { type FileStore, filesAway, findMediaType, INSTALLATION, mediaTypeOf } from './files.ts';

/** Time limits, in ms. Tests shorten them. */
export interface S3Limits {
  /** For an operation with all its attempts, except reading the content of a file. */
  readonly operationMs: number;
  /** For one attempt without any progress, and for the next part of a file that is read. */
  readonly silenceMs: number;
}

// A person is answered in ten seconds while the service is frozen.
const LIMITS: S3Limits = { operationMs: 8_000, silenceMs: 4_000 };
const CONNECT_MS = 1_000;
const ATTEMPTS = 3;
/** A large file gets more time: so much more for each byte as a connection of 4 MB/s needs. */
const UPLOAD_BYTES_PER_MS = 4_000;
const SOCKETS = 64;
/** Readers are as slow as the people who read: their sockets are not those of the other operations. */
const READER_SOCKETS = 256;
/** The most objects that one call can delete. */
const DELETED_TOGETHER = 1_000;

/**
 * Opens the store, and checks that its bucket is there. Throws a StartError with a sentence for wrong settings and for
 * a service that cannot be reached.
 */
export async function openS3Files(
  settings: S3Settings,
  log: Logger,
  limits: S3Limits = LIMITS,
): Promise<FileStore & { close(): void }> {
  const { bucket, prefix } = settings;
  const client = createClient(settings, log, { maxSockets: SOCKETS, socketTimeout: limits.silenceMs });
  // A socket that waits for a slow reader is not silent by the service's fault, so only the head has a limit here.
  const readers = createClient(settings, log, {
    maxSockets: READER_SOCKETS,
    requestTimeout: limits.silenceMs,
    throwOnRequestTimeout: true,
    socketTimeout: 0,
  });

  const run = <T>(work: (signal: AbortSignal) => Promise<T>, uploadBytes = 0): Promise<T> =>
    within(limits.operationMs + uploadBytes / UPLOAD_BYTES_PER_MS, work).catch((error: unknown) => {
      throw toAppError(error);
    });
  const at = (key: string) => ({ Bucket: bucket, Key: prefix + key });

  /** Writes an object. `ifNew` writes it only when there is none. */
  async function write(key: string, bytes: Uint8Array, mediaType: string, ifNew = false): Promise<void> {
    const object = { ...at(key), Body: bytes, ContentLength: bytes.byteLength, ContentType: mediaType };
    const command = new PutObjectCommand({ ...object, ...(ifNew && { IfNoneMatch: '*' }) });
    await run((abortSignal) => client.send(command, { abortSignal }), bytes.byteLength);
  }

  /** Opens an object. The service answers in time or not at all; so does each part of the stream. */
  async function open(key: string): Promise<{ stream: Readable; sizeBytes: number } | undefined> {
    const command = new GetObjectCommand(at(key));
    const object = await run((abortSignal) => readers.send(command, { abortSignal }).catch(ignoreMissing));
    if (!object) return undefined;
    if (object.ContentLength === undefined)
      throw filesAway(new Error('The S3 service did not say how large a file is.'));
    return { stream: readInTime(object.Body as Readable, limits.silenceMs), sizeBytes: object.ContentLength };
  }

  /** Reads an object into memory, once more when the connection breaks on the way. */
  async function read(key: string): Promise<Uint8Array | undefined> {
    for (let attempt = 1; ; attempt++) {
      const object = await open(key);
      if (!object) return undefined;
      try {
        const bytes = new Uint8Array(object.sizeBytes);
        let length = 0;
        for await (const chunk of object.stream as AsyncIterable<Uint8Array>) {
          bytes.set(chunk, length);
          length += chunk.byteLength;
        }
        return bytes;
      } catch (error) {
        if (attempt === 2) throw error;
      }
    }
  }

  const head = (key: string) =>
    run((abortSignal) => client.send(new HeadObjectCommand(at(key)), { abortSignal }).catch(ignoreMissing));

  async function deleteMany(keys: readonly string[]): Promise<void> {
    for (const key of keys) mediaTypeOf(key);
    for (let start = 0; start < keys.length; start += DELETED_TOGETHER) {
      const Objects = keys.slice(start, start + DELETED_TOGETHER).map((key) => ({ Key: prefix + key }));
      const command = addContentMd5(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }));
      await run(async (abortSignal) => {
        const { Errors: failures = [] } = await client.send(command, { abortSignal });
        const failure = failures.find(({ Code }) => Code !== 'NoSuchKey');
        if (failure) throw Object.assign(new Error(failure.Message ?? 'not deleted'), { name: failure.Code });
      });
    }
  }

  await checkBucket(settings, () =>
    within(limits.operationMs, (abortSignal) =>
      client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal }),
    ),
  );

  return {
    place: `the bucket ${bucket}${settings.endpoint ? ` at ${settings.endpoint.origin}` : ''}${prefix && `, ${prefix}`}`,
    async put(key, bytes, mediaType) {
      if (mediaTypeOf(key) !== mediaType) throw new RangeError(`The key ${key} does not stand for ${mediaType}.`);
      await write(key, bytes, mediaType);
    },
    async get(key) {
      const mediaType = mediaTypeOf(key);
      const bytes = await read(key);
      return bytes && { bytes, mediaType };
    },
    async open(key) {
      const mediaType = mediaTypeOf(key);
      const object = await open(key);
      return object && { ...object, mediaType };
    },
    async has(key) {
      mediaTypeOf(key);
      return (await head(key)) !== undefined;
    },
    async stat(key) {
      mediaTypeOf(key);
      const object = await head(key);
      return object && { sizeBytes: object.ContentLength ?? 0, modifiedAt: object.LastModified ?? new Date(0) };
    },
    delete: (key) => deleteMany([key]),
    deleteMany,
    async *list(keyPrefix, after) {
      for (let ContinuationToken: string | undefined; ; ) {
        const command = new ListObjectsV2Command({
          ...{ Bucket: bucket, Prefix: prefix + keyPrefix, ContinuationToken },
          ...(after && !ContinuationToken && { StartAfter: prefix + after }),
        });
        const page = await run((abortSignal) => client.send(command, { abortSignal }));
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
          const key = Key.slice(prefix.length);
          // Skip objects that other programs left there.
          if (findMediaType(key)) yield { key, sizeBytes: Size, modifiedAt: LastModified };
        }
        if (!page.IsTruncated || !page.NextContinuationToken) return;
        ContinuationToken = page.NextContinuationToken;
      }
    },
    async space() {
      return undefined;
    },
    async check() {
      await write(CHECK, new Uint8Array(), 'text/plain');
    },
    async readInstallation() {
      const bytes = await read(INSTALLATION);
      return bytes && Buffer.from(bytes).toString('utf8').trim();
    },
    async writeInstallation(id) {
      const bytes = Buffer.from(`${id}\n`);
      await write(INSTALLATION, bytes, 'text/plain', true).catch(async (error: unknown) => {
        if (statusOfCause(error) === 501)
          await write(INSTALLATION, bytes, 'text/plain'); // it knows no conditions
        else if (![409, 412].includes(statusOfCause(error) ?? 0)) throw error; // written meanwhile
      });
    },
    close() {
      client.destroy();
      readers.destroy();
    },
  };
}

/** Not a key of a store, so that no listing names it. */
const CHECK = '.markwright/check';

interface Sockets {
  readonly maxSockets: number;
  /** How long a socket may be silent, in ms; 0 sets no limit. */
  readonly socketTimeout: number;
  /** How long a request may take until its reply begins, in ms. */
  readonly requestTimeout?: number;
  readonly throwOnRequestTimeout?: true;
}

function createClient(
  { endpoint, region, credentials, forcePathStyle }: S3Settings,
  log: Logger,
  { maxSockets, ...timeouts }: Sockets,
): S3Client {
  const logger = { debug() {}, info() {}, warn: log.warn.bind(log), error: log.error.bind(log) };
  return new S3Client({
    region,
    ...(endpoint && { endpoint: endpoint.href }),
    ...(credentials && { credentials }),
    forcePathStyle,
    maxAttempts: ATTEMPTS,
    // Other services than Amazon's do not know the newer checksums. The SHA-256 in the signature covers each upload.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      ...timeouts,
      httpAgent: { maxSockets, keepAlive: true },
      httpsAgent: { maxSockets, keepAlive: true },
      logger,
    },
  });
}

/** Adds the checksum that many services ask for when objects are deleted together, beside Amazon's newer one. */
function addContentMd5(command: DeleteObjectsCommand): DeleteObjectsCommand {
  command.middlewareStack.add(
    (next) => async (args) => {
      const { headers, body } = args.request as { headers: Record<string, string>; body: string | Uint8Array };
      headers['content-md5'] = createHash('md5').update(body).digest('base64');
      return next(args);
    },
    { step: 'build', name: 'contentMd5' },
  );
  return command;
}

/** Runs an operation with its attempts. Throws when it has no result in time, whatever it waits for. */
async function within<T>(limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`The S3 service gave no answer in ${Math.round(limitMs)} ms.`));
      controller.abort();
    }, limitMs);
  });
  try {
    return await Promise.race([work(controller.signal), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** Passes a content on. Fails when its next part does not come in time, but waits for its reader without a limit. */
function readInTime(content: Readable, limitMs: number): Readable {
  async function* read(): AsyncGenerator<Uint8Array> {
    const parts = content[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await within(limitMs, () => parts.next());
        if (done) return;
        yield value;
      }
    } catch (error) {
      throw toAppError(error);
    }
  }
  const stream = Readable.from(read(), { objectMode: false });
  // A generator that never began does not end either.
  return stream.once('close', () => content.destroy());
}

interface ServiceError extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
}

const statusOf = (error: unknown): number | undefined => (error as ServiceError | undefined)?.$metadata?.httpStatusCode;

function ignoreMissing(error: unknown): undefined {
  // Without its bucket a file is not missing: the store is.
  if (statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket') return undefined;
  throw error;
}

const statusOfCause = (error: unknown): number | undefined =>
  error instanceof AppError ? statusOf(error.cause) : undefined;

const FULL = ['QuotaExceeded', 'InsufficientStorage', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded'];

/** Turns every failure of the service and of the way to it into one that a person can act on. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (statusOf(error) === 507 || FULL.includes((error as Error).name)) {
    return new AppError('storageFull', 'The server’s storage is full, so nothing more can be saved just now.', {
      cause: error,
    });
  }
  return filesAway(error);
}

/** Throws a StartError with a sentence when the bucket cannot be used. */
async function checkBucket({ bucket, endpoint }: S3Settings, headBucket: () => Promise<unknown>): Promise<void> {
  try {
    await headBucket();
  } catch (cause) {
    throw new StartError(explain(cause as ServiceError, bucket, endpoint?.origin ?? 'Amazon S3'), { cause });
  }
}

function explain(error: ServiceError, bucket: string, service: string): string {
  const status = statusOf(error);
  if (status === 404) {
    return `There is no bucket ${bucket} at ${service}. Make it, or set S3_BUCKET to another one.`;
  }
  if (status === 301 || status === 400) {
    const region = error.$response?.headers?.['x-amz-bucket-region'];
    return `${service} refuses the bucket ${bucket} in this region. Set S3_REGION${region ? ` to ${region}` : ''}.`;
  }
  if (status === 401 || status === 403) {
    return `${service} refuses the keys for the bucket ${bucket}. Check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and its rights.`;
  }
  if (error.name === 'CredentialsProviderError') {
    return 'There are no keys for S3. Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or give this machine a role.';
  }
  return `The files cannot be reached: ${service} does not answer (${error.message}). Check S3_ENDPOINT.`;
}
