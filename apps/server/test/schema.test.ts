import { readdir, readFile } from 'node:fs/promises';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { expect, test } from 'vitest';

const src = new URL('../src/', import.meta.url);
const drizzle = new URL('../drizzle/meta/', import.meta.url);

/** Reads every table that the areas declare, each in its own `tables.ts`. */
async function readTables(): Promise<Record<string, unknown>> {
  const files = (await readdir(src, { recursive: true })).filter((path) => path.endsWith('/tables.ts'));
  const modules = await Promise.all(files.map((path) => import(new URL(path, src).href)));
  return Object.assign({}, ...modules);
}

test('the tables in code equal those of the migrations: no new migration would be generated', async () => {
  const snapshots = (await readdir(drizzle)).filter((name) => name.endsWith('_snapshot.json')).sort();
  const migratedSchema = JSON.parse(await readFile(new URL(snapshots.at(-1)!, drizzle), 'utf8'));
  const declaredSchema = generateDrizzleJson(await readTables(), migratedSchema.id);
  expect(Object.keys(declaredSchema.tables).length).toBeGreaterThan(30);
  expect(await generateMigration(migratedSchema, declaredSchema)).toEqual([]);
});
