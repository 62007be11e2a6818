/**
 * Compares what two checkouts of this project answer, byte by byte: 60 traces, 60 compositions (production file, custom
 * SVG, mockup, measures), cut-outs, every call of the API as guest, user and administrator, and the mails it wrote.
 *
 * Run: tsx bench/compareTrees.ts OLD [NEW] [--keep FOLDER] [--only N]. Both trees must be built (`npm run build` in
 * each). NEW is this tree by default. Each tree's server runs in its own data folder on a free port. Ids, tokens, times
 * and signatures are replaced before the comparison. Exits with 1 when anything differs; `--keep` writes both sides of
 * each difference into FOLDER. `--only` compares composition N alone, after the uploads and traces of its account. All
 * of it takes about six minutes on two cores.
 *
 * Against version 0.1.0, production files of designs differ: a production call is traced with the settings that it
 * sends, and was traced with those of the trace last shown.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { drawPictures, type Picture } from './treePictures.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'string' }, only: { type: 'string' } },
});
const here = dirname(dirname(fileURLToPath(import.meta.url)));
const [oldTree, newTree = here] = positionals.map((path) => resolve(path));
if (!oldTree) {
  console.error('Usage: tsx bench/compareTrees.ts OLD [NEW] [--keep FOLDER] [--only N]');
  process.exit(2);
}
/** The number of the only composition to compare; undefined for all of everything. */
const only = values.only === undefined ? undefined : Number(values.only);

const ADMIN = { email: 'admin@example.com', password: 'a workshop key' };
const ACCOUNTS = 6;

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

/** The answers of a tree, normalized, by name. */
type Answers = Map<string, Buffer>;

class Client {
  readonly url: string;
  readonly token: string | undefined;
  #cookie = '';
  constructor(url: string, token?: string) {
    this.url = url;
    this.token = token;
  }

  async send(method: string, path: string, body?: unknown): Promise<Reply> {
    for (;;) {
      const headers: Record<string, string> = this.token ? { authorization: `Bearer ${this.token}` } : {};
      if (this.#cookie) headers.cookie = this.#cookie;
      const isForm = body instanceof FormData;
      if (body !== undefined && !isForm) headers['content-type'] = 'application/json';
      const response = await fetch(this.url + path, {
        method,
        headers,
        redirect: 'manual',
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      });
      for (const line of response.headers.getSetCookie()) this.#cookie = line.split(';')[0]!;
      const bytes = Buffer.from(await response.arrayBuffer());
      // Pacing, rate limits and a busy machine are not compared: wait and send the call again.
      if (response.status === 429 || response.status === 503 || bytes.includes('took too long')) {
        await new Promise((go) =>
          setTimeout(go, 1000 * Math.min(60, Number(response.headers.get('retry-after') ?? 1))),
        );
        continue;
      }
      return { status: response.status, type: response.headers.get('content-type') ?? '', body: bytes };
    }
  }

  /** Sends a call that must succeed; returns its JSON. */
  async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const reply = await this.send(method, path, body);
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.body}`);
    return JSON.parse(reply.body.toString()) as T;
  }
}

async function startServer(tree: string, dataDir: string): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, ['apps/server/dist/main.js'], {
    cwd: tree,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'fatal',
      MODEL_DOWNLOAD: 'off',
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGTERM'));
  const url = await new Promise<string>((ready, reject) => {
    child.once('close', (code) => reject(new Error(`The server of ${tree} ended with ${code}.`)));
    createInterface(child.stdout!).on('line', (line) => {
      const address = /^Markwright is ready at (http:\S+)$/.exec(line)?.[1];
      if (address) ready(address);
    });
  });
  return { url, child };
}

/** Replaces the random parts of an answer by their kind, and its ids by the order in which they appear. */
function normalize(text: string, url: string): string {
  const ids = new Map<string, string>();
  return (
    text
      .replaceAll(url, 'SITE')
      .replace(/\?e(xpires)?=\d+[^"'\s<]*/g, '?SIGNED')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME')
      .replace(/\b[A-Z][a-z]+ \d{1,2}, 20\d\d\b/g, 'DATE')
      .replace(/\b\d{4}-\d\d-\d\d\b/g, 'DATE')
      .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, (id) => {
        if (!ids.has(id)) ids.set(id, `ID${ids.size}`);
        return ids.get(id)!;
      })
      // Ids are 128 bits in base64url, tokens 256; a guest's token is an id, a dot and a signature.
      .replace(/(?<=-)[0-9a-f]{32}(?=\.)|(?<="(?:guestToken|secret|webhookSecret)":")[^"]+/g, 'TOKEN')
      .replace(/(?<=["/=.])(?:[\w-]{22}|[\w-]{43})(?=["/?&.]|$)/g, 'TOKEN')
      .replace(/"requestId":"[^"]*"/g, '"requestId":"R"')
  );
}

const record = (answers: Answers, name: string, reply: Reply, url: string) => {
  const isText = /json|text|svg|xml/.test(reply.type);
  const body = isText ? Buffer.from(normalize(reply.body.toString(), url)) : reply.body;
  answers.set(name, Buffer.concat([Buffer.from(`${reply.status} ${reply.type}\n`), body]));
};

/**
 * Returns the settings of one of sixty traces. Each picture is traced four times, each option is used with several
 * pictures.
 */
function traceSettings(index: number): Record<string, unknown> {
  const pick = <T>(list: readonly T[], step: number): T => list[Math.floor(index / step + index) % list.length]!;
  return {
    colorMode: pick(['black', 'color', 'grayscale', 'stainless', 'color'], 3),
    quality: pick(['medium', 'low', 'high'], 5),
    drawStyle: pick(['fill_shapes', 'fill_shapes', 'stroke_shapes', 'stroke_edges', 'centerline'], 7),
    shapeStacking: pick(['cutouts', 'stacked'], 4),
    groupBy: pick(['color', 'shape', 'none'], 11),
    laserMode: index % 9 === 4 ? 'outline' : 'detailed',
    machineType: pick(['laser', 'uv', 'sublimation'], 2),
    paletteSize: pick([undefined, 4, 16, 64], 6),
    despeckle: pick([undefined, 0, 3, 8], 8),
    cutout: index % 5 === 2,
    gradients: index % 4 !== 3,
    simplify: pick([50, 10, 90], 9),
    ...(index % 6 === 1 && { crop: { x: 0.1, y: 0.15, width: 0.7, height: 0.6 } }),
    ...(index % 7 === 3 && { brightness: 20, contrast: -15 }),
    ...(index % 8 === 5 && { threshold: 60 }),
  };
}

const FAMILIES = [
  'Open Sans',
  'Anton',
  'Pacifico',
  'Playfair Display',
  'Saira Stencil One',
  'Lobster',
  'Roboto',
  'Nowhere Sans',
];

function toComposition(
  index: number,
  productId: string | undefined,
  design: { id: string; filename: string; aspect: number } | undefined,
) {
  const wave = (step: number, size: number) => Math.round(Math.sin(index * step) * size * 10) / 10;
  const texts = Array.from({ length: index % 4 === 0 && design ? 0 : 1 + (index % 3) }, (_, i) => ({
    id: `t${i}`,
    text: ['Ada & Søren', 'Best Dad\nsince 2019', 'fi ffl ÄÖÜ “quote” 12', '№ 7 Ωμ'][(index + i) % 4],
    fontFamily: FAMILIES[(index + 3 * i) % FAMILIES.length],
    heightInches: 0.2 + ((index + i) % 5) * 0.1,
    color: ['#000000', '#c8102e', '#14213d'][(index + i) % 3],
    x: wave(1.3 + i, 30),
    y: wave(2.1 + i, 35),
    angleDeg: (index * 37 * i) % 360,
    isFlipped: index % 11 === 5,
    textAlign: ['left', 'center', 'right'][index % 3],
    fontWeight: index % 2 ? 'bold' : 'normal',
    fontStyle: index % 5 === 1 ? 'italic' : 'normal',
    textDecoration: index % 7 === 2 ? 'underline' : 'none',
    letterSpacing: index % 4 === 1 ? 20 : 0,
    lineSpacing: index % 6 === 3 ? 140 : 100,
    bend: index % 5 === 3 ? (index % 2 ? 35 : -40) : 0,
    isHidden: i === 2,
  }));
  return {
    version: index % 10 === 9 ? 0 : 1,
    data: {
      machine: ['laser', 'uv', 'sublimation'][index % 3],
      productId,
      productAngleDeg: index % 8 === 6 ? 90 : 0,
      ...(index % 6 === 4 && { machineArea: { x: 0.3, y: 0.35, width: 0.35, height: 0.3 } }),
      ...(design && {
        design: {
          designId: design.id,
          filename: design.filename,
          aspect: design.aspect,
          x: wave(0.7, 25),
          y: wave(0.9, 20),
          size: [80, 40, 130, 220][index % 4],
          angleDeg: index % 3 === 1 ? (index * 23) % 360 : 0,
          isFlipped: index % 5 === 2,
          opacity: index % 7 === 1 ? 60 : 100,
          ...(index % 9 === 7 && { crop: { x: 0.2, y: 0.1, width: 0.6, height: 0.7 } }),
        },
      }),
      texts,
      textsUnderDesign: Math.min(texts.length, index % 3),
    },
  };
}

interface Design {
  readonly id: string;
  readonly filename: string;
  readonly width: number;
  readonly height: number;
}

async function upload(client: Client, picture: Picture): Promise<Reply> {
  const form = new FormData();
  const ending = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/svg+xml': 'svg' }[picture.mediaType];
  form.append(
    'file',
    new Blob([new Uint8Array(picture.bytes)], { type: picture.mediaType }),
    `${picture.name}.${ending}`,
  );
  return client.send('POST', '/api/designs/upload', form);
}

/** Signs up an account. With `isPaying`, takes the largest plan at the test checkout. */
async function signUp(url: string, email: string, isPaying: boolean): Promise<Client> {
  const { token } = await new Client(url).ask<{ token: string }>('POST', '/api/auth/signup', {
    email,
    password: 'a long enough key',
  });
  const client = new Client(url, token);
  if (!isPaying) return client;
  const checkout = await client.ask<{ url: string }>('POST', '/api/create-checkout-session', { planId: 'agency' });
  const session = /[?&](?:session_id|session|id)=([^&]+)/.exec(checkout.url)?.[1] ?? checkout.url.split('/').at(-1)!;
  await client.ask('POST', `/api/test-checkout/${session}`, { outcome: 'success' });
  await client.ask('POST', '/api/verify-subscription', { sessionId: session });
  return client;
}

async function fetchFile(client: Client, url: string): Promise<Reply> {
  return client.send('GET', url.startsWith('http') ? new URL(url).pathname + new URL(url).search : url);
}

/** Collects the traces, cut-outs and files of one tree. */
async function collectFiles(url: string, pictures: readonly Picture[], answers: Answers): Promise<void> {
  const clients: Client[] = [];
  for (let i = 0; i < ACCOUNTS; i++) clients.push(await signUp(url, `maker${i}@example.com`, true));
  const products = await clients[0]!.ask<{ productId: string; name: string }[]>('GET', '/api/products');

  // Each account works through its own share, because traces are paced for each account.
  const share = (client: number, count: number) =>
    Array.from({ length: count }, (_, i) => i).filter((i) => i % ACCOUNTS === client);
  await Promise.all(
    clients.map(async (client, number) => {
      if (only !== undefined && only % ACCOUNTS !== number) return;
      const designs = new Map<string, Design>();
      for (const i of share(number, 60)) {
        const picture = pictures[(i * 7) % pictures.length]!;
        const reply = await upload(client, picture);
        record(answers, `upload ${i} (${picture.name})`, reply, url);
        const design = JSON.parse(reply.body.toString()) as Design;
        designs.set(picture.name, design);
        const settings = traceSettings(i);
        const trace = await client.send('POST', '/api/designs/vectorize', { designId: design.id, settings });
        record(answers, `trace ${i} (${picture.name}), answer`, trace, url);
        if (trace.status < 300) {
          const { vectorizedSvgUrl } = JSON.parse(trace.body.toString());
          record(answers, `trace ${i} (${picture.name}), SVG`, await fetchFile(client, vectorizedSvgUrl), url);
        }
        if (i % 6 === number && i < 24 && picture.mediaType !== 'image/svg+xml') {
          const cut = await client.send('POST', '/api/designs/remove-background', {
            designId: design.id,
            options: { edgeShift: (i % 3) - 1, feather: i % 2 ? 2 : 0 },
          });
          record(answers, `cut-out ${i} (${picture.name}), answer`, cut, url);
          if (cut.status < 300) {
            const { backgroundRemovedUrl } = JSON.parse(cut.body.toString());
            record(answers, `cut-out ${i} (${picture.name}), PNG`, await fetchFile(client, backgroundRemovedUrl), url);
          }
        }
      }
      const own = [...designs.values()];
      for (const i of share(number, 60)) {
        if (only !== undefined && i !== only) continue;
        const design = i % 5 === 3 ? undefined : own[i % own.length];
        const product = i % 12 === 11 ? undefined : products[(i * 5) % products.length];
        const composition = toComposition(
          i,
          product?.productId,
          design && { ...design, aspect: design.width / design.height },
        );
        const name = `composition ${i} (${product?.name ?? 'no product'})`;
        const settings = design ? traceSettings(i + 7) : undefined;
        const calls = [
          [
            'production',
            '/api/designs/vectorize',
            { designId: design?.id, settings: { ...settings, mode: 'vectorize' }, composition },
          ],
          ['custom SVG', '/api/exports/custom-svg', { composition }],
          ['mockup', '/api/exports/mockup', { composition }],
        ] as const;
        for (const [target, path, body] of calls) {
          const reply = await client.send('POST', path, body);
          record(answers, `${name}: ${target}, answer`, reply, url);
          if (reply.status >= 300) continue;
          const answer = JSON.parse(reply.body.toString());
          record(
            answers,
            `${name}: ${target}, file`,
            await fetchFile(client, answer.vectorizedSvgUrl ?? answer.url),
            url,
          );
        }
      }
    }),
  );
}

interface OpenApi {
  readonly paths: Record<string, Record<string, { requestBody?: unknown }>>;
}

/** Calls that would end a session or an account that other calls need, and calls whose answer depends on the clock. */
const EXCLUDED = /logout|\/api\/auth\/(change|forgot|reset|login|signup)|metrics|openapi|\/api\/health|delete/;

/**
 * Makes every call of the old tree's API as a guest, a user and the administrator: without a body, with an empty one
 * and with a wrong one.
 */
async function collectCalls(url: string, paths: OpenApi['paths'], answers: Answers): Promise<void> {
  const user = await signUp(url, 'caller@example.com', false);
  const { token } = await new Client(url).ask<{ token: string }>('POST', '/api/auth/login', ADMIN);
  const callers = { guest: new Client(url), user, admin: new Client(url, token) };
  for (const [path, methods] of Object.entries(paths)) {
    for (const method of Object.keys(methods)) {
      if (EXCLUDED.test(path) || method === 'delete') continue;
      for (const [caller, client] of Object.entries(callers)) {
        for (const id of /[{:]/.test(path) ? ['1', 'nowhere'] : ['']) {
          const concretePath = path.replace(/\{\w+\}|:\w+/g, id);
          const bodies = method === 'get' ? [undefined] : [undefined, {}, { name: 7, email: 'no address', id: [] }];
          for (const [i, body] of bodies.entries()) {
            const reply = await client.send(method.toUpperCase(), concretePath, body);
            record(answers, `${method.toUpperCase()} ${concretePath} as ${caller}, body ${i}`, reply, url);
          }
        }
      }
    }
  }
  const bad = [
    ['POST', '/api/auth/login', { email: 'x', password: '' }],
    ['POST', '/api/auth/signup', { email: ADMIN.email, password: 'a long enough key' }],
    ['POST', '/api/auth/forgot-password', { email: 'maker0@example.com' }],
    ['POST', '/api/auth/reset-password', { token: 'wrong', password: 'a long enough key' }],
    ['GET', '/api/nowhere'],
    ['GET', '/files/nowhere'],
    ['GET', '/api/login'],
    ['GET', '/api/ready'],
  ] as const;
  for (const [method, path, body] of bad)
    record(answers, `${method} ${path}`, await callers.guest.send(method, path, body), url);
  record(answers, 'the outbox', await callers.admin.send('GET', '/api/admin/mails'), url);
  record(answers, 'DELETE of a design that is not there', await user.send('DELETE', '/api/compositions/nowhere'), url);
}

async function collect(tree: string, pictures: readonly Picture[], paths?: OpenApi['paths']) {
  const dataDir = mkdtempSync(join(tmpdir(), 'markwright-compare-'));
  const startTime = performance.now();
  const { url, child } = await startServer(tree, dataDir);
  const answers: Answers = new Map();
  try {
    const callPaths = paths ?? (await new Client(url).ask<OpenApi>('GET', '/api/openapi.json')).paths;
    if (only === undefined) await collectCalls(url, callPaths, answers);
    await collectFiles(url, pictures, answers);
    console.log(`${tree}: ${answers.size} answers in ${((performance.now() - startTime) / 1000).toFixed(0)} s`);
    return { answers, paths: callPaths };
  } finally {
    child.removeAllListeners('close');
    const exit = new Promise((done) => child.once('close', done));
    child.kill('SIGTERM');
    await exit;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const hash = (bytes: Buffer | undefined) =>
  bytes ? createHash('sha256').update(bytes).digest('hex').slice(0, 12) : '—';
const pictures = await drawPictures();
const before = await collect(oldTree, pictures);
const after = await collect(newTree, pictures, before.paths);

let differences = 0;
const names = new Set([...before.answers.keys(), ...after.answers.keys()]);
for (const name of names) {
  const [one, other] = [before.answers.get(name), after.answers.get(name)];
  if (one && other && one.equals(other)) continue;
  differences++;
  console.log(`differs: ${name}  ${hash(one)} ${hash(other)}`);
  if (!values.keep) continue;
  mkdirSync(values.keep, { recursive: true });
  const file = join(values.keep, name.replace(/[^\w]+/g, '_').slice(0, 80));
  if (one) writeFileSync(`${file}.old`, one);
  if (other) writeFileSync(`${file}.new`, other);
}
const refusals = new Map<string, number>();
for (const [name, bytes] of before.answers) {
  if (!/^(trace|composition|cut-out|upload)/.test(name) || bytes.subarray(0, 3).toString() === '200') continue;
  const answer = bytes.toString().replace(/\n/, ' ').slice(0, 160);
  refusals.set(answer, (refusals.get(answer) ?? 0) + 1);
}
for (const [answer, times] of refusals) console.log(`refused ${times} times: ${answer}`);
const count = (part: RegExp, status: RegExp) =>
  [...before.answers].filter(([name, bytes]) => part.test(name) && status.test(bytes.subarray(0, 3).toString())).length;
console.log(
  [
    `traces ${count(/^trace .*SVG$/, /^200/)}`,
    `cut-outs ${count(/^cut-out .*PNG$/, /^200/)}`,
    `production files ${count(/production, file$/, /^200/)}`,
    `custom SVGs ${count(/custom SVG, file$/, /^200/)}`,
    `mockups ${count(/mockup, file$/, /^200/)}`,
    `other answers ${count(/ as |^GET |^POST |^DELETE |^the |^upload |answer$/, /^/)}`,
  ].join(', '),
);
console.log(`${differences} of ${names.size} answers differ`);
process.exit(differences === 0 ? 0 : 1);
