/** Requirements of OWASP ASVS 5 that no other test is about: see `docs/asvs.md`. */
import { readdirSync, readFileSync } from 'node:fs';
import { request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedCatalogue } from '../src/catalogue/products.ts';
import { createTestApp, type TestApp } from './server.ts';

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
  await seedCatalogue(server.context);
  await server.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());

test('TRACE is refused, and repeats nothing of the request', async () => {
  const { port } = server.app.server.address() as AddressInfo;
  const { status, text } = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const headers = { authorization: 'Bearer of-the-caller' };
    sendRequest({ port, host: '127.0.0.1', method: 'TRACE', path: '/api/products', headers, agent: false })
      .on('error', reject)
      .on('response', async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() });
      })
      .end();
  });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(text).not.toContain('of-the-caller');
});

test.each([
  '/.git/config',
  '/.git/HEAD',
  '/.svn/entries',
  '/.env',
  '/package.json',
  '/src/main.ts',
  '/assets/',
  '/assets',
  '/fonts/',
  '/products/',
  '/files/',
  '/data/secret',
])('%s is no address of the site', async (url) => {
  const { statusCode, payload } = await server.app.inject({ url });
  expect(statusCode).toBe(404);
  expect(payload).not.toMatch(/Index of|\[core\]|"name": "markwright"|<a href=/);
});

test.each([
  '{"feedback":"x","__proto__":{"isAdmin":true}}',
  '{"feedback":"x","constructor":{"prototype":{"isAdmin":true}}}',
])('a body with %s is refused and changes no prototype', async (payload) => {
  const headers = { 'content-type': 'application/json' };
  const { statusCode } = await server.app.inject({ method: 'POST', url: '/api/send-feedback', payload, headers });
  expect(statusCode).toBe(400);
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});

test('a repeated query parameter is refused', async () => {
  const { headers } = { headers: await server.signUp() };
  const once = await server.app.inject({ url: '/api/compositions?search=fox', headers });
  const twice = await server.app.inject({ url: '/api/compositions?search=fox&search=hare', headers });
  expect([once.statusCode, twice.statusCode]).toEqual([200, 400]);
});

test('text replies name their type and charset', async () => {
  for (const [url, type] of [
    ['/api/products', 'application/json; charset=utf-8'],
    ['/api/base-categories', 'application/json; charset=utf-8'],
    ['/api/none', 'application/json; charset=utf-8'],
    ['/api/health', 'application/json; charset=utf-8'],
    ['/api/openapi.json', 'application/json; charset=utf-8'],
    ['/products/mug-11oz-white.svg', 'image/svg+xml'],
  ] as const) {
    const { headers } = await server.app.inject({ url });
    expect(headers['content-type'], url).toContain(type);
    expect(headers['content-type'], url).toMatch(/charset=utf-8/i);
  }
});

test('a password of 64 characters of any kind is taken, and only exactly that one signs in', async () => {
  const password = 'Ein langer Satz 🦊 mit "allem", was <auf> einer\tTastatur & daneben '.padEnd(64, '·');
  expect(password.length).toBeGreaterThanOrEqual(64);
  const email = 'long-password@example.com';
  const post = (path: string, candidate: string) =>
    server.app.inject({ method: 'POST', url: path, payload: { email, password: candidate } });
  expect((await post('/api/auth/signup', password)).statusCode).toBe(200);
  expect((await post('/api/auth/login', password)).statusCode).toBe(200);
  for (const wrong of [password.trim(), password.toLowerCase(), password.slice(0, 63), `${password} `]) {
    if (wrong !== password) expect((await post('/api/auth/login', wrong)).statusCode, wrong).toBe(401);
  }
});

test('every table has a class and a time in docs/data.md', async () => {
  const page = readFileSync(new URL('../../../docs/data.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  for (const row of rows) expect(row).toMatch(/^\| `.*` \| .*(Secret|Personal|Work|Public).* \| .+ \|$/);
  const rowNames = rows.flatMap((row) => (row.split('|')[1] ?? '').match(/\w+/g) ?? []);
  const tables = await server.context.db.execute(sql`select tablename from pg_tables where schemaname = 'public'`);
  expect(rowNames.sort()).toEqual(tables.rows.map(({ tablename }) => tablename).sort());
});

test('no regular expression is built at run time', () => {
  const root = new URL('../../../', import.meta.url);
  for (const folder of ['apps/', 'packages/']) {
    const paths = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' });
    const sources = paths.filter((path) => /^[^/]+\/src\/.*\.tsx?$/.test(path) && !/\.test\.|node_modules/.test(path));
    expect(sources.length).toBeGreaterThan(100);
    const builders = sources.filter((path) => /\bRegExp\(/.test(readFileSync(new URL(folder + path, root), 'utf8')));
    expect(builders).toEqual([]);
  }
});
