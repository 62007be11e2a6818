/** Spans by OpenTelemetry, sent as OTLP over HTTP. Loaded only where traces are on: it costs memory and a start. */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { TraceSettings } from '../config.ts';
import { isFault, type SpanAttributes, type Spans } from './spans.ts';

/** A stop does not wait longer for a receiver. */
const CLOSE_LIMIT_MS = 3_000;

/** Opens the spans of a server. Nothing is sent before the first one has ended. `about` is said of all of them. */
export function openOtelSpans({ endpoint, headers, serviceName, share }: TraceSettings, about: SpanAttributes): Spans {
  const chance = new TraceIdRatioBasedSampler(share);
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, ...about }),
    // The caller of a request says which trace it is part of, but not that it is kept: anybody can send a header.
    sampler: new ParentBasedSampler({ root: chance, remoteParentSampled: chance, remoteParentNotSampled: chance }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: addressOf(endpoint), headers }))],
  });
  const tracer = provider.getTracer('markwright');
  const current = new AsyncLocalStorage<Context>();

  function fail(span: Span, error: unknown): void {
    // Never the message: it may say something about a person.
    const { code, name } = error as { code?: unknown; name?: unknown };
    span.setAttribute('error.type', String(code ?? name ?? 'error'));
    if (isFault(error)) span.setStatus({ code: SpanStatusCode.ERROR });
  }

  async function run<T>(span: Span, parent: Context, work: () => Promise<T>): Promise<T> {
    try {
      return await current.run(trace.setSpan(parent, span), work);
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  return {
    isOn: true,
    part(name, attributes, work) {
      const parent = current.getStore();
      if (!parent) return work();
      return run(tracer.startSpan(name, { attributes }, parent), parent, work);
    },
    root(name, attributes, work, parentHeader) {
      const parent = toContext(parentHeader, false);
      return run(tracer.startSpan(name, { attributes, kind: SpanKind.CONSUMER }, parent), parent, work);
    },
    open(name, attributes, parentHeader) {
      const parent = toContext(parentHeader, true);
      const span = tracer.startSpan(name, { attributes, kind: SpanKind.SERVER }, parent);
      const inside = trace.setSpan(parent, span);
      return {
        enter: (next) => current.run(inside, next),
        end(more, isFailed) {
          span.setAttributes(more);
          if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    carry() {
      const span = trace.getSpan(current.getStore() ?? ROOT_CONTEXT);
      if (!span) return undefined;
      const { traceId, spanId, traceFlags } = span.spanContext();
      return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
    },
    async close() {
      const limit = new Promise<void>((resolve) => {
        setTimeout(resolve, CLOSE_LIMIT_MS).unref();
      });
      await Promise.race([provider.shutdown().catch(() => {}), limit]);
    },
  };
}

/** Reads a W3C `traceparent`: https://www.w3.org/TR/trace-context/#traceparent-header */
function toContext(header: string | undefined, isRemote: boolean): Context {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(header ?? '') ?? [];
  if (!traceId || !spanId || !flags) return ROOT_CONTEXT;
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote };
  return isSpanContextValid(spanContext) ? trace.setSpanContext(ROOT_CONTEXT, spanContext) : ROOT_CONTEXT;
}

function addressOf(endpoint: URL): string {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`}v1/traces`;
  return url.href;
}
