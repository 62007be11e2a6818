/**
 * Makes the pieces of a list of names on the built server with two workers: a traced logo and a name on a tumbler, as
 * SVG. Measures the processor time of the server and all that it started, the largest memory of each, and the time by
 * the clock until the package is there; then downloads the package and counts its files.
 *
 * Run: npx tsx bench/manyNames.ts [--rows 1000] [--format svg]
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Batch, Design, Product } from '@markwright/contract/schemas';
import { emptyComposition, newArtwork, newText, saveComposition } from '@markwright/scene';
import { unzip } from '../e2e/zip.ts';
import { childrenOf, processorMs, residentMb, withBuiltServer } from './builtStudio.ts';

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000' }, format: { type: 'string', default: 'svg' } },
});
const ROWS = Number(values.rows);
const BAR = { processorSeconds: (60 * ROWS) / 1000, megabytes: 600 };
const POLL_MS = 250;
const ADMIN = { email: 'admin@example.com', password: 'the-workshop-key' };
const FIRST = ['Ada', 'Bartholomew', 'Chloé', 'Dag', 'Élise', 'Fenwick', 'Grace', 'Hildegard', 'Ioana', 'Jürgen'];
const LAST = ['Ng', 'Lovelace', 'Hopper', 'de la Cruz', 'Okonkwo', 'Zimmermann', 'Smith', 'Vanderbilt-Jones'];

let isMet = true;
await withBuiltServer(run, { WORKERS: '2', ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password });
console.log(
  `${isMet ? 'bar met' : 'BAR MISSED'}: ${BAR.processorSeconds} s of processor time, ${BAR.megabytes} MB in a process, ` +
    'every row once',
);
process.exitCode = isMet ? 0 : 1;

async function run(url: string, pid: number): Promise<void> {
  const call = async <T>(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> => {
    const isForm = body instanceof FormData;
    const answer = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...(body !== undefined && !isForm && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const { token } = await call<{ token: string }>('/api/auth/login', ADMIN);
  const headers = { authorization: `Bearer ${token}` };
  const form = new FormData();
  const logo = readFileSync(new URL('../apps/web/src/samples/logo.jpg', import.meta.url));
  form.append('file', new Blob([new Uint8Array(logo)], { type: 'image/jpeg' }), 'logo.jpg');
  const design = await call<Design>('/api/designs/upload', form, headers);
  await call('/api/designs/vectorize', { designId: design.id, settings: { machineType: 'laser' } }, headers);
  const products = await call<Product[]>('/api/products');
  const product = products.find(({ name }) => /skinny tumbler/i.test(name))!;
  const composition = saveComposition({
    ...emptyComposition,
    productId: product.productId,
    elements: [
      { ...newArtwork(design.id), id: 'logo', aspect: design.width / design.height, size: 60, y: -20 },
      { ...newText('name'), text: '{Name}', heightInches: 0.3, y: 25 },
    ],
  });
  const rows = Array.from({ length: ROWS }, (_, i) => [
    `${FIRST[i % FIRST.length]} ${LAST[Math.floor(i / FIRST.length) % LAST.length]}`,
  ]);

  const peaks = { server: 0, child: 0 };
  const watch = () => {
    peaks.server = Math.max(peaks.server, residentMb(pid));
    peaks.child = Math.max(peaks.child, ...childrenOf(pid).map(residentMb));
  };
  const clock = createClock(pid);
  const startTime = performance.now();
  const request = {
    ...{ composition, format: values.format, columns: ['Name'], rows },
    fit: { widthsMm: { 'text:name': 45 }, minimumPercent: 30 },
  };
  let batch = await call<Batch>('/api/batches', request, headers);
  const takenSeconds = (performance.now() - startTime) / 1000;
  while (batch.state === 'waiting' || batch.state === 'making') {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    watch();
    clock.note();
    batch = await call<Batch>(`/api/batches/${batch.id}`, undefined, headers);
  }
  const doneSeconds = (performance.now() - startTime) / 1000;
  if (batch.state !== 'done') throw new Error(batch.problem ?? batch.state);
  const archive = unzip(Buffer.from(await (await fetch(url + batch.url!)).arrayBuffer()));
  watch();
  const processorSeconds = clock.note() / 1000;
  const numbers = [...archive.keys()].flatMap((name) => /^(\d+)_/.exec(name)?.[1] ?? []);
  const isWhole = new Set(numbers).size === ROWS && numbers.length === ROWS;
  isMet = isWhole && processorSeconds <= BAR.processorSeconds && Math.max(peaks.server, peaks.child) <= BAR.megabytes;
  console.log(
    `${ROWS} rows as ${values.format}: taken in ${takenSeconds.toFixed(1)} s, done in ${doneSeconds.toFixed(1)} s`,
  );
  console.log(
    `processor time: ${processorSeconds.toFixed(1)} s, ${((1000 * processorSeconds) / ROWS).toFixed(0)} ms a piece`,
  );
  console.log(`memory at most: server ${peaks.server.toFixed(0)} MB, a child ${peaks.child.toFixed(0)} MB`);
  console.log(`package: ${numbers.length} pieces, ${new Set(numbers).size} rows`);
}

/** Sums the processor time of a process and its children from now on, also of children that end meanwhile. */
function createClock(pid: number) {
  const startMs = new Map<number, number>();
  const latest = new Map<number, number>();
  const note = (): number => {
    for (const id of [pid, ...childrenOf(pid)]) {
      try {
        const ms = processorMs(id);
        if (!latest.has(id)) startMs.set(id, isFirst ? ms : 0);
        latest.set(id, ms);
      } catch {
        // It has ended: what it had used stays counted.
      }
    }
    return [...latest].reduce((sum, [id, ms]) => sum + ms - startMs.get(id)!, 0);
  };
  let isFirst = true;
  note();
  isFirst = false;
  return { note };
}
