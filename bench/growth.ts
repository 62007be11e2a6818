/**
 * Times lists and counts at the built server over a large database, which is filled by SQL: products, accounts,
 * designs, usage, orders of one shop, of one maker and of others. Prints the median and the longest time of each call
 * and the size of its answer, and the longest time of `/api/health` while ten calls of it run at a time. `--share .1`
 * fills a tenth, `--only products` times the calls with that word in their path.
 * Run: npx tsx bench/growth.ts [--share 1] [--products 100000] [--only products]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { reachEmbeddedPostgres } from '../apps/server/src/platform/embeddedPostgres.ts';
import { findFastFolder } from '../scripts/fastFolder.ts';
import { quantile, withBuiltServer } from './builtStudio.ts';

const { values } = parseArgs({
  options: {
    share: { type: 'string', default: '1' },
    products: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const share = Number(values.share);
const ROWS = {
  products: Number(values.products ?? Math.round(100_000 * share)),
  users: Math.round(200_000 * share),
  companies: Math.round(20_000 * share),
  designs: Math.round(1_000_000 * share),
  usage: Math.round(1_000_000 * share),
  orders: Math.round(100_000 * share),
};
/** Of the shop and of the maker whose lists are read, in percent of all orders. */
const [SHOP_PERCENT, MAKER_PERCENT] = [20, 10];
const ROUNDS = 15;
const AT_A_TIME = 10;
const BAR = { ms: 300, healthMs: 100, kilobytes: 200 };
const ADMIN = { email: 'admin@example.com', password: 'a workshop key' };

const dataDir = await mkdtemp(join(findFastFolder(), 'markwright-growth-'));
let missCount = 0;
try {
  await withBuiltServer(measure, { DATA_DIR: dataDir, ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password });
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
console.log(`${missCount === 0 ? 'bars met' : `${missCount} BARS MISSED`}: ${JSON.stringify(BAR)}`);
process.exitCode = missCount === 0 ? 0 : 1;

async function measure(url: string): Promise<void> {
  const admin = await signIn(url, 'login', ADMIN);
  const shop = await signIn(url, 'signup', { email: 'shop@example.com', password: 'walnut-board' });
  const maker = await signIn(url, 'signup', { email: 'maker@example.com', password: 'walnut-board' });
  // Its first settings create the company.
  await read(url, '/api/company/shop', shop.token);
  const startTime = performance.now();
  await fill(shop.id, maker.id);
  const counts = Object.entries(ROWS).map(([name, count]) => `${count} ${name}`);
  console.log(`${counts.join(', ')}, in ${((performance.now() - startTime) / 1000).toFixed(0)} s\n`);

  console.log('call                                      of        median   longest       kB   health beside ten');
  const first = await read(url, '/api/orders', shop.token);
  const next = encodeURIComponent((first.body as { next: string }).next);
  const calls: readonly TimedCall[] = [
    ['/api/orders', 'shop', shop.token],
    [`/api/orders?before=${next}`, 'shop', shop.token],
    ['/api/orders?status=declined', 'shop', shop.token],
    ['/api/orders?role=shop', 'shop', shop.token],
    ['/api/orders/count', 'shop', shop.token],
    ['/api/orders', 'maker', maker.token],
    ['/api/orders?role=maker', 'maker', maker.token],
    ['/api/orders/count', 'maker', maker.token],
    ['/api/designs', 'shop', shop.token],
    ['/api/compositions', 'shop', shop.token],
    ...(await productCalls(url, shop.token, admin.token)),
    ['/api/admin/overview', 'admin', admin.token],
    ['/api/admin/users', 'admin', admin.token],
    ['/api/admin/users?email=user77', 'admin', admin.token],
    ['/api/admin/audit', 'admin', admin.token],
    ['/api/admin/security-events', 'admin', admin.token],
    ['/api/admin/storage', 'admin', admin.token],
  ];
  for (const [path, who, token] of calls) if (path.includes(values.only)) await printCall(url, path, who, token);
}

type TimedCall = readonly [path: string, who: string, token: string];

/** Lists of products: the first page, one from the middle, a search with many hits, with few and with none. */
async function productCalls(url: string, shopToken: string, adminToken: string): Promise<TimedCall[]> {
  const { key } = (await read(url, '/api/company/shop', shopToken)).body as { key: string };
  const middle = `b${Math.round(ROWS.products / 2)}`;
  const queries = [
    '',
    `?after=${middle}`,
    '?search=ca',
    '?search=walnut%20board%2077',
    '?search=xyzzy',
    `?ids=${middle}`,
  ];
  return [
    ...queries.map((query): TimedCall => [`/api/products${query}`, 'guest', shopToken]),
    ['/api/company/base-products', 'shop', shopToken],
    ['/api/company/base-products?search=walnut', 'shop', shopToken],
    ['/api/company/products', 'shop', shopToken],
    [`/api/widget/products?shop=${key}`, 'widget', shopToken],
    [`/api/widget/products?search=walnut&shop=${key}`, 'widget', shopToken],
    ['/api/admin/products', 'admin', adminToken],
    ['/api/admin/products?search=walnut', 'admin', adminToken],
    ['/api/base-categories', 'guest', shopToken],
    ['/api/admin/categories', 'admin', adminToken],
  ];
}

async function printCall(url: string, path: string, who: string, token: string): Promise<void> {
  const times: number[] = [];
  let kilobytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { size, ms } = await read(url, path, token);
    times.push(ms);
    kilobytes = size / 1000;
  }
  const healthMs = await healthBesideTen(url, path, token);
  const [median, longest] = [quantile(times, 0.5), Math.max(...times)];
  const isMet = median <= BAR.ms && kilobytes <= BAR.kilobytes && healthMs <= BAR.healthMs;
  if (!isMet) missCount++;
  console.log(
    `${path.replace(/(before|shop)=[^&]*/, '$1=…').padEnd(42)}${who.padEnd(8)}${median.toFixed(0).padStart(5)} ms` +
      `${longest.toFixed(0).padStart(7)} ms${kilobytes.toFixed(0).padStart(9)}${healthMs.toFixed(0).padStart(14)} ms` +
      `${isMet ? '' : '   missed'}`,
  );
}

/** Returns the longest time of `/api/health` while ten calls of a path run at a time. */
async function healthBesideTen(url: string, path: string, token: string): Promise<number> {
  let isOver = false;
  const calls = Promise.all(Array.from({ length: AT_A_TIME }, () => read(url, path, token))).finally(() => {
    isOver = true;
  });
  let longest = 0;
  while (!isOver) {
    const startTime = performance.now();
    await (await fetch(`${url}/api/health`)).arrayBuffer();
    longest = Math.max(longest, performance.now() - startTime);
  }
  await calls;
  return longest;
}

/** Reads a list. One computer that reads all of them in a minute meets the limit of calls: it waits, and goes on. */
async function read(url: string, path: string, token: string): Promise<{ body: unknown; size: number; ms: number }> {
  const startTime = performance.now();
  const reply = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const text = await reply.text();
  const ms = performance.now() - startTime;
  if (reply.status === 429) {
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(reply.headers.get('retry-after') ?? 5)));
    return read(url, path, token);
  }
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${text.slice(0, 200)}`);
  return { body: JSON.parse(text), size: Buffer.byteLength(text), ms };
}

async function signIn(url: string, call: 'login' | 'signup', account: { email: string; password: string }) {
  const reply = await fetch(`${url}/api/auth/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  const { token } = (await reply.json()) as { token: string };
  const { body } = await read(url, '/api/auth/me', token);
  return { token, id: (body as { id: number }).id };
}

async function fill(shopOwnerId: number, makerId: number): Promise<void> {
  const { connection, stop } = reachEmbeddedPostgres(dataDir);
  // The owner of the tables, whom row-level security does not bind.
  const client = new pg.Client({ ...connection, user: connection.database });
  await client.connect();
  try {
    for (const statement of statements(shopOwnerId, makerId)) await client.query(statement);
  } finally {
    await client.end();
    await stop();
  }
}

/** Returns the statements that fill the tables. Other accounts and orders are spread evenly. */
function statements(shopOwnerId: number, makerId: number): string[] {
  const composition = `'{"version":3,"machine":"laser","elements":[]}'`;
  const product = `'{"productId":"slate","name":"Slate","picture":null}'`;
  const thing = `'{"productName":"Slate Coaster","machine":"laser","widthMm":80,"heightMm":80}'`;
  const contact = `'{"name":"Ada","email":"ada@example.com","phone":"","address":"","note":""}'`;
  const company = `case when n % 100 < ${SHOP_PERCENT} then (select id from companies where user_id = ${shopOwnerId})
    else 'c' || (n * 7919 % ${ROWS.companies}) end`;
  const maker = `case when n % 100 >= ${100 - MAKER_PERCENT} then ${makerId} end`;
  const status = `(array['new','accepted','made','sent','sent','sent','sent','sent'])[1 + n % 8]`;
  const ago = (step: string) => `now() - n * interval '${step}'`;
  return [
    `insert into categories (id, name) select 'k' || n, 'Category ' || n from generate_series(0, 199) n`,
    `insert into products (id, product_id, name, category, sub_category, print_area, picture_aspect, material, mark_color,
        machines, dimensions)
      select 'b' || n, 'base-' || n,
        (array['Slate','Walnut','Maple','Brass','Canvas'])[1 + n % 5] || ' '
          || (array['Coaster','Board','Key Tag','Tumbler'])[1 + n % 4] || ' ' || n,
        'Category ' || n % 200, 'Shelf ' || n % 7, '{"x":0.1,"y":0.1,"width":0.8,"height":0.8}', 1,
        (array['slate','wood','wood','brass','cotton'])[1 + n % 5], '#222222', array['laser','uv'], '4x4'
      from generate_series(0, ${ROWS.products - 1}) n`,
    `insert into users (id, email, password_hash, username, created_at)
      select 1000000 + n, 'user' || n || '@example.com', 'x', 'user' || n, ${ago('90 seconds')}
      from generate_series(0, ${ROWS.users - 1}) n`,
    `insert into companies (id, user_id) select 'c' || n, 1000000 + n from generate_series(0, ${ROWS.companies - 1}) n`,
    `insert into saved_designs (id, company_id, composition, product, line, picture_key, ordered_at)
      select 's' || n, ${company}, ${composition}, ${product}, '{}', 'p', now()
      from generate_series(0, ${ROWS.orders - 1}) n`,
    `insert into orders (id, number, company_id, key, saved_design_id, made, quantity, currency, contact, routing,
        payer, maker_user_id, status, created_at)
      select 'o' || n, 'N' || n, ${company}, 'k' || n, 's' || n, ${thing}, 1, 'USD', ${contact}, 'own', 'shop',
        ${maker}, ${status}, ${ago('3 minutes')}
      from generate_series(0, ${ROWS.orders - 1}) n`,
    `insert into designs (id, user_id, filename, media_type, width, height, size_bytes, original_key, created_at)
      select 'd' || n, case when n % 200 = 0 then ${shopOwnerId} else 1000000 + n % ${ROWS.users} end, 'logo.png',
        'image/png', 800, 600, 40000, 'designs/' || n, ${ago('20 seconds')}
      from generate_series(0, ${ROWS.designs - 1}) n`,
    `insert into usage (id, owner, kind, period, key, state, holders, lease_until, created_at)
      select 'u' || n, 'user:' || (1000000 + n % ${ROWS.users}), (array['vector','mockup'])[1 + n % 2],
        date_trunc('month', ${ago('40 seconds')}), 'k' || n, 'settled', 0, now(), ${ago('40 seconds')}
      from generate_series(0, ${ROWS.usage - 1}) n`,
    `insert into audit_trail (id, user_id, email, address, action, subject, created_at)
      select 'a' || n, 1, 'admin@example.com', '10.0.0.1', 'category.rename', 'Mugs', ${ago('5 minutes')}
      from generate_series(0, ${Math.round(ROWS.users / 2)}) n`,
    'analyze',
  ];
}
