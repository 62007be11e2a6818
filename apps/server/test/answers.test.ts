/**
 * Confidentiality of every reply. T20: no other site may read one. T33: no cache may store a private one. T29: an error
 * tells a person what to do, and nothing about the server's internals or data.
 */
import { type Call, calls } from '@markwright/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../src/config.ts';
import { sendMails } from '../src/mail/sending.ts';
import { createSmtp } from '../src/mail/smtp.ts';
import { mails } from '../src/mail/tables.ts';
import { signInAdmin } from './admin.ts';
import { isStress } from './campaign.ts';
import { createTestApp, type TestApp } from './server.ts';
import { startSmtpPeer } from './smtpPeer.ts';
import { downloadTakeout } from './takeout.ts';

const everyCall: Call[] = Object.values(calls).flatMap((group) => Object.values(group) as Call[]);
const callCases = everyCall.map((call) => [call.method, call.path, call] as const);
const plainRoutes = [
  ['GET', '/api/health'],
  ['GET', '/api/ready'],
  ['GET', '/api/status'],
  ['GET', '/api/openapi.json'],
  ['GET', '/api/login'],
  ['POST', '/api/stripe/webhook'],
  ['GET', '/api/no-such-call'],
  ['GET', '/files/designs/nothing/original.png'],
] as const;
/** Replies that are the same for everybody, so that caches may store and revalidate them. */
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

describe('T20: another site can read no reply', () => {
  const paths = [...new Set([...everyCall.map(({ path }) => path), ...plainRoutes.map(([, path]) => path)])];
  test.each(paths.map((path, i) => [path, i] as const))('%s', async (path, i) => {
    const own = everyCall.filter((call) => call.path === path).map(({ method }) => method);
    for (const [k, method] of (['GET', 'HEAD', 'OPTIONS', ...own] as const).entries()) {
      // One hook answers for all paths: each has two of the origins, in turn, and in the stress tier all.
      for (const [j, origin] of origins.entries()) {
        if (!isStress && j !== (i + k) % 4 && j !== 4 + ((i + k) % 4)) continue;
        if (path.endsWith('/logout') && method === 'POST') continue;
        const corsHeaders = { origin, cookie: 'guest=x', 'access-control-request-method': 'POST' };
        for (const headers of [corsHeaders, { ...corsHeaders, ...user }]) {
          const answer = await server.app.inject({ method, url: urlOf(path), headers });
          expect(sharedWith(answer), `${method} from ${origin}`).toEqual([]);
        }
      }
    }
  });
});

describe('T33: no cache stores a private reply', () => {
  test.each(callCases)('%s %s', async (method, path, call) => {
    const callers = path.endsWith('/logout') ? [{}] : [{}, user, { authorization: 'Bearer ended' }];
    for (const headers of callers) {
      const { statusCode, headers: replyHeaders } = await server.app.inject({ method, url: urlOf(path), headers });
      const isPublic = publicPaths.includes(path) && statusCode === 200;
      expect(replyHeaders['cache-control'], `${statusCode}`).toBe(isPublic ? 'public, no-cache' : 'private, no-store');
      expect(isPublic && call.access !== 'anyone').toBe(false);
    }
  });

  test.each(plainRoutes)('%s %s is not cacheable either', async (method, path) => {
    const { headers } = await server.app.inject({ method, url: path });
    expect(headers['cache-control'] ?? '').not.toMatch(/public|s-maxage/);
  });
});

describe('T29: a failing call', () => {
  const lines: string[] = [];
  let broken: TestApp;
  beforeAll(async () => {
    broken = await createTestApp({ logTo: { write: (line) => void lines.push(line) } });
    // Every statement fails now, and its error message contains names and values.
    await broken.seeAll.execute(sql`alter schema public rename to hidden_from_everybody`);
  });
  afterAll(() => broken.close());

  /** Fragments of a stack trace, a statement or a driver's message. */
  const inside =
    /\bat \S+[:(]|node_modules|\.ts\b|\.js\b|select |insert |update |delete from|relation|drizzle|pg_|params|Error:/i;

  test.each(callCases)('%s %s returns a sentence and a request id', async (method, path, call) => {
    let failedCount = 0;
    for (const headers of [{}, { authorization: 'Bearer a-token-planted-here' }]) {
      const payload = method === 'GET' ? {} : { payload: bodyOf(call) };
      const answer = await broken.app.inject({ method, url: urlOf(path), headers, ...payload });
      if (answer.statusCode < 400) continue; // it needs no database
      const reply = answer.json<Record<string, unknown>>();
      expect(Object.keys(reply).sort()).toEqual(['message', 'requestId']);
      expect(reply.message).toMatch(/^[A-Z“][^\n]*[.?!]$|^[A-Z][\w ,']+$/);
      expect(answer.body).not.toMatch(inside);
      if (answer.statusCode === 500) failedCount++;
    }
    if (call.access !== 'anyone') expect(failedCount).toBe(1);
  });

  test('is logged for the operator, without the input', () => {
    const log = lines.join('');
    expect(log).toContain('a call failed');
    expect(log).toContain('does not exist');
    expect(log).not.toContain('a-token-planted-here');
    expect(log).not.toContain('planted-password');
    expect(log).not.toContain('planted.person@example.com');
  });

  /** Returns a body that is valid for most calls. */
  function bodyOf({ path }: Call): object {
    const email = 'planted.person@example.com';
    const password = 'planted-password';
    const texts = { name: 'Ann', email, feedback: 'Fine', token: 'planted-token', planId: 'pro', sessionId: 'x' };
    const change = { currentPassword: password, newPassword: password, change: 'cancel', outcome: 'cancel' };
    return { ...texts, ...change, password, designId: path };
  }
});

describe('T29: secrets in the settings', () => {
  const PASSWORD = 'planted/smtp:password';

  test('a mail server’s password is in no log line, no mail and no reply', async () => {
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
      const headers = await signInAdmin(shop);
      await shop.signUp();
      await sendMails(shop.context); // the password is wrong
      await peer.goDown();
      shop.setNow(new Date(Date.now() + 3_600_000));
      await sendMails(shop.context); // the server is unreachable
      const answers = [];
      for (const path of ['/api/admin/mails', '/api/site', '/api/ready', '/api/openapi.json']) {
        answers.push((await shop.app.inject({ url: path, headers })).body);
      }
      answers.push((await downloadTakeout(shop, headers)).body);
      const storedMails = await shop.context.db.select().from(mails);
      expect(storedMails).toMatchObject([{ state: 'queued', attempts: 2, lastError: expect.stringMatching(/./) }]);
      expect(lines.join('')).toContain('a mail was not taken');
      for (const secret of [
        PASSWORD,
        encodeURIComponent(PASSWORD),
        Buffer.from(`\0studio\0${PASSWORD}`).toString('base64'),
      ]) {
        for (const text of [...lines, ...answers, JSON.stringify(storedMails)]) expect(text).not.toContain(secret);
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
  ])('rejects %j without repeating it', (environment) => {
    let message = '';
    try {
      readConfig(environment);
    } catch (error) {
      message = error instanceof ConfigError ? error.problems.join(' ') : '';
    }
    expect(message).toMatch(/^[A-Z_]+ .*\.$/);
    expect(message).not.toMatch(/planted/);
  });
});
