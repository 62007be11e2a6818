/**
 * Attacks against accounts, with their counts: T9 reset tokens, T10 probing addresses, T11 guessing, T21 ended tokens,
 * T44 locking an owner out.
 * Hashes use the least cost here, and every computed hash is counted.
 */
import { randomBytes } from 'node:crypto';
import { eq, inArray } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { repetitions } from '../../test/campaign.ts';
import { mailedToken, mailsTo } from '../../test/mailbox.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { createApp } from '../app.ts';
import { mails } from '../mail/tables.ts';
import { rateLimits } from '../platform/tables.ts';
import { ensureAdmin } from './accounts.ts';
import { MAIL_RESET, mailReset, resetPassword } from './passwordChange.ts';
import { hashPassword, PASSWORD_COST } from './passwords.ts';
import { mailedTokens, sessions, users } from './tables.ts';

const PASSWORD = 'walnut-board';
const NEXT = 'maple-coaster';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const noDevices = { find: () => undefined, remember: () => {} };
/** Guessed reset tokens, a hundred from each network. */
const GUESSES = repetitions(200, 10_000);
const NETWORKS = GUESSES / 100;
/** Guessed passwords, ten from each network or for each account. */
const TRIES = repetitions(220, 5_000);
/** Guesses in a quarter of an hour, at one account from one network. */
const QUARTERLY = repetitions(50, 150);
/** Calls with known addresses, and as many with unknown ones. */
const PROBES = repetitions(20, 400);
const OUTDATED = 'This reset link has been used or is too old. Please ask for a new one.';

const argon = vi.hoisted(() => ({
  verified: 0,
  costs: new Set<string>(),
  hold: undefined as Promise<void> | undefined,
}));
// Other files share these modules: they are imported again with the mock here, and without it after this file.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock('@node-rs/argon2');
  vi.resetModules();
});
vi.mock('@node-rs/argon2', async (importOriginal) => {
  const real = await importOriginal<typeof import('@node-rs/argon2')>();
  return {
    hash(password: string, cost: object) {
      argon.costs.add(JSON.stringify(cost));
      return real.hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
    },
    async verify(against: string, password: string) {
      argon.verified++;
      await argon.hold;
      return real.verify(against, password);
    },
  };
});

const lines: string[] = [];
let server: TestApp;
beforeAll(async () => {
  server = await createTestApp({ passwordCost: PASSWORD_COST, logTo: { write: (line) => void lines.push(line) } });
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.context.db.delete(rateLimits);
  argon.verified = 0;
});

const post = (url: string, payload: object, remoteAddress = '198.51.100.7', headers: Record<string, string> = {}) =>
  server.app.inject({ method: 'POST', url, payload, remoteAddress, headers });
const logIn = (email: string, password: string, remoteAddress?: string) =>
  post('/api/auth/login', { email, password }, remoteAddress);
const network = (index: number): string => `203.0.${index >> 8}.${index & 255}`;

/** Runs a task for 0, 1, 2 … with at most twenty at a time, and returns the results in order. */
async function runEach<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) results[index] = await work(index);
  };
  await Promise.all(Array.from({ length: 20 }, worker));
  return results;
}

/** Inserts accounts directly into the database. */
async function makeAccounts(count: number, name: string): Promise<string[]> {
  const passwordHash = await hashPassword(server.context, PASSWORD);
  const emails = Array.from({ length: count }, (_, i) => `${name}${i}@example.com`);
  await server.context.db.insert(users).values(emails.map((email) => ({ email, passwordHash, username: name })));
  return emails;
}

const countBy = <T extends string | number>(list: readonly T[]): Partial<Record<T, number>> => {
  const counts: Partial<Record<T, number>> = {};
  for (const one of list) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
};

describe('T9: a reset token', () => {
  const forgot = (email: string) => mailReset(server.context, { email }); // as the job does
  const reset = (token: string, password = NEXT) => post('/api/auth/reset-password', { token, password });

  test(`${GUESSES} guesses, near and random ones, never match`, async () => {
    await server.signUp('guessed@example.com');
    await forgot('guessed@example.com');
    const token = await mailedToken(server, 'reset', 'guessed@example.com');
    const [storedToken] = await server.context.db.select().from(mailedTokens).where(eq(mailedTokens.purpose, 'reset'));
    const [session] = await server.context.db.select().from(sessions);
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const near = [...token]
      .flatMap((right, at) =>
        [...letters]
          .filter((letter) => letter !== right)
          .map((letter) => token.slice(0, at) + letter + token.slice(at + 1)),
      )
      .filter((_, i) => i % repetitions(20, 1) === 0);
    const odd = [
      token.slice(0, -1),
      token.slice(1),
      `${token}A`,
      ` ${token}`,
      `${token}\n`,
      token.toLowerCase(),
      token.toUpperCase(),
      [...token].reverse().join(''),
      Buffer.from(token, 'base64url').toString('hex'),
      Buffer.from(token, 'base64url').toString('base64'),
      storedToken!.id,
      session!.id,
      '%',
      '_',
      "' or 1=1 --",
      '\u0000',
    ];
    const wild = Array.from({ length: GUESSES - near.length - odd.length }, () =>
      randomBytes(32).toString('base64url'),
    );
    const guesses = [...near, ...odd, ...wild];
    expect(new Set(guesses).size).toBe(GUESSES);
    expect(guesses).not.toContain(token);

    // A hundred from each network: as many as the rate limit admits.
    const answers = await runEach(GUESSES, (i) =>
      resetPassword(
        server.context,
        { address: network(i % NETWORKS), guestId: undefined, userAgent: '', devices: noDevices },
        { token: guesses[i]!, password: NEXT },
      ).then(
        () => 'accepted',
        (error: Error) => error.message,
      ),
    );
    expect(countBy(answers)).toEqual({ [OUTDATED]: GUESSES });
    const more = await runEach(20, (i) =>
      post('/api/auth/reset-password', { token: wild[i]!, password: NEXT }, network(i % NETWORKS)),
    );
    expect(countBy(more.map(({ statusCode }) => statusCode))).toEqual({ 429: 20 });
    expect((await logIn('guessed@example.com', PASSWORD)).statusCode).toBe(200);

    const answer = await reset(token);
    expect([answer.statusCode, answer.json()]).toEqual([200, {}]);
  });

  test('works once, and none of 20 times after', async () => {
    await server.signUp('replayed@example.com');
    await forgot('replayed@example.com');
    const token = await mailedToken(server, 'reset', 'replayed@example.com');
    expect((await reset(token)).statusCode).toBe(200);
    const answers = await runEach(20, (i) => reset(token, `another-${i}`));
    expect(countBy(answers.map((answer) => `${answer.statusCode} ${answer.json().message}`))).toEqual({
      [`400 ${OUTDATED}`]: 20,
    });
    expect((await logIn('replayed@example.com', NEXT)).statusCode).toBe(200);
  });

  test('works exactly once when used 50 times simultaneously', async () => {
    await server.signUp('raced@example.com');
    await forgot('raced@example.com');
    const token = await mailedToken(server, 'reset', 'raced@example.com');
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => reset(token, `${NEXT}-${i}`)));
    const winners = answers.flatMap(({ statusCode }, i) => (statusCode === 200 ? [i] : []));
    expect(winners).toHaveLength(1);
    // The hash gate answers some with 429; those that got through it came too late.
    expect(answers.every(({ statusCode }) => [200, 400, 429].includes(statusCode))).toBe(true);
    const signIns = await runEach(50, (i) => logIn('raced@example.com', `${NEXT}-${i}`, network(i)));
    expect(signIns.flatMap(({ statusCode }, i) => (statusCode === 200 ? [i] : []))).toEqual(winners);
    const notices = (await mailsTo(server, 'raced@example.com')).filter(({ kind }) => kind === 'passwordChanged');
    expect(notices).toHaveLength(1);
  });

  test('is in no line of the log and in no table but the mails', async () => {
    lines.length = 0;
    await server.signUp('logged@example.com');
    const tokens = [await mailedToken(server, 'verify', 'logged@example.com')];
    await post('/api/auth/verify-email', { token: tokens[0] });
    for (let i = 0; i < 3; i++) {
      await forgot('logged@example.com');
      const token = await mailedToken(server, 'reset', 'logged@example.com');
      tokens.push(token);
      await reset(token, 'qwerty');
      await reset(token);
      await reset(token);
      await server.app.inject({ url: `/password-reset?token=${token}` });
      await server.app.inject({ url: `/api/auth/reset-password?token=${token}` });
    }
    const log = lines.join('');
    expect(log).toContain('/api/auth/reset-password');
    const dump = JSON.stringify([
      await server.context.db.select().from(mailedTokens),
      await server.context.db.select().from(sessions),
      await server.context.db.select().from(rateLimits),
    ]);
    for (const token of tokens) {
      expect(log).not.toContain(token);
      expect(dump).not.toContain(token);
    }
    expect(log).not.toContain(NEXT);
  });
});

describe('T10: probing for accounts', () => {
  test(`${PROBES} sign-ins with known and as many with unknown addresses: same answer, same work`, async () => {
    const knownEmails = await makeAccounts(40, 'known');
    const signInWith = async (emails: readonly string[]) => {
      argon.verified = 0;
      const answers = await runEach(PROBES, (i) => logIn(emails[i % 40]!, 'not-this-one', network(i % 4)));
      const shapes = answers.map(({ statusCode, headers, json }) => {
        const { requestId, ...body } = json();
        expect(requestId).toHaveLength(36);
        return JSON.stringify([statusCode, body, Object.keys(headers).sort(), headers['content-length']]);
      });
      return { shapes: countBy(shapes), hashes: argon.verified };
    };
    await logIn('nobody@example.com', PASSWORD); // makes the hash that unknown addresses are compared with
    const of = { known: await signInWith(knownEmails), unknown: {} as unknown };
    await server.context.db.delete(rateLimits);
    of.unknown = await signInWith(knownEmails.map((email) => `not.${email}`));
    expect(of.known.hashes).toBe(PROBES);
    expect(Object.keys(of.known.shapes)).toHaveLength(1);
    expect(of.unknown).toEqual(of.known);
    expect(argon.costs).toEqual(new Set([JSON.stringify({ memoryCost: 19_456, timeCost: 2, parallelism: 1 })]));
  });

  test(`${PROBES} lost passwords of known and as many of unknown addresses: same answer, same work`, {
    tags: ['detail'],
  }, async () => {
    const knownEmails = await makeAccounts(PROBES / 5, 'forgetful');
    const emails = [...knownEmails, ...knownEmails.map((email) => `not.${email}`)];
    const requests: object[] = [];
    await server.context.jobs.start([{ name: MAIL_RESET, parallel: 4, run: async (data) => void requests.push(data) }]);
    const before = await server.context.db.$count(mails);
    const answers = await runEach(2 * PROBES, (i) =>
      post('/api/auth/forgot-password', { email: emails[i % emails.length] }, network(i % 16)),
    );
    const shapes = answers.map(({ statusCode, headers, body }) =>
      JSON.stringify([statusCode, body, Object.keys(headers).sort(), headers['content-length']]),
    );
    expect(Object.values(countBy(shapes))).toEqual([2 * PROBES]);
    await expect.poll(() => requests.length, { timeout: 120_000 }).toBe(2 * PROBES);
    const requestCounts = countBy(requests.map((data) => (data as { email: string }).email));
    expect(requestCounts).toEqual(Object.fromEntries(emails.map((email) => [email, 5])));
    expect(await server.context.db.$count(mails)).toBe(before);
  });
});

describe('T11: guessing', () => {
  const start = Date.now();
  const at = (ms: number) => server.setNow(new Date(start + ms));

  test(`${TRIES} guesses at one account from ${TRIES / 10} networks in an hour: 100 are checked`, async () => {
    const [email] = await makeAccounts(1, 'target');
    try {
      at(0);
      const answers = await runEach(TRIES, (i) => {
        // The guesses that are checked come in the first minute.
        at(Math.floor((Math.max(0, i - 100) / TRIES) * 59) * MINUTE_MS);
        return logIn(email!, i < 0.8 * TRIES ? `guess-${i}` : PASSWORD, network(i % (TRIES / 10)));
      });
      expect(countBy(answers.map(({ statusCode }) => statusCode))).toEqual({ 401: 100, 429: TRIES - 100 });
      expect(argon.verified).toBe(100);
      at(61 * MINUTE_MS); // the lock ends
      expect((await logIn(email!, PASSWORD)).statusCode).toBe(200);
    } finally {
      server.setNow();
    }
  });

  test(`checks 40 of ${4 * QUARTERLY} guesses at one account from one network in an hour, and lets the owner in`, async () => {
    const [email] = await makeAccounts(1, 'alone');
    try {
      for (let quarter = 0; quarter < 4; quarter++) {
        at(quarter * 15.5 * MINUTE_MS);
        await runEach(QUARTERLY, (i) => logIn(email!, `guess-${i}`, network(1)));
      }
      expect(argon.verified).toBe(40);
      expect((await logIn(email!, PASSWORD, network(2))).statusCode).toBe(200);
    } finally {
      server.setNow();
    }
  });

  test(`${TRIES} guesses spread over ${TRIES / 10} accounts from one network: 200 are checked, none matches`, async () => {
    const emails = await makeAccounts(TRIES / 10, 'spread');
    const answers = await runEach(TRIES, (i) => logIn(emails[i % emails.length]!, `guess-${i}`, network(3)));
    expect(countBy(answers.map(({ statusCode }) => statusCode))).toEqual({ 401: 200, 429: TRIES - 200 });
    expect(argon.verified).toBe(200);
  });

  test('queues 22 of 200 simultaneous sign-ins, refuses the others with 429, and serves other calls', async () => {
    const emails = await makeAccounts(200, 'flood');
    let release = () => {};
    argon.hold = new Promise((resolve) => {
      release = resolve;
    });
    const answers: Promise<{ statusCode: number; headers: Record<string, unknown> }>[] = [];
    let settledCount = 0;
    try {
      for (let i = 0; i < 200; i++) {
        const answer = logIn(emails[i]!, 'not-this-one', network(i));
        answers.push(answer);
        void answer.then(() => settledCount++);
      }
      await expect.poll(() => settledCount).toBe(178);
      expect((await server.app.inject({ url: '/api/health' })).statusCode).toBe(200);
      expect((await server.app.inject({ url: '/api/products' })).statusCode).toBe(200);
      expect(argon.verified).toBe(2);
    } finally {
      release();
      argon.hold = undefined;
    }
    const results = await Promise.all(answers);
    expect(countBy(results.map(({ statusCode }) => statusCode))).toEqual({ 401: 22, 429: 178 });
    expect(results.find(({ statusCode }) => statusCode === 429)?.headers['retry-after']).toBe('3');
  });
});

describe('T44: locking an owner out', () => {
  const ADMIN = 'admin@markwright.local';
  const networks = TRIES / 10;
  const withCookie = (email: string, password: string, cookie: string, remoteAddress = '198.51.100.7') =>
    post('/api/auth/login', { email, password }, remoteAddress, { cookie });
  const guessFromEverywhere = (email: string) =>
    runEach(TRIES, (i) => logIn(email, `guess-${i}`, network(i % networks)));
  /** Returns the cookie by which the browser is known after an answer. */
  const deviceCookie = (answer: { cookies: { name: string; value: string }[] }): string =>
    answer.cookies.flatMap(({ name, value }) => (name === 'device' ? `${name}=${value}` : [])).join();

  test.each(['an owner', 'the administrator'])(
    `after ${TRIES} guesses at %s from ${networks} networks, the right password opens the account in a known browser`,
    async (who) => {
      const email = who === 'an owner' ? (await makeAccounts(1, 'besieged'))[0]! : ADMIN;
      if (who !== 'an owner') await makeAdmin();
      const ownCookie = deviceCookie(await logIn(email, PASSWORD));
      const answers = await guessFromEverywhere(email);
      expect(countBy(answers.map(({ statusCode }) => statusCode))).toEqual({ 401: 99, 429: TRIES - 99 });
      expect((await logIn(email, PASSWORD, '192.0.2.44')).statusCode).toBe(429);
      expect((await withCookie(email, PASSWORD, ownCookie)).statusCode).toBe(200);
      expect((await withCookie(email, PASSWORD, ownCookie, '192.0.2.44')).statusCode).toBe(200);
    },
  );

  test('a reset lets the owner in from a new browser while the guesses go on', async () => {
    const [email] = await makeAccounts(1, 'locked');
    await useUp(email!);
    expect((await logIn(email!, PASSWORD)).statusCode).toBe(429);
    await mailReset(server.context, { email });
    const token = await mailedToken(server, 'reset', email!);
    const ownCookie = deviceCookie(await post('/api/auth/reset-password', { token, password: NEXT }));
    await useUp(email!);
    expect((await logIn(email!, NEXT)).statusCode).toBe(429);
    expect((await withCookie(email!, NEXT, ownCookie)).statusCode).toBe(200);
  });

  test('a known browser has ten tries in 15 minutes', async () => {
    const [email] = await makeAccounts(1, 'stolen.browser');
    const ownCookie = deviceCookie(await logIn(email!, PASSWORD));
    argon.verified = 0;
    const answers = await runEach(50, (i) => withCookie(email!, `guess-${i}`, ownCookie, network(i)));
    expect(countBy(answers.map(({ statusCode }) => statusCode))).toEqual({ 401: 10, 429: 40 });
    expect(argon.verified).toBe(10);
  });

  test('neither a forged cookie nor that of another account gives more tries', async () => {
    const [email, otherEmail] = await makeAccounts(2, 'neighbor');
    const own = deviceCookie(await logIn(email!, PASSWORD));
    const others = deviceCookie(await logIn(otherEmail!, PASSWORD));
    await useUp(email!);
    const forgedCookies = [
      others,
      own.slice(0, -1),
      own.replace(/\.[^.]*$/, ''),
      own.replace('device=', 'device=x'),
      'device=',
      `guest=${own.slice('device='.length)}`,
    ];
    for (const cookie of forgedCookies) {
      expect((await withCookie(email!, PASSWORD, cookie)).statusCode, cookie).toBe(429);
    }
    expect((await withCookie(email!, PASSWORD, own)).statusCode).toBe(200);
  });

  test('a browser remembers the accounts of a family, the newest five', async () => {
    const emails = await makeAccounts(6, 'family');
    let cookie = '';
    for (const email of emails) {
      const answer = await withCookie(email, PASSWORD, cookie);
      cookie = deviceCookie(answer);
      // The cookie names nobody and is not readable by pages.
      expect(decodeURIComponent(cookie)).not.toContain('family');
      expect([answer.headers['set-cookie']].flat().at(-1)).toMatch(
        /^device=\S+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
      );
    }
    for (const email of emails) await useUp(email);
    const statuses = [];
    for (const email of emails) statuses.push((await withCookie(email, PASSWORD, cookie)).statusCode);
    expect(statuses).toEqual([429, 200, 200, 200, 200, 200]);
  });

  /** Uses up the attempts at an account from everywhere. */
  async function useUp(email: string): Promise<void> {
    const endsAt = new Date(Date.now() + 60 * MINUTE_MS);
    await server.context.db
      .insert(rateLimits)
      .values({ key: `login ${email}`, count: 100, endsAt })
      .onConflictDoUpdate({ target: rateLimits.key, set: { count: 100, endsAt } });
  }

  async function makeAdmin(): Promise<void> {
    await ensureAdmin(server.context);
    const passwordHash = await hashPassword(server.context, PASSWORD);
    await server.context.db.update(users).set({ passwordHash }).where(eq(users.id, 1));
  }
});

describe('T21: an ended token', () => {
  let nodes: FastifyInstance[];
  beforeAll(async () => {
    const options = { cookieSecrets: [randomBytes(32)], checkDatabase: async () => {}, callsAMinute: 100_000 };
    nodes = [server.app, await createApp(server.context, options)];
  });
  afterAll(() => nodes[1]!.close());

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const signIn = async (email: string, password = PASSWORD): Promise<string> =>
    (await logIn(email, password)).json().token;
  const placesOf = async (token: string) =>
    (await server.app.inject({ url: '/api/auth/sessions', headers: bearer(token) })).json();

  /** Counts the calls with the token that are answered as its account's, on both servers. */
  async function countAccepted(token: string): Promise<number> {
    const calls = ['/api/auth/me', '/api/users/stats', '/api/auth/sessions', '/api/users/export'];
    const answers = await Promise.all(
      nodes.flatMap((node) => calls.map((url) => node.inject({ url, headers: bearer(token) }))),
    );
    return answers.filter(({ statusCode }) => statusCode !== 401).length;
  }

  const endings: Record<string, (email: string, token: string) => Promise<unknown>> = {
    'logging out': (_email, token) => post('/api/auth/logout', {}, undefined, bearer(token)),
    'changing the password elsewhere': async (email) =>
      post(
        '/api/auth/change-password',
        { currentPassword: PASSWORD, newPassword: NEXT },
        undefined,
        bearer(await signIn(email)),
      ),
    'resetting the password': async (email) => {
      await mailReset(server.context, { email });
      const token = await mailedToken(server, 'reset', email);
      return post('/api/auth/reset-password', { token, password: NEXT });
    },
    'thirty days': async () => server.setNow(new Date(Date.now() + 30 * DAY_MS)),
    'deleting the account': (_email, token) =>
      post('/api/users/delete-account', { password: PASSWORD }, undefined, bearer(token)),
    'ending the place in the list': async (email, token) => {
      const other = await signIn(email);
      const [, place] = await placesOf(other);
      expect(await countAccepted(token)).toBe(8);
      return server.app.inject({ method: 'DELETE', url: `/api/auth/sessions/${place.id}`, headers: bearer(other) });
    },
    'ending all other places': async (email) =>
      server.app.inject({ method: 'DELETE', url: '/api/auth/sessions', headers: bearer(await signIn(email)) }),
  };

  test.each(Object.keys(endings))('%s: no call is accepted', async (ending) => {
    const email = `${ending.replaceAll(' ', '.')}@example.com`;
    const token = (await server.signUp(email)).authorization.slice('Bearer '.length);
    expect(await countAccepted(token)).toBe(8);
    try {
      await endings[ending]!(email, token);
      expect(await countAccepted(token)).toBe(0);
    } finally {
      server.setNow();
    }
  });

  test('a sign-in during a password reset leaves no session', async () => {
    const emails = await makeAccounts(repetitions(2, 20), 'under.way');
    for (const email of emails) {
      await mailReset(server.context, { email });
      const token = await mailedToken(server, 'reset', email);
      const [reset, ...signIns] = await Promise.all([
        post('/api/auth/reset-password', { token, password: NEXT }),
        ...Array.from({ length: 5 }, () => logIn(email, PASSWORD)),
      ]);
      expect(reset!.statusCode).toBe(200);
      const tokens = signIns.flatMap(({ json }) => json().token ?? []);
      expect(await Promise.all(tokens.map(countAccepted))).toEqual(tokens.map(() => 0));
    }
    const remainingSessions = await server.context.db
      .select({ email: users.email })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(inArray(users.email, emails));
    expect(remainingSessions).toEqual([]);
  });
});
