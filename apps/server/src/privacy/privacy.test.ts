import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, formOf, type TestApp } from '../../test/server.ts';
import { downloadTakeout } from '../../test/takeout.ts';
import { ensureAdmin } from '../accounts/accounts.ts';
import { hashRecoveryCode } from '../accounts/secondFactorCodes.ts';
import { guests, mailedTokens, recoveryCodes, secondFactors, sessions, users } from '../accounts/tables.ts';
import { usage } from '../allowances/tables.ts';
import { subscriptions, testSubscriptions } from '../billing/tables.ts';
import { createTestPayments } from '../billing/testPayments.ts';
import { designs } from '../designs/tables.ts';
import { exportRecords } from '../exports/tables.ts';
import { feedback } from '../feedback/tables.ts';
import { mails } from '../mail/tables.ts';
import { AppError } from '../platform/errors.ts';
import { readInPieces } from '../platform/paging.ts';
import type { MediaPool } from '../platform/ports/mediaPool.ts';
import type { Payments } from '../platform/ports/payments.ts';
import { recordSecurityEvent } from '../platform/securityEvents.ts';
import { SITE } from '../platform/storage.ts';
import { rateLimits } from '../platform/tables.ts';
import { takeouts } from './tables.ts';
import { makeTakeouts } from './takeoutRun.ts';
import { sweepTakeouts, takeoutPartKey } from './takeouts.ts';

const PASSWORD = 'walnut-board';
const DAY_MS = 24 * 3_600_000;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0';

let server: TestApp;
let isProviderDown = false;
/** Lets a test act while the provider ends a subscription. */
let whileEnding: (customerId: string) => Promise<void> = async () => {};
/** Lets a test act while a picture is being decoded. */
let whileDecoding: () => Promise<void> = async () => {};

beforeAll(async () => {
  // The real port with a switch in front of it.
  let real: Payments | undefined;
  const payments = {
    kind: 'test',
    async endSubscriptions(customerId: string) {
      if (isProviderDown) throw new AppError('unavailable', 'The payment provider does not answer just now.');
      await whileEnding(customerId);
      await real!.endSubscriptions(customerId);
    },
  } as Payments;
  const media: MediaPool = {
    async run() {
      await whileDecoding();
      return { mediaType: 'image/png', png: new Uint8Array([1]), uploadFormat: 'png', width: 1, height: 1 };
    },
    async close() {},
  } as unknown as MediaPool;
  server = await createTestApp({ payments, media, environment: { ADMIN_PASSWORD: 'the-workshop-key' } });
  real = createTestPayments({ db: server.context.db, origin: server.context.origin, now: server.context.now });
});
afterAll(() => server.close());
beforeEach(async () => {
  isProviderDown = false;
  whileEnding = async () => {};
  whileDecoding = async () => {};
  await server.context.db.delete(rateLimits);
});

type Headers = { authorization: string };
const requestTakeout = (headers: Headers) => downloadTakeout(server, headers);
const callTakeout = (method: 'GET' | 'POST' | 'DELETE', headers: Headers) =>
  server.app.inject({ method, url: '/api/users/export', headers });
const remove = (headers: Headers, password = PASSWORD) =>
  server.app.inject({ method: 'POST', url: '/api/users/delete-account', payload: { password }, headers });
const idOf = async (headers: Headers): Promise<number> =>
  (await server.app.inject({ url: '/api/auth/me', headers })).json().id;

/** Creates an account with rows in every table. */
async function createFullAccount(email: string): Promise<{ headers: Headers; id: number; designKey: string }> {
  const { db, files, now } = server.context;
  const headers = await server.signUp(email);
  const id = await idOf(headers);
  const designKey = `designs/of-${id}/original.png`;
  await files.put(designKey, new Uint8Array([1, 2, 3]), 'image/png', SITE);
  const design = { filename: 'fox.png', mediaType: 'image/png' as const, width: 40, height: 30, sizeBytes: 3 };
  await db.insert(designs).values({ id: `of-${id}`, userId: id, originalKey: designKey, ...design });
  const charge = { kind: 'mockup', period: now(), key: 'a', state: 'settled', holders: 0, leaseUntil: now() } as const;
  await db.insert(usage).values({ id: `usage-${id}`, owner: `user:${id}`, ...charge });
  await db
    .insert(exportRecords)
    .values({ id: `record-${id}`, userId: id, kind: 'mockup', key: `${id}`, productName: 'Mug' });
  await db.insert(feedback).values({ id: `said-${id}`, userId: id, name: 'Ann', email, feedback: 'I like it' });
  const plan = { plan: 'pro', status: 'active' } as const;
  await db.insert(subscriptions).values({ userId: id, provider: 'test', customerId: `test_${id}`, ...plan });
  await db.insert(testSubscriptions).values({ id: `sub-${id}`, userId: id, startedAt: now(), ...plan });
  return { headers, id, designKey };
}

async function listFiles(folder: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of server.context.files.list(folder)) keys.push(key);
  return keys;
}

/** Counts the rows of an account in each table. */
async function countRows(id: number): Promise<number[]> {
  const { db } = server.context;
  return Promise.all([
    db.$count(users, eq(users.id, id)),
    db.$count(sessions, eq(sessions.userId, id)),
    db.$count(designs, eq(designs.userId, id)),
    db.$count(usage, eq(usage.owner, `user:${id}`)),
    db.$count(exportRecords, eq(exportRecords.userId, id)),
    db.$count(feedback, eq(feedback.id, `said-${id}`)),
    db.$count(subscriptions, eq(subscriptions.userId, id)),
    db.$count(testSubscriptions, eq(testSubscriptions.userId, id)),
    db.$count(mailedTokens, eq(mailedTokens.userId, id)),
  ]);
}

describe('the takeout', () => {
  test('contains everything of the account, nothing of others and no secrets', async () => {
    const { headers, id } = await createFullAccount('ann@example.com');
    await createFullAccount('somebody.else@example.com');
    const answer = await requestTakeout(headers);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      account: { id, email: 'ann@example.com', username: 'ann', subscriptionPlan: 'free', emailVerifiedAt: null },
      sessions: [{ device: 'An unknown device' }],
      designs: [{ filename: 'fox.png', width: 40, height: 30, sizeBytes: 3 }],
      usage: [{ kind: 'mockup', state: 'settled' }],
      subscription: { provider: 'test', plan: 'pro', status: 'active', asked: 0, answered: 0 },
      exports: [{ kind: 'mockup', productName: 'Mug' }],
      feedback: [{ feedback: 'I like it', email: 'ann@example.com' }],
    });
    expect(answer.body).not.toContain('somebody.else');
    const [storedUser] = await server.context.db.select().from(users).where(eq(users.id, id));
    const [session] = await server.context.db.select().from(sessions).where(eq(sessions.userId, id));
    for (const secret of [storedUser!.passwordHash, '$argon2', session!.id, headers.authorization.slice(7)]) {
      expect(answer.body).not.toContain(secret);
    }
  });

  test('is a file to download, which no shared cache stores', async () => {
    const headers = await server.signUp('file@example.com');
    const evening = new Date(Date.now() + DAY_MS);
    evening.setUTCHours(23, 30, 0, 0);
    server.setNow(evening);
    const fresh = await server.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: 'file@example.com', password: PASSWORD },
      headers: { 'user-agent': FIREFOX },
    });
    const answer = await requestTakeout({ authorization: `Bearer ${fresh.json().token}` });
    server.setNow();
    await callTakeout('DELETE', headers);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': expect.stringContaining(
        `attachment; filename="markwright-my-data-${evening.toISOString().slice(0, 10)}.json"`,
      ),
      'cache-control': 'private, no-store',
    });
    expect(answer.json()).toMatchObject({ exportedAt: evening.toISOString(), subscription: null, designs: [] });
    expect((await requestTakeout(headers)).json().sessions).toMatchObject([
      { device: 'An unknown device' },
      { device: 'Firefox on Linux' },
    ]);
  });

  test('contains working addresses of the pictures', async () => {
    const { headers } = await createFullAccount('pictures@example.com');
    const [design] = (await requestTakeout(headers)).json().designs;
    expect(design.files.asUploaded).toBeNull();
    const url = new URL(design.files.asShown);
    expect(url.origin).toBe(server.context.origin);
    const file = await server.app.inject({ url: url.pathname + url.search });
    expect([file.statusCode, [...file.rawPayload]]).toEqual([200, [1, 2, 3]]);
  });

  test('contains the picture as it was uploaded, to be saved and not shown', async () => {
    const { headers, id } = await createFullAccount('uploaded@example.com');
    await server.context.files.put(`designs/of-${id}/upload.jpg`, new Uint8Array([7, 8]), 'image/jpeg', SITE);
    const [design] = (await requestTakeout(headers)).json().designs;
    const contentOf = async (address: string) => {
      const url = new URL(address);
      return server.app.inject({ url: url.pathname + url.search });
    };
    const uploadedFile = await contentOf(design.files.asUploaded);
    expect([uploadedFile.statusCode, [...uploadedFile.rawPayload]]).toEqual([200, [7, 8]]);
    expect(uploadedFile.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': `attachment; filename="fox.png"; filename*=UTF-8''fox.png`,
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    expect([...(await contentOf(design.files.asShown)).rawPayload]).toEqual([1, 2, 3]);
  });

  test('contains the security events and mails of the account, and names no administrator', async () => {
    const { db, log, now } = server.context;
    const headers = await server.signUp('events@example.com');
    const userId = await idOf(headers);
    await remove(headers, 'not-this-one');
    const event = { email: 'events@example.com', address: '203.0.113.9' };
    const detail = { role: 'support', by: 'owner@example.com' };
    await recordSecurityEvent({ log, now }, db, { ...event, userId, kind: 'role', action: 'changed', detail });
    // An account that had the address before.
    await recordSecurityEvent({ log, now }, db, { ...event, userId: 9_999, kind: 'signIn', action: 'password' });
    const sentMail = {
      recipient: event.email,
      subject: 'S',
      text: 't',
      html: 'h',
      tryAt: now(),
      state: 'sent',
    } as const;
    await db.insert(mails).values({ ...sentMail, id: 'second-factor', kind: 'secondFactor' });
    const answer = await requestTakeout(headers);
    const { securityEvents, mails: ownMails } = answer.json();
    expect(securityEvents.map((one: object) => ({ ...one, createdAt: undefined }))).toEqual(
      expect.arrayContaining([
        { kind: 'role', action: 'changed', address: '203.0.113.9', detail: { role: 'support' } },
        { kind: 'refusal', action: 'wrongCurrentPassword', address: '127.0.0.1', detail: {} },
        { kind: 'account', action: 'signUp', address: '127.0.0.1', detail: {} },
      ]),
    );
    expect(securityEvents).toHaveLength(3);
    expect(answer.body).not.toContain('owner@example.com');
    expect(ownMails.map(({ kind }: { kind: string }) => kind)).toContain('secondFactor');
  });
});

describe('a takeout as a file', () => {
  // Those of the tests above.
  beforeEach(async () => {
    await server.context.db.delete(takeouts);
    await server.context.files.deleteFolder('takeouts/');
  });
  const stateOf = async (headers: Headers) => (await callTakeout('GET', headers)).json();

  test('is asked for, made once, downloaded and deleted after a day', async () => {
    const headers = await server.signUp('once@example.com');
    expect(await stateOf(headers)).toEqual({
      state: 'none',
      filename: null,
      url: null,
      sizeBytes: null,
      deletedAt: null,
    });
    const starts = await Promise.all([1, 2, 3].map(() => callTakeout('POST', headers)));
    expect(starts.map((answer) => answer.json().state)).toEqual(['waiting', 'waiting', 'waiting']);
    expect(await server.context.db.$count(takeouts)).toBe(1);
    await Promise.all([makeTakeouts(server.context), makeTakeouts(server.context)]);
    const { state, url, sizeBytes } = await stateOf(headers);
    expect(state).toBe('done');
    const file = await server.app.inject({ url });
    expect([file.statusCode, file.rawPayload.length]).toEqual([200, sizeBytes]);
    const forgedUrl = url.replace(/s=./, (start: string) => (start === 's=x' ? 's=y' : 's=x'));
    expect((await server.app.inject({ url: forgedUrl })).statusCode).toBe(404);

    server.setNow(new Date(Date.now() + DAY_MS));
    expect((await server.app.inject({ url })).statusCode).toBe(404);
    await sweepTakeouts(server.context);
    server.setNow();
    expect(await stateOf(headers)).toMatchObject({ state: 'none' });
    expect(await listFiles('takeouts/')).toEqual([]);
  });

  test('is one text, however many parts it was written in', { tags: ['detail'] }, async () => {
    const headers = await server.signUp('large@example.com');
    const userId = await idOf(headers);
    const words = 'a "quoted" line\nand another, mit Umlauten: äöü '.repeat(100);
    const rows = Array.from({ length: 1_000 }, (_, i) => ({
      ...{ id: `large-${i}`, userId, name: 'Ann', email: 'large@example.com', feedback: `${i} ${words}` },
      createdAt: new Date(1_700_000_000_000 + i),
    }));
    await server.context.db.insert(feedback).values(rows);
    const data = (await requestTakeout(headers)).json();
    expect(await listFiles('takeouts/')).toHaveLength(2);
    expect(data.feedback.map((one: { feedback: string }) => one.feedback)).toEqual(rows.map((row) => row.feedback));
    expect((await remove(headers)).statusCode).toBe(200);
    expect(await listFiles('takeouts/')).toEqual([]);
  });

  test('goes on where the database did not answer in time, and ends for any other error', async () => {
    const { db } = server.context;
    const ids = Array.from({ length: 50 }, (_, i) => ({ id: String(i) }));
    const calls: string[][] = [];
    const read = async (some: string[]) => {
      calls.push(some);
      if (calls.length === 2) {
        await db.transaction(async (tx) => {
          await tx.execute('set local statement_timeout = 1');
          await tx.execute('select pg_sleep(60)');
        });
      }
      return some;
    };
    const all: string[] = [];
    for await (const id of readInPieces(ids, read)) all.push(id);
    expect(all).toEqual(ids.map(({ id }) => id));
    expect(calls.map((some) => some.length)).toEqual([20, 20, 20, 10]);
    const fail = () => Promise.reject(new Error('A bug.'));
    await expect(readInPieces(ids, fail).next()).rejects.toThrow('A bug.');
  });

  test('of a server that ended is made anew, and one that was taken back is not made', async () => {
    const headers = await server.signUp('again@example.com');
    await callTakeout('POST', headers);
    // As a server leaves it that was killed in the middle.
    const [row] = await server.context.db.update(takeouts).set({ state: 'making', holder: 'dead' }).returning();
    await server.context.files.put(takeoutPartKey(row!.id, 0), new Uint8Array([1]), 'application/json', SITE);
    await makeTakeouts(server.context);
    const { url } = await stateOf(headers);
    expect((await server.app.inject({ url })).json().account.email).toBe('again@example.com');

    const stop = new AbortController();
    await callTakeout('POST', headers);
    stop.abort();
    await makeTakeouts(server.context, stop.signal);
    expect(await stateOf(headers)).toMatchObject({ state: 'waiting' });
    expect((await callTakeout('DELETE', headers)).json()).toEqual({ ok: true });
    await makeTakeouts(server.context);
    expect(await stateOf(headers)).toMatchObject({ state: 'none' });
    expect(await listFiles('takeouts/')).toEqual([]);
  });

  test('that is taken back while it is made leaves nothing behind', async () => {
    const headers = await server.signUp('midway@example.com');
    await callTakeout('POST', headers);
    const { files } = server.context;
    const put: typeof files.put = async (...file) => {
      await files.put(...file);
      await callTakeout('DELETE', headers);
    };
    await makeTakeouts({ ...server.context, media: server.context.media, files: { ...files, put } });
    expect(await stateOf(headers)).toMatchObject({ state: 'none' });
    expect(await listFiles('takeouts/')).toEqual([]);
  });

  test('that fails says so, and can be asked for again', async () => {
    const headers = await server.signUp('fails@example.com');
    await callTakeout('POST', headers);
    const { files } = server.context;
    const put = () => Promise.reject(new AppError('storageFull', 'The disk is full.'));
    await makeTakeouts({ ...server.context, media: server.context.media, files: { ...files, put } });
    expect(await stateOf(headers)).toMatchObject({ state: 'failed', url: null });
    expect((await requestTakeout(headers)).json().account.email).toBe('fails@example.com');
  });
});

describe('deleting an account', () => {
  test('deletes every row and file of it and of nobody else', async () => {
    const { headers, id, designKey } = await createFullAccount('leaving@example.com');
    const other = await createFullAccount('staying@example.com');
    expect(await countRows(id)).toEqual(Array(9).fill(1));

    const answer = await remove(headers);
    expect([answer.statusCode, answer.json()]).toEqual([200, { ok: true }]);
    expect(await countRows(id)).toEqual(Array(9).fill(0));
    expect(await server.context.files.has(designKey)).toBe(false);
    expect((await callTakeout('GET', headers)).statusCode).toBe(401);

    expect(await countRows(other.id)).toEqual(Array(9).fill(1));
    expect(await server.context.files.has(other.designKey)).toBe(true);
    expect((await requestTakeout(other.headers)).statusCode).toBe(200);
  });

  test('deletes sent mails, but not queued ones and not those to the address from others', async () => {
    const { db } = server.context;
    const headers = await server.signUp('mailed@example.com');
    const mailFields = { recipient: 'mailed@example.com', subject: 'S', text: 't', html: 'h', tryAt: new Date() };
    await db.insert(mails).values([
      { ...mailFields, id: 'told', kind: 'receipt', state: 'sent' },
      { ...mailFields, id: 'waits', kind: 'passwordChanged', state: 'queued' },
      { ...mailFields, id: 'list', kind: 'waitlist', state: 'sent' },
      { ...mailFields, id: 'support', kind: 'feedback', state: 'kept' },
    ]);
    await db.update(mails).set({ state: 'kept' }).where(eq(mails.kind, 'verify'));
    expect(
      (await requestTakeout(headers))
        .json()
        .mails.map(({ kind }: { kind: string }) => kind)
        .sort(),
    ).toEqual(['passwordChanged', 'receipt', 'verify']);
    expect((await remove(headers)).statusCode).toBe(200);
    const remainingMails = await db
      .select({ id: mails.id })
      .from(mails)
      .where(eq(mails.recipient, 'mailed@example.com'));
    expect(remainingMails.map(({ id }) => id).sort()).toEqual(['list', 'support', 'waits']);
  });

  test('the address may be signed up with again, for a new account', async () => {
    const first = await server.signUp('back@example.com');
    const id = await idOf(first);
    await remove(first);
    expect(await idOf(await server.signUp('back@example.com'))).toBeGreaterThan(id);
  });

  test('asks for the password', async () => {
    const { headers, id } = await createFullAccount('asked@example.com');
    const answer = await remove(headers, 'not-this-one');
    expect([answer.statusCode, answer.json().message]).toEqual([400, 'The current password is not right.']);
    expect(await countRows(id)).toEqual(Array(9).fill(1));
    const guesses = await Promise.all(Array.from({ length: 12 }, () => remove(headers, 'not-this-one')));
    expect(guesses.filter(({ statusCode }) => statusCode === 429)).toHaveLength(3);
  });

  test('deletes nothing while the payment provider is down', async () => {
    const { headers, id, designKey } = await createFullAccount('paying@example.com');
    isProviderDown = true;
    const answer = await remove(headers);
    expect([answer.statusCode, answer.json().message]).toEqual([503, 'The payment provider does not answer just now.']);
    expect(await countRows(id)).toEqual(Array(9).fill(1));
    expect(await server.context.files.has(designKey)).toBe(true);
    isProviderDown = false;
    expect((await remove(headers)).statusCode).toBe(200);
  });

  test('holds no row while the payment provider is asked', async () => {
    const { headers, id } = await createFullAccount('unlocked@example.com');
    let lockedIds: number[] | undefined;
    whileEnding = async () => {
      const rows = server.context.db.select({ id: users.id }).from(users).where(eq(users.id, id));
      lockedIds = (await rows.for('update', { noWait: true })).map((row) => row.id);
    };
    expect((await remove(headers)).statusCode).toBe(200);
    expect(lockedIds).toEqual([id]);
    expect(await countRows(id)).toEqual(Array(9).fill(0));
  });

  test('deletes nothing when a plan is begun meanwhile, and ends that one with the next try', async () => {
    const { headers, id } = await createFullAccount('buying@example.com');
    const endedCustomers: string[] = [];
    whileEnding = async (customerId) => {
      endedCustomers.push(customerId);
      const mine = eq(subscriptions.userId, id);
      await server.context.db
        .update(subscriptions)
        .set({ customerId: `test_0${id}` })
        .where(mine);
    };
    const answer = await remove(headers);
    expect([answer.statusCode, answer.json().message]).toEqual([
      409,
      'A plan was begun for this account just now. Please try again.',
    ]);
    expect(await server.context.db.$count(users, eq(users.id, id))).toBe(1);
    expect((await remove(headers)).statusCode).toBe(200);
    expect(endedCustomers).toEqual([`test_${id}`, `test_0${id}`]);
  });

  test('asks the payment provider for nothing before the code of the second factor is right', async () => {
    const { db, now } = server.context;
    const { headers, id } = await createFullAccount('guessed@example.com');
    await db.insert(secondFactors).values({ userId: id, secret: 'sealed', confirmedAt: now(), lastStep: 0 });
    let endings = 0;
    whileEnding = async () => void endings++;
    const payload = { password: PASSWORD, code: 'abcd-efgh-2345-jkmn-pqrs-tuvw' };
    const answer = await server.app.inject({ method: 'POST', url: '/api/users/delete-account', payload, headers });
    expect([answer.statusCode, endings]).toEqual([400, 0]);
    expect(await countRows(id)).toEqual(Array(9).fill(1));
  });

  test('leaves a code of the second factor unused while the payment provider is down', async () => {
    const { db, now } = server.context;
    const { headers, id } = await createFullAccount('careful@example.com');
    await db.insert(secondFactors).values({ userId: id, secret: 'sealed', confirmedAt: now(), lastStep: 0 });
    const code = 'abcd-efgh-2345-jkmn-pqrs-tuvw';
    await db.insert(recoveryCodes).values({ id: hashRecoveryCode(id, code), userId: id });
    const removeWithCode = () =>
      server.app.inject({
        method: 'POST',
        url: '/api/users/delete-account',
        payload: { password: PASSWORD, code },
        headers,
      });
    isProviderDown = true;
    expect((await removeWithCode()).statusCode).toBe(503);
    isProviderDown = false;
    expect((await removeWithCode()).statusCode).toBe(200);
  });

  test('keeps an account that a provider still charges while its keys are missing', async () => {
    const { headers, id } = await createFullAccount('charged@example.com');
    const set = (values: object) =>
      server.context.db.update(subscriptions).set(values).where(eq(subscriptions.userId, id));
    await set({ provider: 'stripe', status: 'past_due' });
    const answer = await remove(headers);
    expect([answer.statusCode, answer.json().message]).toEqual([
      503,
      'Your subscription cannot be ended just now. Please write to our support.',
    ]);
    expect(await countRows(id)).toEqual(Array(9).fill(1));
    await set({ status: 'inactive' });
    expect((await remove(headers)).statusCode).toBe(200);
  });

  test('refuses to delete the administrator’s account', async () => {
    await ensureAdmin(server.context);
    const payload = { email: server.context.config.adminEmail, password: 'the-workshop-key' };
    const { token } = (await server.app.inject({ method: 'POST', url: '/api/auth/login', payload })).json();
    const answer = await remove({ authorization: `Bearer ${token}` }, 'the-workshop-key');
    expect([answer.statusCode, answer.json().message]).toEqual([403, 'The administrator’s account cannot be deleted.']);
    expect(await server.context.db.$count(users, eq(users.id, 1))).toBe(1);
  });

  test('keeps the guest of this browser', async () => {
    const guestId = 'guest-of-the-deleting-test';
    await server.context.db.insert(guests).values({ id: guestId, address: '203.0.113.1' });
    const cookie = `guest=${encodeURIComponent(server.app.signCookie(guestId))}`;
    const headers = await server.signUp('guest@example.com');
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/users/delete-account',
      payload: { password: PASSWORD },
      headers: { ...headers, cookie },
    });
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([200, undefined]);
    expect(await server.context.db.$count(guests, eq(guests.id, guestId))).toBe(1);
  });

  test('an upload during the deletion ends with a message and leaves no row', async () => {
    const headers = await server.signUp('uploading@example.com');
    whileDecoding = async () => {
      expect((await remove(headers)).statusCode).toBe(200);
    };
    const form = await formOf({ file: { bytes: new Uint8Array([1]), filename: 'a.png', mediaType: 'image/png' } });
    const before = await server.context.db.$count(designs);
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/designs/upload',
      payload: form.payload,
      headers: { ...form.headers, ...headers },
    });
    expect([answer.statusCode, answer.json().message]).toEqual([401, 'Your account is not there any more.']);
    expect(await server.context.db.$count(designs)).toBe(before);
  });
});
