/**
 * A server that answers like the public API of Vectorizer.AI (vectorizer.ai/api): basic authentication, one picture in
 * a multipart form, named options with their ranges, an SVG as the body with its credits in headers, and errors as
 * `{error: {status, code, message}}`. On request it fails in the ways of a network service.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const API_ID = 'vkworkshop';
export const API_SECRET = 'a-secret-of-the-workshop';

interface ServiceCall {
  readonly fields: Readonly<Record<string, string>>;
  readonly picture: { readonly width: number; readonly height: number; readonly bytes: Uint8Array };
}

/** A fault and its number of repetitions; unlimited when `times` is absent. */
export type Fault = { readonly times?: number } & (
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number }
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'silence' | 'cut' | 'hang' }
  | { readonly kind: 'body'; readonly body: string | Uint8Array; readonly type?: string }
);

export type VectorizerPeer = Awaited<ReturnType<typeof startVectorizerPeer>>;

/** Starts the peer on a free port of this machine. */
export async function startVectorizerPeer() {
  const calls: ServiceCall[] = [];
  let requests = 0;
  let abortedCount = 0;
  let fault: Fault | undefined;
  let faultsLeft = 0;

  const server = createServer((request, response) => {
    requests++;
    response.on('close', () => {
      if (!response.writableFinished) abortedCount++;
    });
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const problem = checkRequest(request);
    if (problem) return refuse(response, ...problem);
    const form = await readForm(request, body);
    if (!('fields' in form)) return refuse(response, ...form);
    calls.push(form);
    if (fault && faultsLeft > 0) {
      faultsLeft--;
      return fail(response, fault, drawing(form));
    }
    const cost = { production: '1.000000', preview: '0.200000' }[form.fields.mode ?? 'production'] ?? '0.000000';
    response
      .writeHead(200, {
        'content-type': 'image/svg+xml',
        'x-credits-calculated': '1.000000',
        'x-credits-charged': cost,
      })
      .end(drawing(form));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/api/v1`,
    host: `127.0.0.1:${port}`,
    /** The requests with a valid form, in order. */
    calls,
    requests: () => requests,
    /** The number of replies whose connection was closed before their end. */
    aborted: () => abortedCount,
    breakDown(next: Fault | undefined): void {
      fault = next;
      faultsLeft = next ? (next.times ?? Number.POSITIVE_INFINITY) : 0;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Problem = readonly [status: number, code: number, message: string];

function checkRequest(request: IncomingMessage): Problem | undefined {
  if (request.method !== 'POST' || request.url !== '/api/v1/vectorize') return [404, 1001, 'No such endpoint'];
  const [, credentials = ''] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? [];
  if (Buffer.from(credentials, 'base64').toString() !== `${API_ID}:${API_SECRET}`)
    return [401, 1002, 'Invalid API credentials'];
  return undefined;
}

/** The options that we use, with the values that their documentation allows. */
const options: Record<string, RegExp | readonly [number, number]> = {
  mode: /^(production|preview|test|test_preview)$/,
  'policy.retention_days': [0, 30],
  'input.max_pixels': [100, 3_145_828],
  'processing.max_colors': [0, 256],
  'processing.palette': /^(\s*#([0-9a-f]{6}|[0-9a-f]{8})(\s*->\s*#([0-9a-f]{6}|[0-9a-f]{8}))?(\s*~\s*[0-9.]+)?\s*;)+$/i,
  'processing.shapes.min_area_px': [0, 100],
  'output.file_format': /^svg$/,
  'output.svg.version': /^svg_(1_0|1_1|tiny_1_2)$/,
  'output.svg.fixed_size': /^(true|false)$/,
  'output.draw_style': /^(fill_shapes|stroke_shapes|stroke_edges)$/,
  'output.shape_stacking': /^(cutouts|stacked)$/,
  'output.group_by': /^(none|color|parent|layer)$/,
  'output.parameterized_shapes.flatten': /^(true|false)$/,
  'output.curves.allowed.quadratic_bezier': /^(true|false)$/,
  'output.curves.allowed.cubic_bezier': /^(true|false)$/,
  'output.curves.allowed.circular_arc': /^(true|false)$/,
  'output.curves.allowed.elliptical_arc': /^(true|false)$/,
  'output.curves.line_fit_tolerance': [0.001, 1],
  'output.gap_filler.enabled': /^(true|false)$/,
  'output.strokes.non_scaling_stroke': /^(true|false)$/,
  'output.strokes.stroke_width': [0, 5],
  'output.strokes.use_override_color': /^(true|false)$/,
  'output.strokes.override_color': /^#[0-9a-f]{6}$/i,
};

async function readForm(request: IncomingMessage, body: Buffer): Promise<ServiceCall | Problem> {
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return [400, 1003, 'The request must be multipart/form-data'];
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const fields: Record<string, string> = {};
  let bytes: Uint8Array | undefined;
  for (const [name, value] of form) {
    if (name === 'image') {
      if (bytes || typeof value === 'string') return [400, 1004, 'Exactly one image file must be sent'];
      bytes = new Uint8Array(await value.arrayBuffer());
      continue;
    }
    const allowedValues = options[name];
    const fits =
      typeof value === 'string' &&
      !(name in fields) &&
      allowedValues !== undefined &&
      (allowedValues instanceof RegExp
        ? allowedValues.test(value)
        : /^\d+(\.\d+)?$/.test(value) && Number(value) >= allowedValues[0] && Number(value) <= allowedValues[1]);
    if (!fits) return [400, 1006, `Invalid value for '${name}'`];
    fields[name] = value;
  }
  if (!bytes) return [400, 1004, 'Exactly one image must be sent'];
  if (Buffer.from(bytes.subarray(1, 4)).toString() !== 'PNG') return [400, 1007, 'The image could not be read'];
  const header = Buffer.from(bytes);
  return { fields, picture: { width: header.readUInt32BE(16), height: header.readUInt32BE(20), bytes } };
}

/** Draws a triangle across the picture, with the same XML header as the real service. */
function drawing({ fields, picture: { width, height } }: ServiceCall): string {
  const [, ink = '#112233'] = /-> (#[0-9a-f]{6}) /i.exec(fields['processing.palette'] ?? '') ?? [];
  const triangle = `M ${width / 2} ${height / 10} L ${width * 0.9} ${height * 0.9} L ${width / 10} ${height * 0.9} Z`;
  const look = fields['output.draw_style'] === 'fill_shapes' ? `fill="${ink}"` : `fill="none" stroke="${ink}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0.00 0.00 ${width}.00 ${height}.00">
<path ${look} d="${triangle}"/>
</svg>
`;
}

function fail(response: ServerResponse, fault: Fault, whole: string): void {
  switch (fault.kind) {
    case 'status': {
      const wait = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
      refuse(response, fault.status, 1000 + fault.status, 'It went wrong', wait);
      return;
    }
    case 'redirect':
      response.writeHead(302, { location: fault.to }).end();
      return;
    case 'silence':
      response.socket?.destroy();
      return;
    case 'hang':
      return;
    case 'cut':
      response.writeHead(200, { 'content-type': 'image/svg+xml', 'content-length': String(whole.length) });
      response.write(whole.slice(0, whole.length / 2), () => response.socket?.destroy());
      return;
    case 'body':
      response.writeHead(200, { 'content-type': fault.type ?? 'image/svg+xml' }).end(fault.body);
  }
}

function refuse(response: ServerResponse, status: number, code: number, message: string, headers = {}): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ error: { status, code, message } }));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
