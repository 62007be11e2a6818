import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { newId } from './ids.ts';
import { companies, companyProducts, users } from './schema.ts';
import { inCompany } from './tenancy.ts';

test('a company sees and writes its own products, whatever a query forgets to ask', async () => {
  const app = await createTestApp();
  const { db } = app.deps;
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
  // The connection goes back to the pool as it came.
  expect((await db.select().from(users)).length).toBeGreaterThan(0);
});

test('text put together by hand sees no more, side by side and after a failure', async () => {
  const app = await createTestApp();
  const { db } = app.deps;
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
  // More at once than there are connections, so that each is used by both.
  await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      const id = ids[i % 2]!;
      const { rows } = await inCompany(db, id, (tx) => tx.execute(queries[i % queries.length]!));
      expect(rows).toEqual(Array(3 + (i % 2)).fill({ company_id: id }));
    }),
  );
  await expect(inCompany(db, ids[0]!, (tx) => tx.execute(sql`select 1 / 0 from company_products`))).rejects.toThrow();
  // A row cannot be moved to another company, nor taken over by its key.
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
  const kept = await inCompany(db, '*', (tx) => tx.select().from(companyProducts));
  expect(ids.map((id) => kept.filter(({ companyId }) => companyId === id).length)).toEqual([3, 4]);
});

test('the owner of a company goes with the company and its products', async () => {
  const app = await createTestApp();
  const { db } = app.deps;
  const company = await addCompany(app, 'gone@example.com');
  await inCompany(db, company, (tx) => tx.insert(companyProducts).values(productOf(company)));
  await db.delete(users).where(eq(users.email, 'gone@example.com'));
  expect(await inCompany(db, '*', (tx) => tx.select().from(companyProducts))).toEqual([]);
});

async function addCompany({ deps: { db } }: TestApp, email: string): Promise<string> {
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
