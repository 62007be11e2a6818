import { hash } from '@node-rs/argon2';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { designs } from '../designs/tables.ts';
import { rateLimits } from '../platform/tables.ts';
import { ensureAdmin } from './accounts.ts';
import { verifyPassword } from './passwords.ts';
import { guests, sessions, users } from './tables.ts';

const PASSWORD = 'walnut-board';
const DAY_MS = 24 * 60 * 60 * 1000;

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp({ environment: { ADMIN_EMAIL: 'owner@kelvin.example' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.context.db.delete(rateLimits);
});

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  server.app.inject({ method: 'POST', url, payload, headers });
const signUp = (email: string, password = PASSWORD) => post('/api/auth/signup', { email, password });
const logIn = (email: string, password = PASSWORD, remoteAddress = '198.51.100.7') =>
  server.app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password }, remoteAddress });
const me = (token: string) => server.app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } });
const message = (answer: { json: () => unknown }) => (answer.json() as { message: string }).message;

describe('signing up', () => {
  test('returns a token, an id above the administrator’s and a name from the address', async () => {
    const answer = await signUp('Ann.Lee@Example.com');
    expect(answer.statusCode).toBe(200);
    const account = (await me(answer.json().token)).json();
    expect(account).toMatchObject({
      email: 'ann.lee@example.com',
      username: 'ann.lee',
      subscriptionPlan: 'free',
      isAdmin: false,
    });
    expect(account.id).toBeGreaterThan(1);
  });

  test.each([
    ['not-an-address', PASSWORD, 'Invalid email address'],
    ['jörg@example.com', PASSWORD, 'Invalid email address'],
    ['a@exämple.com', PASSWORD, 'Invalid email address'],
    ['"quoted"@example.com', PASSWORD, 'Invalid email address'],
    ['short@example.com', '12345', 'Password must be at least 6 characters'],
    ['long@example.com', 'x'.repeat(129), 'Password must be at most 128 characters'],
    ['common@example.com', 'Password1', 'This password is one of the most used ones. Please choose another.'],
    ['own@example.com', 'OWN@example.com', 'This password is one of the most used ones. Please choose another.'],
  ])('%s with %s: %s', async (email, password, expected) => {
    const answer = await signUp(email, password);
    expect([answer.statusCode, message(answer)]).toEqual([400, expected]);
  });

  test('ten simultaneous sign-ups with one address create one account', async () => {
    const spellings = ['race@example.com', 'RACE@example.com', 'Race@Example.COM'];
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => signUp(spellings[i % 3]!)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect(message(answers.find(({ statusCode }) => statusCode === 409)!)).toBe(
      'An account with this email already exists.',
    );
    expect(await server.context.db.$count(users, eq(users.email, 'race@example.com'))).toBe(1);
  });

  test('limits the sign-ups from one network', async () => {
    await signUp('first@example.com');
    await server.context.db.update(rateLimits).set({ count: 100 });
    const answer = await signUp('one-more@example.com');
    expect(answer.statusCode).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3000);
  });
});

describe('the administrator', () => {
  test('refuses every spelling of the administrator’s mailbox, and no sign-up becomes an administrator', async () => {
    const local = [
      'owner',
      'OWNER',
      'Owner',
      'ｏwner',
      'оwner',
      'owner\u200b',
      '\u200bowner',
      'owner\u00ad',
      '"owner"',
      'owner ',
      ' owner',
      'owner+x',
      'o.wner',
      'owner.',
      '.owner',
      "owner'",
    ];
    const domain = [
      'kelvin.example',
      'KELVIN.EXAMPLE',
      '\u212aelvin.example',
      'ｋelvin.example',
      'kelvın.example',
      'kelvin.example.',
      'xn--elvin-x.example',
      ' kelvin.example',
      'kelvin.example ',
    ];
    const spellings = local.flatMap((left) => domain.map((right) => `${left}@${right}`));
    expect(spellings.length).toBeGreaterThan(60);
    for (const email of spellings) {
      await server.context.db.delete(rateLimits);
      const answer = await signUp(email);
      expect(answer.statusCode, email).toBeLessThan(500);
      if (answer.statusCode !== 200) continue;
      const account = (await me(answer.json().token)).json();
      expect(account, email).toMatchObject({ isAdmin: false });
      expect(account.email, email).not.toBe('owner@kelvin.example');
    }
    const plain = await signUp('owner@kelvin.example');
    expect([plain.statusCode, message(plain)]).toEqual([409, 'Failed to create account']);
  });

  test('fifty simultaneous sign-ups into an empty database create no administrator', { tags: ['detail'] }, async () => {
    const fresh = await createTestApp();
    try {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          fresh.app.inject({
            method: 'POST',
            url: '/api/auth/signup',
            payload: { email: `p${i}@example.com`, password: PASSWORD },
          }),
        ),
      );
      // The hash gate runs two and queues twenty; a sign-up that comes while the queue is full gets 429.
      for (const { statusCode } of answers) expect([200, 429]).toContain(statusCode);
      expect(await fresh.context.db.$count(users, eq(users.id, 1))).toBe(0);
      expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThanOrEqual(22);
    } finally {
      await fresh.close();
    }
  });

  test('is account 1, created once, with a password that is returned once', async () => {
    const fresh = await createTestApp();
    const asAdmin = (password: string) =>
      fresh.app.inject({
        method: 'POST',
        url: '/api/auth/login',
        payload: { email: 'admin@markwright.local', password },
      });
    try {
      const passwords = await Promise.all([ensureAdmin(fresh.context), ensureAdmin(fresh.context)]);
      const [password] = passwords.filter((text) => text !== undefined);
      expect(passwords.filter((text) => text !== undefined)).toHaveLength(1);
      expect(password).toMatch(/^[\w-]{16}$/);
      expect(await ensureAdmin(fresh.context)).toBeUndefined();

      const answer = await asAdmin(password!);
      const account = await fresh.app.inject({
        url: '/api/auth/me',
        headers: { authorization: `Bearer ${answer.json().token}` },
      });
      expect(account.json()).toMatchObject({
        id: 1,
        isAdmin: true,
        subscriptionPlan: 'agency',
        subscriptionStatus: 'active',
        emailVerified: true,
      });

      // A later start leaves the password alone.
      const config = { ...fresh.context.config, adminPassword: 'from-the-settings' };
      expect(await ensureAdmin({ ...fresh.context, config })).toBeUndefined();
      expect((await asAdmin('from-the-settings')).statusCode).toBe(401);
      expect((await asAdmin(password!)).statusCode).toBe(200);

      // With ADMIN_PASSWORD_RESET the settings win, and end the open sessions.
      const resetConfig = { ...config, resetsAdminPassword: true };
      expect(await ensureAdmin({ ...fresh.context, config: resetConfig })).toBeUndefined();
      const { statusCode } = await fresh.app.inject({
        url: '/api/auth/me',
        headers: { authorization: `Bearer ${answer.json().token}` },
      });
      expect(statusCode).toBe(401);
      expect((await asAdmin(password!)).statusCode).toBe(401);
      expect((await asAdmin('from-the-settings')).statusCode).toBe(200);
      expect(await fresh.context.db.$count(users)).toBe(1);
    } finally {
      await fresh.close();
    }
  });

  test('cannot take over the mailbox of an account', async () => {
    await signUp('taken@example.com');
    const config = { ...server.context.config, adminEmail: 'Taken@example.com' };
    await expect(ensureAdmin({ ...server.context, config })).rejects.toThrow(/ADMIN_EMAIL is the address of account/);
  });
});

describe('signing in', () => {
  test('answers an unknown address and a wrong password alike', async () => {
    await signUp('known@example.com');
    const [unknown, wrong] = [await logIn('unknown@example.com'), await logIn('known@example.com', 'not-this-one')];
    expect([unknown.statusCode, message(unknown)]).toEqual([401, 'Invalid credentials']);
    expect([wrong.statusCode, message(wrong)]).toEqual([401, 'Invalid credentials']);
    expect(Object.keys(unknown.json())).toEqual(Object.keys(wrong.json()));
    expect((await logIn('KNOWN@example.com')).statusCode).toBe(200);
  });

  test('pauses after ten wrong passwords from one network, and only there', async () => {
    await signUp('guessed@example.com');
    const guesses = await Promise.all(Array.from({ length: 14 }, (_, i) => logIn('guessed@example.com', `guess-${i}`)));
    expect(guesses.filter(({ statusCode }) => statusCode === 401)).toHaveLength(10);
    const limitedAnswers = guesses.filter(({ statusCode }) => statusCode === 429);
    expect(limitedAnswers).toHaveLength(4);
    expect(Number(limitedAnswers[0]!.headers['retry-after'])).toBeGreaterThan(600);
    expect((await logIn('guessed@example.com')).statusCode).toBe(429); // right, but too late
    expect((await logIn('guessed@example.com', PASSWORD, '198.51.100.8')).statusCode).toBe(200);
    expect((await logIn('Guessed@example.com', PASSWORD, '198.51.100.7')).statusCode).toBe(429);

    server.setNow(new Date(Date.now() + 16 * 60_000));
    expect((await logIn('guessed@example.com')).statusCode).toBe(200);
    server.setNow();
  });

  test('limits the guesses at one account to a hundred an hour from all networks together', async () => {
    await signUp('target@example.com');
    await logIn('target@example.com', 'wrong-one', '203.0.113.1');
    await server.context.db
      .update(rateLimits)
      .set({ count: 100 })
      .where(eq(rateLimits.key, 'login target@example.com'));
    expect((await logIn('target@example.com', 'wrong-one', '203.0.113.2')).statusCode).toBe(429);
  });

  test('a pause for one network does not count against the account’s wide limit', async () => {
    await signUp('narrow@example.com');
    for (let i = 0; i < 30; i++) await logIn('narrow@example.com', `guess-${i}`);
    const [wideLimit] = await server.context.db
      .select()
      .from(rateLimits)
      .where(eq(rateLimits.key, 'login narrow@example.com'));
    expect(wideLimit?.count).toBe(10);
  });

  test('signs in with an old password that has become common since', async () => {
    await signUp('old@example.com');
    const passwordHash = await hash('123456');
    await server.context.db.update(users).set({ passwordHash }).where(eq(users.email, 'old@example.com'));
    expect((await logIn('old@example.com', '123456')).statusCode).toBe(200);
  });

  test('replaces a hash with outdated parameters at the next sign-in', async () => {
    await signUp('weak@example.com');
    const readHash = async () =>
      (await server.context.db.select().from(users).where(eq(users.email, 'weak@example.com')))[0]!.passwordHash;
    const weak = await hash(PASSWORD, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    await server.context.db.update(users).set({ passwordHash: weak }).where(eq(users.email, 'weak@example.com'));

    expect((await logIn('weak@example.com', 'not-this-one')).statusCode).toBe(401);
    expect(await readHash()).toBe(weak);
    // Several at once: each is signed in, whichever of them writes the new hash.
    const answers = await Promise.all(Array.from({ length: 5 }, () => logIn('weak@example.com')));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(200));
    const newHash = await readHash();
    expect(newHash).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/); // the current parameters of these tests
    expect(await verifyPassword(server.context, PASSWORD, newHash)).toBe(true);

    expect((await logIn('weak@example.com')).statusCode).toBe(200);
    expect(await readHash()).toBe(newHash);
  });

  test('assigns what a guest made to the account', async () => {
    const guestId = 'guest-of-the-signing-in-test';
    const { db } = server.context;
    const cookie = `guest=${encodeURIComponent(server.app.signCookie(guestId))}`;
    await db.insert(guests).values({ id: guestId, address: '203.0.113.1' });
    const design = { filename: 'fox.png', mediaType: 'image/png' as const, width: 1, height: 1, sizeBytes: 1 };
    await db.insert(designs).values({ id: 'their-design', guestId, originalKey: 'designs/x/original.png', ...design });

    const answer = await post('/api/auth/signup', { email: 'was-guest@example.com', password: PASSWORD }, { cookie });
    const authorization = `Bearer ${answer.json().token}`;
    const mine = await server.app.inject({ url: '/api/designs', headers: { authorization } });
    expect(mine.json()).toMatchObject([{ id: 'their-design' }]);
    const asGuest = await server.app.inject({ url: '/api/designs', headers: { cookie } });
    expect(asGuest.json()).toEqual([]);
  });
});

describe('a session', () => {
  test('ends with logging out', async () => {
    const { token } = (await signUp('leaving@example.com')).json();
    const answer = await post('/api/auth/logout', {}, { authorization: `Bearer ${token}` });
    expect([answer.statusCode, answer.json()]).toEqual([200, { ok: true }]);
    expect((await me(token)).statusCode).toBe(401);
  });

  test('ends after thirty days, and is renewed in its last week', async () => {
    const { token } = (await signUp('returning@example.com')).json();
    const start = Date.now();
    const stats = async (bearerToken: string) =>
      (
        await server.app.inject({ url: '/api/users/stats', headers: { authorization: `Bearer ${bearerToken}` } })
      ).json();
    try {
      expect(await stats(token)).not.toHaveProperty('jwtToken');
      server.setNow(new Date(start + 22 * DAY_MS));
      expect(await stats(token)).not.toHaveProperty('jwtToken');
      server.setNow(new Date(start + 24 * DAY_MS));
      const { jwtToken } = await stats(token);
      expect(jwtToken).toMatch(/^[\w-]{43}$/);
      server.setNow(new Date(start + 31 * DAY_MS));
      expect((await me(token)).statusCode).toBe(401);
      expect((await me(jwtToken)).statusCode).toBe(200);
      server.setNow(new Date(start + 55 * DAY_MS));
      expect((await me(jwtToken)).statusCode).toBe(401);
    } finally {
      server.setNow();
    }
  });

  test('is another one for each sign-in, and stored by its hash alone', async () => {
    const { token } = (await signUp('hashed@example.com')).json();
    const { token: second } = (await logIn('hashed@example.com')).json();
    expect(second).toMatch(/^[\w-]{43}$/);
    expect(second).not.toBe(token);
    const rows = await server.context.db.select().from(sessions);
    expect(rows.some(({ id }) => id === token)).toBe(false);
    expect(rows.every(({ id }) => /^[0-9a-f]{64}$/.test(id))).toBe(true);
  });

  test.each(['', 'x', 'A'.repeat(43), `${'A'.repeat(600)}`])('rejects the invented token %s', async (token) => {
    expect((await me(token)).statusCode).toBe(401);
  });
});
