/**
 * Work per processor second on one server and on two, with the same calls in interleaved runs; what each kind of call
 * costs the process that answers, the workers and the database; and from that, by simulation, what 1, 4, 16 and 64
 * servers serve. Run: npm run build && npx tsx bench/servers.ts [--rounds 3]
 */
import { parseArgs } from 'node:util';
import { emptyComposition, saveComposition } from '@markwright/scene';
import { logoPng } from '../e2e/pictures.ts';
import { quantile } from './builtStudio.ts';
import { type NodesOfDatabase, type ServerNode, withNodes } from './serverNodes.ts';
import { type CallCost, type CallKind, forecast } from './simulateServers.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
const ROUNDS = Number(values.rounds);
const BAR = 0.95;
/** Clients that work at the same time, and how often each makes all its calls in a round. */
const CLIENTS = 4;
const TURNS = 12;
/** Turns of a node before it is measured: code that is not compiled yet costs more. */
const WARM_TURNS = 15;
/** Calls of each kind whose cost is measured. */
const MEASURED_CALLS = 40;
/** The machines of the simulation: servers of four cores, a database of eight, a store as its vendors say. */
const SIMULATED = { workers: 3, databaseCores: 8, databaseConnections: 500, storeRequests: 3_500 };
const SIZES = [1, 4, 16, 64];

const ADMIN = { email: 'admin@example.com', password: 'the-workshop-key' };
const environment = {
  TRUSTED_PROXIES: '127.0.0.1',
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  // The calls of this bench are no attack.
  ...{ GUEST_PROCESSOR_SECONDS: '0', NETWORK_PROCESSOR_SECONDS: '0', ACCOUNT_PROCESSOR_SECONDS: '0' },
};
const composition = saveComposition(emptyComposition);
const logo = new Uint8Array(await logoPng());
let callCount = 0;

type Call = (node: ServerNode, token: string) => Promise<unknown>;

async function send(node: ServerNode, token: string, path: string, body?: object): Promise<unknown> {
  const isForm = body instanceof FormData;
  callCount++;
  const reply = await fetch(node.url + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      // Each from a network of its own: limits of calls are not the subject.
      'x-forwarded-for': `198.18.${Math.floor(callCount / 250) % 250}.${callCount % 250}`,
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return reply.json();
}

const list: Call = (node, token) => send(node, token, '/api/designs');
const products: Call = (node, token) => send(node, token, '/api/products');
const save: Call = async (node, token) => {
  const { id } = (await send(node, token, '/api/compositions', {
    key: crypto.randomUUID(),
    name: 'A design',
    composition,
  })) as { id: string };
  const headers = { authorization: `Bearer ${token}` };
  await fetch(`${node.url}/api/compositions/${id}`, { method: 'DELETE', headers });
};
const upload: Call = (node, token) => {
  const form = new FormData();
  form.append('file', new File([logo], 'logo.png', { type: 'image/png' }));
  return send(node, token, '/api/designs/upload', form);
};
/** A trace of a new picture, without its upload: each has other settings, so none is found in the store. */
let traceCount = 0;
const traceOf =
  (designId: string): Call =>
  (node, token) => {
    const turn = traceCount++;
    const settings = { machineType: 'uv', despeckle: turn % 11, paletteSize: 16 + (Math.floor(turn / 11) % 240) };
    return send(node, token, '/api/designs/vectorize', { designId, settings });
  };
const exportText: Call = (node, token) => {
  const texts = [{ id: 'a', text: `word ${callCount}` }];
  const data = { machine: 'laser', productId: 'mug-11oz-white', texts };
  return send(node, token, '/api/designs/vectorize', {
    settings: { mode: 'vectorize' },
    composition: { version: 0, data },
  });
};

interface Client {
  readonly token: string;
  /** The picture that it traces again and again. */
  readonly designId: string;
}

/** Signs the administrator in, or a new account: each traces few pictures at a time. */
async function signIn(node: ServerNode, isNew = false): Promise<Client> {
  const account = isNew ? { email: `maker${callCount}@example.com`, password: 'walnut board' } : ADMIN;
  const reply = await send(node, '', isNew ? '/api/auth/signup' : '/api/auth/login', account);
  const { token } = reply as { token: string };
  const { id } = (await upload(node, token)) as { id: string };
  return { token, designId: id };
}

const spentMs = (nodes: readonly ServerNode[], { databaseMs }: NodesOfDatabase): CallCost => {
  const all = nodes.map((node) => node.processorMs());
  return {
    web: all.reduce((sum, { web }) => sum + web, 0),
    workers: all.reduce((sum, { workers }) => sum + workers, 0),
    database: databaseMs(),
  };
};
const sumOf = ({ web, workers, database }: CallCost): number => web + workers + database;

/** Lets clients make the same calls on some nodes. Returns the processor time of a turn, ms. */
async function costOfTurn(nodes: readonly ServerNode[], all: NodesOfDatabase): Promise<number> {
  const first = nodes[0]!;
  const clients: Client[] = [];
  for (let k = 0; k < CLIENTS; k++) clients.push(await signIn(first, true));
  const turnOf = async ({ token, designId }: Client, node: ServerNode) => {
    for (const act of [upload, list, products, save, traceOf(designId)]) await act(node, token);
  };
  await Promise.all(
    nodes.map(async (node, k) => {
      for (let turn = 0; turn < WARM_TURNS; turn++) await turnOf(clients[k]!, node);
    }),
  );
  const before = sumOf(spentMs(nodes, all));
  await Promise.all(
    clients.map(async (client, k) => {
      for (let turn = 0; turn < TURNS; turn++) await turnOf(client, nodes[(k + turn) % nodes.length]!);
    }),
  );
  return (sumOf(spentMs(nodes, all)) - before) / (CLIENTS * TURNS);
}

/** Measures each kind of call on one node, one call after another. */
async function measureCalls(all: NodesOfDatabase): Promise<CallKind[]> {
  const node = await all.start(environment);
  const { token, designId } = await signIn(node);
  const kinds: [name: string, act: Call, inVisit: number, objects: number][] = [
    ['list of designs', list, 4, 0],
    ['catalog', products, 2, 0],
    ['save and delete', save, 3, 0],
    ['upload', upload, 1, 3],
    ['trace', traceOf(designId), 3, 3],
    ['file of a text', exportText, 1, 2],
  ];
  const costs: CallKind[] = [];
  console.log('\nprocessor ms of a call     answers  workers  database   in a visit');
  for (const [name, act, inVisit, objects] of kinds) {
    for (let i = 0; i < MEASURED_CALLS / 2; i++) await act(node, token);
    const before = spentMs([node], all);
    for (let i = 0; i < MEASURED_CALLS; i++) await act(node, token);
    const after = spentMs([node], all);
    const each = (part: keyof CallCost) => (after[part] - before[part]) / MEASURED_CALLS;
    const cost = { web: each('web'), workers: each('workers'), database: each('database') };
    costs.push({ name, cost, inVisit, objects });
    const cells = [cost.web, cost.workers, cost.database].map((ms) => ms.toFixed(1).padStart(9)).join('');
    console.log(`${name.padEnd(25)}${cells}${String(inVisit).padStart(13)}`);
  }
  await all.end([node]);
  return costs;
}

function printForecasts(kinds: readonly CallKind[]): void {
  const { workers, databaseCores, databaseConnections, storeRequests } = SIMULATED;
  console.log(
    `\nsimulated: servers of ${workers + 1} cores, a database of ${databaseCores} cores and ${databaseConnections} ` +
      `connections, a store of ${storeRequests} requests/s`,
  );
  console.log('servers   visits/min  bound      answering  pictures  database     store   p95 plain  pictures');
  for (const nodes of SIZES) {
    const { bounds, limit, visitsAMinute, waits, settings } = forecast(kinds, { nodes, ...SIMULATED });
    const cells = [bounds.answering, bounds.pictures, bounds.database, bounds.store].map((n) =>
      n.toFixed(0).padStart(10),
    );
    console.log(
      `${String(nodes).padStart(7)}${visitsAMinute.toFixed(0).padStart(13)}  ${limit.padEnd(9)}${cells.join('')}` +
        `${waits.plain.toFixed(0).padStart(9)} ms${waits.pictures.toFixed(0).padStart(7)} ms   ${settings}`,
    );
  }
}

await withNodes(async (all) => {
  const costs: [one: number[], two: number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    for (const size of round % 2 === 0 ? [1, 2] : [2, 1]) {
      const nodes: ServerNode[] = [];
      for (let k = 0; k < size; k++) nodes.push(await all.start(environment));
      costs[size - 1]!.push(await costOfTurn(nodes, all));
      await all.end(nodes);
    }
  }
  const [one, two] = costs.map((list) => quantile(list, 0.5)) as [number, number];
  const ratio = one / two;
  const show = (list: readonly number[]) => list.map((ms) => ms.toFixed(0)).join(', ');
  console.log(`processor ms of a turn of five calls, ${CLIENTS} clients, ${ROUNDS} interleaved rounds`);
  console.log(`one server    ${one.toFixed(0)} ms  (${show(costs[0])})`);
  console.log(`two servers   ${two.toFixed(0)} ms  (${show(costs[1])})`);
  console.log(`work per processor second on two servers: ${ratio.toFixed(3)} of one   bar ${BAR}`);
  const kinds = await measureCalls(all);
  printForecasts(kinds);
  process.exitCode = ratio >= BAR ? 0 : 1;
});
