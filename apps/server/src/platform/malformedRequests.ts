/**
 * Answers the requests that reach no route: addresses that cannot be decoded, and what Node's HTTP parser refuses. They
 * get the headers of every reply, and the form of every error.
 */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './errors.ts';

const sentences: Readonly<Record<number, string>> = {
  408: 'The request took too long to arrive.',
  413: 'That is larger than what can be sent here.',
  414: 'The address is too long.',
  417: 'The server cannot do what the request expects.',
  431: 'The headers of the request are too large.',
};

const statusOfCode: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

type Headers = Readonly<Record<string, string>>;

/** Returns Fastify's options that answer such requests with these headers. */
export function malformedRequestOptions(headers: Headers) {
  return {
    // Node itself would answer a request without a host, without any header.
    http: { requireHostHeader: false },

    frameworkErrors(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
      const status = error.statusCode ?? 400;
      request.log.info({ method: request.method, status }, 'a malformed address');
      void reply.code(status).headers(replyHeaders(headers)).send(bodyOf(status, request.id));
    },

    clientErrorHandler(error: Error & { code?: string }, socket: Socket): void {
      if (error.code === 'ECONNRESET' || socket.destroyed) return;
      const status = statusOfCode[error.code ?? ''] ?? 400;
      if (socket.writable) socket.write(rawAnswer(status, headers));
      socket.destroy(error);
    },
  };
}

/** Refuses what Node would otherwise answer by itself: an unknown `Expect`, and HTTP/1.1 without a host. */
export function refuseMalformed(app: FastifyInstance, headers: Headers): void {
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const body = bodyOf(417);
    response.writeHead(417, { ...replyHeaders(headers), 'content-length': body.length }).end(body);
  });
  app.addHook('onRequest', async ({ raw, headers: { host } }) => {
    if (host === undefined && raw.httpVersion === '1.1') {
      throw new AppError('invalid', 'The request does not name its host.');
    }
  });
}

const replyHeaders = (headers: Headers): Headers => ({
  ...headers,
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'private, no-store',
});

const bodyOf = (status: number, requestId: string = randomUUID()): string =>
  JSON.stringify({ message: sentences[status] ?? 'The request could not be read.', requestId });

function rawAnswer(status: number, headers: Headers): string {
  const body = bodyOf(status);
  const lines = Object.entries({
    ...replyHeaders(headers),
    'content-length': String(body.length),
    connection: 'close',
  });
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines.map(([name, value]) => `${name}: ${value}`)];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
