import { eq, sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOptions } from '../../test/server.ts';
import { users } from '../accounts/tables.ts';
import { companies, companyProducts } from '../companies/tables.ts';
import { orderEvents, orderLinks, orders, webhookDeliveries } from '../orders/tables.ts';
import { savedDesigns } from '../savedDesigns/tables.ts';
import { shops } from '../shops/tables.ts';
import type { Transaction } from './database.ts';
import { newId } from './ids.ts';
import { inCompany, inTenantScope, type TenantScope, withinTenantScope } from './tenancy.ts';

let testApp: TestApp | undefined;
const open = async (options?: TestOptions): Promise<TestApp> => {
  testApp = await createTestApp(options);
  return testApp;
};
afterEach(() => testApp?.close());

test('a company reads and writes only its own products, whatever a query forgets to filter', async () => {
  const app = await open();
  const { db } = app.context;
  const ours = await addCompany(app, 'ours@example.com');
  const theirs = await addCompany(app, 'theirs@example.com');
  for (const id of [ours, theirs]) await inCompany(db, id, (tx) => tx.insert(companyProducts).values(productOf(id)));

  await inCompany(db, ours, async (tx) => {
    expect((await tx.select().from(companyProducts)).map(({ companyId }) => companyId)).toEqual([ours]);
    expect(await tx.update(companyProducts).set({ name: 'Taken' }).returning()).toHaveLength(1);
    expect(await tx.delete(companyProducts).where(eq(companyProducts.companyId, theirs)).returning()).toEqual([]);
  });
  await expect(inCompany(db, ours, (tx) => tx.insert(companyProducts).values(productOf(theirs)))).rejects.toThrow();
  await expect(inCompany(db, ours, (tx) => tx.select().from(users))).rejects.toThrow();
  expect(await inCompany(db, '*', (tx) => tx.select().from(companyProducts))).toHaveLength(2);
  // The connection returns to the pool without a scope.
  expect((await db.select().from(users)).length).toBeGreaterThan(0);
});

test('hand-written SQL reads no more, in parallel and after a failure', async () => {
  const app = await open();
  const { db } = app.context;
  const ids = await Promise.all(['left@example.com', 'right@example.com'].map((email) => addCompany(app, email)));
  for (const [index, id] of ids.entries()) {
    const rows = Array.from({ length: 3 + index }, (_, i) => ({ ...productOf(id), name: `Mug ${i}` }));
    await inCompany(db, id, (tx) => tx.insert(companyProducts).values(rows));
  }
  const queries = [
    sql`select company_id from company_products`,
    sql`select company_id from company_products where true or company_id <> ''`,
    sql`select p.company_id from companies c join company_products p on p.company_id = c.id`,
    sql`with all_of_it as (select * from company_products) select company_id from all_of_it union all select null where false`,
    sql`update company_products set name = name || '!' returning company_id`,
  ];
  // More queries at once than there are connections, so that both companies use each.
  await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      const id = ids[i % 2]!;
      const { rows } = await inCompany(db, id, (tx) => tx.execute(queries[i % queries.length]!));
      expect(rows).toEqual(Array(3 + (i % 2)).fill({ company_id: id }));
    }),
  );
  await expect(inCompany(db, ids[0]!, (tx) => tx.execute(sql`select 1 / 0 from company_products`))).rejects.toThrow();
  // A row cannot be moved to another company, nor overwritten by its key.
  const [theirs] = await inCompany(db, ids[1]!, (tx) => tx.select().from(companyProducts).limit(1));
  await expect(
    inCompany(db, ids[0]!, (tx) => tx.update(companyProducts).set({ companyId: ids[1]! })),
  ).rejects.toThrow();
  await expect(
    inCompany(db, ids[0]!, (tx) =>
      tx
        .insert(companyProducts)
        .values(theirs!)
        .onConflictDoUpdate({ target: [companyProducts.companyId, companyProducts.id], set: { name: 'Taken' } }),
    ),
  ).rejects.toThrow();
  const rowsAfter = await inCompany(db, '*', (tx) => tx.select().from(companyProducts));
  expect(ids.map((id) => rowsAfter.filter(({ companyId }) => companyId === id).length)).toEqual([3, 4]);
});

test('deleting the owner of a company deletes the company and its products', async () => {
  const app = await open();
  const { db } = app.context;
  const company = await addCompany(app, 'gone@example.com');
  await inCompany(db, company, (tx) => tx.insert(companyProducts).values(productOf(company)));
  await db.delete(users).where(eq(users.email, 'gone@example.com'));
  expect(await inCompany(db, '*', (tx) => tx.select().from(companyProducts))).toEqual([]);
});

test('no table with a company is readable outside a tenant scope, not even by the tables’ owner', async () => {
  const app = await open();
  const { rows } = await app.context.db.execute(sql`
    select c.relname as table, c.relrowsecurity and c.relforcerowsecurity as bound
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' and (c.relname = 'order_events' or exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped))
    order by 1`);
  const names = [
    ...[
      'company_fonts',
      'company_ink_profiles',
      'company_lasers',
      'company_products',
      'company_tone_curves',
      'order_events',
      'orders',
      'saved_designs',
      'shops',
    ],
    'webhook_deliveries',
  ];
  expect(rows).toEqual(names.map((table) => ({ table, bound: true })));
});

test('a shop’s products and orders are its own, whatever a query forgets to filter', async () => {
  const app = await open();
  const [ours, theirs] = [await openShop(app, 'ours@example.com'), await openShop(app, 'theirs@example.com')];
  const tables = { shops, orders, orderEvents, savedDesigns, webhookDeliveries };
  const { db } = app.context;
  /** Returns the companies whose rows a tenant scope shows, by table. */
  const readScope = (scope: TenantScope) =>
    inTenantScope(db, scope, async (tx) => {
      const companiesByTable: Record<string, string[]> = {};
      for (const [name, table] of Object.entries(tables)) {
        const { rows } = await tx.execute<Record<string, string>>(sql`select * from ${table}`);
        companiesByTable[name] = rows
          .map((row) => row.company_id ?? (row.order_id === ours.order ? ours.id : theirs.id))
          .sort();
      }
      return companiesByTable;
    });
  const every = (ids: string[]) => Object.fromEntries(Object.keys(tables).map((name) => [name, ids.toSorted()]));
  const nothing = every([]);

  expect(await readScope({ company: ours.id })).toEqual(every([ours.id]));
  expect(await readScope({ company: '*' })).toEqual(every([ours.id, theirs.id]));
  for (const forgedScope of [
    {},
    { company: '' },
    { company: 'null' },
    { company: `${ours.id}' or true --` },
    { maker: -1 },
  ]) {
    expect(await readScope(forgedScope)).toEqual(nothing);
  }
  // The maker of an order sees that order and its design; a capability opens only its own row.
  const order = { orders: [theirs.id], orderEvents: [theirs.id], savedDesigns: [theirs.id] };
  expect(await readScope({ maker: theirs.maker })).toEqual({ ...nothing, ...order });
  expect(await readScope({ capability: theirs.order })).toEqual({ ...nothing, ...order });
  expect(await readScope({ capability: theirs.key })).toEqual({ ...nothing, shops: [theirs.id] });
  expect(await readScope({ capability: theirs.design })).toEqual({ ...nothing, savedDesigns: [theirs.id] });

  // A missing condition changes at most one's own rows, and moves none.
  await inCompany(db, ours.id, async (tx) => {
    expect(await tx.update(shops).set({ checkout: true }).returning()).toHaveLength(1);
    expect(await tx.update(orders).set({ proofWords: 'Ours' }).returning()).toHaveLength(1);
    expect(await tx.update(webhookDeliveries).set({ attempts: 9 }).returning()).toHaveLength(1);
    expect(await tx.delete(webhookDeliveries).returning()).toHaveLength(1);
  });
  for (const capability of [theirs.key, theirs.design]) {
    await inTenantScope(db, { capability }, async (tx) => {
      expect(await tx.update(shops).set({ checkout: true }).returning()).toEqual([]);
      expect(await tx.update(savedDesigns).set({ orderedAt: new Date() }).returning()).toEqual([]);
      expect(await tx.delete(savedDesigns).returning()).toEqual([]);
    });
  }
  const forbidden: ((tx: Transaction) => Promise<unknown>)[] = [
    (tx) => tx.update(orders).set({ companyId: theirs.id }),
    (tx) => tx.insert(orderEvents).values({ orderId: theirs.order, kind: 'approved', actor: 'customer' }),
    (tx) => tx.insert(webhookDeliveries).values({ id: newId(), companyId: theirs.id, event: 'x', body: '{}' }),
    (tx) => tx.insert(savedDesigns).values(designOf(null)),
    (tx) => tx.select().from(orderLinks),
    (tx) => tx.select().from(users),
  ];
  for (const attempt of forbidden) await expect(inCompany(db, ours.id, attempt)).rejects.toThrow();

  // The other company's rows are unchanged, and outside of any tenant scope there are no rows at all.
  const [row] = await app.seeAll.select().from(orders).where(eq(orders.companyId, theirs.id));
  expect(row!.proofWords).toBe('');
  for (const table of Object.values(tables)) expect((await db.execute(sql`select from ${table}`)).rows).toEqual([]);
  // A tenant scope within a transaction ends where its work ends.
  await db.transaction(async (tx) => {
    expect(await withinTenantScope(tx, { company: ours.id }, () => tx.select().from(orders))).toHaveLength(1);
    expect(await tx.select().from(orders)).toEqual([]);
    expect((await tx.select().from(users)).length).toBeGreaterThan(0);
  });
});

/** Creates a shop with an order that was routed to a maker, and a webhook delivery about it. */
async function openShop(app: TestApp, email: string) {
  const id = await addCompany(app, email);
  const [account] = await app.seeAll
    .insert(users)
    .values({ email: `maker.${email}`, username: 'maker', passwordHash: '-' })
    .returning();
  const [maker, key, order] = [account!.id, newId(), newId()];
  const design = designOf(id);
  await app.seeAll.insert(shops).values({ companyId: id, key });
  await app.seeAll.insert(savedDesigns).values(design);
  await app.seeAll.insert(orders).values({
    ...{ id: order, number: newId().slice(0, 9), companyId: id, key: newId(), savedDesignId: design.id, quantity: 1 },
    ...{
      made: {} as never,
      currency: 'USD',
      contact: {} as never,
      routing: 'maker',
      payer: 'shop',
      makerUserId: maker,
    },
  });
  await app.seeAll.insert(orderEvents).values({ orderId: order, kind: 'created', actor: 'customer' });
  await app.seeAll
    .insert(webhookDeliveries)
    .values({ id: newId(), companyId: id, orderId: order, event: 'order.created', body: '{}' });
  return { id, maker, key, order, design: design.id };
}

const designOf = (companyId: string | null) => ({
  ...{ id: newId(), companyId, composition: {} as never, product: {} as never, line: {} as never, pictureKey: '-' },
});

async function addCompany({ seeAll: db }: TestApp, email: string): Promise<string> {
  const [user] = await db.insert(users).values({ email, username: email, passwordHash: '-' }).returning();
  const id = newId();
  await db.insert(companies).values({ id, userId: user!.id });
  return id;
}

const productOf = (companyId: string) => ({
  companyId,
  id: newId(),
  name: 'Mug',
  category: 'Mugs',
  printArea: { x: 0, y: 0, width: 1, height: 1 },
  pictureAspect: 1,
  material: 'ceramic',
  markColor: '#000000',
  machines: [],
  pictureKey: 'companies/x/y.png',
  sizeBytes: 1,
});
