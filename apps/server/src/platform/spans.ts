/**
 * Spans: what a request or a job spends its time on, for the operator's traces. This is the port, and what is measured;
 * `otelSpans.ts` sends them, and is loaded only where they are on.
 *
 * A span says what was done and how long it took, and nothing about a person: routes by their pattern, files by their
 * kind, statements by their verb and table.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from './errors.ts';
import type { FileStore } from './files.ts';
import type { MediaPool } from './ports/mediaPool.ts';

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** The span of something that begins and ends in events, such as a request. */
interface OpenSpan {
  /** Runs `next`, and what follows from it, inside of the span. */
  enter(next: () => void): void;
  /** Ends the span. `isFailed` is true for a fault of ours. */
  end(attributes: SpanAttributes, isFailed: boolean): void;
}

/** The spans of one server. */
export interface Spans {
  /** False while traces are off. Nothing is wrapped then. */
  readonly isOn: boolean;
  /** Runs work as a part of the current span. Outside of any it just runs: a poll of the database is no trace. */
  part<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T>;
  /** Runs work as a trace of its own, or as a part of one at another server, whose `carry` returned `parent`. */
  root<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>, parent?: string): Promise<T>;
  /** Opens the span of a request. `parent` is the header `traceparent`. */
  open(name: string, attributes: SpanAttributes, parent: string | undefined): OpenSpan;
  /** Returns the current span as a W3C `traceparent`, for a job of another server; undefined outside of any. */
  carry(): string | undefined;
  /** Sends what was not sent yet, within some seconds. */
  close(): Promise<void>;
}

/** The spans of a server without traces. */
export const noSpans: Spans = {
  isOn: false,
  part: (_name, _attributes, work) => work(),
  root: (_name, _attributes, work) => work(),
  open: () => ({ enter: (next) => next(), end: () => {} }),
  carry: () => undefined,
  close: async () => {},
};

/** Asked for by load balancers every other second. */
const PROBES = ['/api/health', '/api/ready'];

/** Measures each request, from its headers to the end of its answer. */
export function traceRequests(app: FastifyInstance, spans: Spans): void {
  if (!spans.isOn) return;
  const open = new WeakMap<FastifyRequest, OpenSpan>();
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url;
    if (route !== undefined && PROBES.includes(route)) return done();
    const { method, headers, id } = request;
    const attributes = { 'http.request.method': method, ...(route !== undefined && { 'http.route': route }) };
    const parent = typeof headers.traceparent === 'string' ? headers.traceparent : undefined;
    const span = spans.open(
      route === undefined ? method : `${method} ${route}`,
      { ...attributes, 'markwright.request': id },
      parent,
    );
    open.set(request, span);
    reply.raw.once('close', () => {
      const status = reply.raw.writableEnded ? reply.statusCode : CLOSED_BY_CALLER;
      span.end({ 'http.response.status_code': status }, status >= 500);
    });
    span.enter(done);
  });
  // The body is read in callbacks of the socket, which run outside the span. So the handler enters it again.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = open.get(request);
    if (span) span.enter(done);
    else done();
  });
}

/** The status that nginx logs when the caller closes the connection before the end of the answer. */
const CLOSED_BY_CALLER = 499;

/** Measures what a store does for requests and jobs. */
export function traceFiles(files: FileStore, spans: Spans): FileStore {
  if (!spans.isOn) return files;
  const part = <T>(verb: string, key: string, work: () => Promise<T>): Promise<T> =>
    spans.part(`file ${verb}`, { 'file.kind': key.split('/', 1)[0]! }, work);
  // Bound, not copied: a store may be an object with methods of its class.
  const tracedFiles: Partial<FileStore> = {
    put: (key, bytes, mediaType) => part('put', key, () => files.put(key, bytes, mediaType)),
    get: (key) => part('get', key, () => files.get(key)),
    open: (key) => part('open', key, () => files.open(key)),
    has: (key) => part('has', key, () => files.has(key)),
    stat: (key) => part('stat', key, () => files.stat(key)),
    delete: (key) => part('delete', key, () => files.delete(key)),
    deleteMany: (keys) => part('delete', keys[0] ?? '', () => files.deleteMany(keys)),
  };
  return Object.assign(Object.create(files) as FileStore, tracedFiles);
}

/** Measures the jobs of callers, from asking for a process to the answer. */
export const traceMedia = (media: MediaPool, spans: Spans): MediaPool =>
  spans.isOn
    ? { ...media, run: (job, input, options) => spans.part(`media ${job}`, {}, () => media.run(job, input, options)) }
    : media;

/**
 * Returns the name of a statement: its verb and its first table, e.g. `select designs`. Never its text, which may hold
 * values.
 */
export function nameOfStatement(text: string): string {
  const verb = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement';
  const [words = ''] = text.split("'", 1); // what comes in quotation marks is a value
  const table = /\b(?:from|into|update)\s+(?:only\s+)?(?:"?\w+"?\.)?"?([a-z_]\w*)"?/i.exec(words)?.[1];
  return table === undefined ? verb : `${verb} ${table.toLowerCase()}`;
}

/** Returns true for an error that is no answer to a caller's mistake. */
export const isFault = (error: unknown): boolean => !(error instanceof AppError) || error.status >= 500;
