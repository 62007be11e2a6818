import { eq } from 'drizzle-orm';
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
