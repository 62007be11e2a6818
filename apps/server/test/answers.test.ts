/**
 * What every answer keeps to itself. T20: no other site may read one. T33: no cache may keep a private one. T29: one
 * that fails tells a person what to do, and nothing of how the server is made or what it knows.
 */
import { type Call, calls } from '@markwright/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureAdmin } from '../src/accounts/accounts.ts';
import { ConfigError, readConfig } from '../src/config.ts';
import { sendMails } from '../src/mail/sending.ts';
import { createSmtp } from '../src/mail/smtp.ts';
import { mails } from '../src/mail/tables.ts';
import { createTestApp, type TestApp } from './server.ts';
import { startSmtpPeer } from './smtpPeer.ts';

const everyCall: Call[] = Object.values(calls).flatMap((group) => Object.values(group) as Call[]);
const named = everyCall.map((call) => [call.method, call.path, call] as const);
const plain = [
  ['GET', '/api/health'],
  ['GET', '/api/ready'],
  ['GET', '/api/openapi.json'],
  ['GET', '/api/login'],
  ['POST', '/api/stripe/webhook'],
  ['GET', '/api/no-such-call'],
  ['GET', '/files/designs/nothing/original.png'],
] as const;
/** The same for everybody, so that a cache may keep it and ask whether it changed. */
const publicPaths = ['/api/products', '/api/base-categories'];
const urlOf = (path: string) => path.replace(/:\w+/g, 'nothing');

const origins = [
  'https://evil.example',
  'http://evil.example:80',
  'null',
  'http://studio.test.evil.example',
  'http://localhost',
  'http://127.0.0.1:3000',
  'file://',
  'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
];

let server: TestApp;
let user: Record<string, string>;
beforeAll(async () => {
  server = await createTestApp();
  user = await server.signUp();
});
afterAll(() => server.close());

type Answer = { headers: Record<string, unknown>; statusCode: number; body: string };
const sharedWith = ({ headers }: Answer) => Object.keys(headers).filter((name) => name.startsWith('access-control'));

describe('T20: another site reads nothing', () => {
  const paths = [...new Set([...everyCall.map(({ path }) => path), ...plain.map(([, path]) => path)])];
  test.each(paths)('%s', async (path) => {
    const methods = everyCall.filter((call) => call.path === path).map(({ method }) => method);
    for (const origin of origins) {
      for (const method of ['GET', 'HEAD', 'OPTIONS', ...methods] as const) {
        if (path.endsWith('/logout') && method === 'POST') continue;
        const asked = { origin, cookie: 'guest=x', 'access-control-request-method': 'POST' };
        for (const headers of [asked, { ...asked, ...user }]) {
          const answer = await server.app.inject({ method, url: urlOf(path), headers });
          expect(sharedWith(answer), `${method} from ${origin}`).toEqual([]);
        }
      }
    }
  });
});

describe('T33: no cache keeps what is private', () => {
  test.each(named)('%s %s', async (method, path, call) => {
    const callers = path.endsWith('/logout') ? [{}] : [{}, user, { authorization: 'Bearer ended' }];
    for (const headers of callers) {
      const { statusCode, headers: told } = await server.app.inject({ method, url: urlOf(path), headers });
      const isPublic = publicPaths.includes(path) && statusCode === 200;
      expect(told['cache-control'], `${statusCode}`).toBe(isPublic ? 'public, no-cache' : 'private, no-store');
      expect(isPublic && call.access !== 'anyone').toBe(false);
    }
  });

  test.each(plain)('%s %s is kept by nobody else either', async (method, path) => {
    const { headers } = await server.app.inject({ method, url: path });
    expect(headers['cache-control'] ?? '').not.toMatch(/public|s-maxage/);
  });
});

describe('T29: a call that fails', () => {
  const lines: string[] = [];
  let broken: TestApp;
  beforeAll(async () => {
    broken = await createTestApp({ logTo: { write: (line) => void lines.push(line) } });
    // Every statement fails now, with names, places and values in its message.
    await broken.context.db.execute(sql`alter schema public rename to hidden_from_everybody`);
  });
  afterAll(() => broken.close());

  /** What a stack, a statement or a driver would show. */
  const inside =
    /\bat \S+[:(]|node_modules|\.ts\b|\.js\b|select |insert |update |delete from|relation|drizzle|pg_|params|Error:/i;

  test.each(named)('%s %s says so in a sentence and a number', async (method, path, call) => {
    let failed = 0;
    for (const headers of [{}, { authorization: 'Bearer a-token-planted-here' }]) {
      const payload = method === 'GET' ? {} : { payload: bodyOf(call) };
      const answer = await broken.app.inject({ method, url: urlOf(path), headers, ...payload });
      if (answer.statusCode < 400) continue; // it needs no database
      const told = answer.json<Record<string, unknown>>();
      expect(Object.keys(told).sort()).toEqual(['message', 'requestId']);
      expect(told.message).toMatch(/^[A-Z“][^\n]*[.?!]$|^[A-Z][\w ,']+$/);
      expect(answer.body).not.toMatch(inside);
      if (answer.statusCode === 500) failed++;
    }
    if (call.access !== 'anyone') expect(failed).toBe(1);
  });

  test('is written down for the operator, without what was sent', () => {
    const log = lines.join('');
    expect(log).toContain('a call failed');
    expect(log).toContain('does not exist');
    expect(log).not.toContain('a-token-planted-here');
    expect(log).not.toContain('planted-password');
    expect(log).not.toContain('planted.person@example.com');
  });

  /** Enough for most calls to be let in to their work. */
  function bodyOf({ path }: Call): object {
    const email = 'planted.person@example.com';
    const password = 'planted-password';
    const texts = { name: 'Ann', email, feedback: 'Fine', token: 'planted-token', planId: 'pro', sessionId: 'x' };
    const change = { currentPassword: password, newPassword: password, change: 'cancel', outcome: 'cancel' };
    return { ...texts, ...change, password, designId: path };
  }
});

describe('T29: the settings’ secrets', () => {
  const PASSWORD = 'planted/smtp:password';

  test('a mail server’s password is in no line of the log, in no mail and in no answer', async () => {
    const login = { user: 'studio', password: 'another' };
    const peer = await startSmtpPeer({ login });
    const url = `smtp://studio:${encodeURIComponent(PASSWORD)}@127.0.0.1:${peer.port}`;
    const mail = await createSmtp({ url, from: 'Markwright <no-reply@studio.test>', origin: 'http://studio.test' });
    const lines: string[] = [];
    const shop = await createTestApp({
      mail,
      environment: { SMTP_URL: url, ADMIN_PASSWORD: 'the-workshop-key' },
      logTo: { write: (line) => void lines.push(line) },
    });
    try {
      await ensureAdmin(shop.context);
      await shop.signUp();
      await sendMails(shop.context); // the password is wrong
      await peer.goDown();
      shop.setNow(new Date(Date.now() + 3_600_000));
      await sendMails(shop.context); // nobody is there
      const payload = { email: shop.context.config.adminEmail, password: 'the-workshop-key' };
      const { token } = (await shop.app.inject({ method: 'POST', url: '/api/auth/login', payload })).json();
      const headers = { authorization: `Bearer ${token}` };
      const answers = [];
      for (const path of ['/api/admin/mails', '/api/site', '/api/ready', '/api/openapi.json', '/api/users/export']) {
        answers.push((await shop.app.inject({ url: path, headers })).body);
      }
      const kept = await shop.context.db.select().from(mails);
      expect(kept).toMatchObject([{ state: 'queued', attempts: 2, lastError: expect.stringMatching(/./) }]);
      expect(lines.join('')).toContain('a mail was not taken');
      for (const secret of [
        PASSWORD,
        encodeURIComponent(PASSWORD),
        Buffer.from(`\0studio\0${PASSWORD}`).toString('base64'),
      ]) {
        for (const text of [...lines, ...answers, JSON.stringify(kept)]) expect(text).not.toContain(secret);
      }
    } finally {
      await shop.close();
      mail.close();
      await peer.close();
    }
  });

  test.each<Record<string, string>>([
    { SMTP_URL: 'http://studio:planted-secret@mail.example.com' },
    { SMTP_URL: 'planted-secret' },
    { DATABASE_URL: 'mysql://studio:planted-secret@db.example.com' },
    { STRIPE_SECRET_KEY: 'planted-secret', STRIPE_WEBHOOK_SECRET: 'whsec_1' },
    { STRIPE_SECRET_KEY: 'sk_test_planted-secret', STRIPE_WEBHOOK_SECRET: 'whsec_1' },
    { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'planted-secret' },
    { STRIPE_SECRET_KEY: 'sk_test_planted_secret' },
    { STRIPE_WEBHOOK_SECRET: 'whsec_planted_secret' },
    { ADMIN_PASSWORD: 'planted-secret'.repeat(20) },
  ])('%j is refused without being repeated', (environment) => {
    let told = '';
    try {
      readConfig(environment);
    } catch (error) {
      told = error instanceof ConfigError ? error.problems.join(' ') : '';
    }
    expect(told).toMatch(/^[A-Z_]+ .*\.$/);
    expect(told).not.toMatch(/planted/);
  });
});
