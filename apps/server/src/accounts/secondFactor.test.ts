import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signInAdmin } from '../../test/admin.ts';
import { mailsTo } from '../../test/mailbox.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { createSecretBox } from '../platform/secretBox.ts';
import { rateLimits, securityEvents } from '../platform/tables.ts';
import { mailReset } from './passwordChange.ts';
import { resealSecrets } from './secondFactorCodes.ts';
import { sweepSessions } from './sessions.ts';
import { pendingSignIns, recoveryCodes, secondFactors, sessions, users } from './tables.ts';
import { unlockAccount } from './unlock.ts';

const PASSWORD = 'walnut-board';
const NEXT = 'maple-coaster';
const STEP_MS = 30_000;
const WRONG = 'This code is not right, or it was used already.';
const NEEDED = 'This account has a second factor. Enter a code of the app, or a recovery code.';
const TOO_LATE = 'This sign-in took too long. Please start again with your password.';

const lines: string[] = [];
let server: TestApp;
/** The clock of the server stands at the beginning of a time step, and moves by `nextStep`. */
let now = Math.ceil(Date.now() / STEP_MS) * STEP_MS;
beforeAll(async () => {
  server = await createTestApp({
    environment: { ADMIN_PASSWORD: 'a workshop key' },
    logTo: { write: (line) => void lines.push(line) },
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  server.setNow(new Date(now));
  await server.context.db.delete(rateLimits);
});

function nextStep(count = 1): void {
  now += count * STEP_MS;
  server.setNow(new Date(now));
}

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  server.app.inject({ method: 'POST', url, payload, headers });
const logIn = (email: string, password = PASSWORD) => post('/api/auth/login', { email, password });
const complete = (pendingToken: string, code: string) => post('/api/auth/login/code', { pendingToken, code });
const change = (what: string, payload: object, headers: { authorization: string }) =>
  post(`/api/auth/second-factor/${what}`, payload, headers);
const answerOf = ({ statusCode, json }: { statusCode: number; json: () => { message?: string } }) => [
  statusCode,
  json().message,
];

/** Returns what an authenticator app shows, `steps` time steps from now. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now + steps * STEP_MS });

interface Person {
  readonly email: string;
  readonly headers: { authorization: string };
  readonly secret: string;
  readonly codes: readonly string[];
}

/** Signs up, and puts a second factor in use. */
async function signUpWithCodes(email: string): Promise<Person> {
  const headers = await server.signUp(email);
  const setup = (await change('setup', { password: PASSWORD }, headers)).json();
  const answer = await change('confirm', { code: codeOf(setup.secret) }, headers);
  expect(answer.statusCode, answer.body).toBe(200);
  nextStep();
  return { email, headers, secret: setup.secret, codes: answer.json().recoveryCodes };
}

const startSignIn = async (email: string): Promise<string> => (await logIn(email)).json().pendingToken;

describe('setting up', () => {
  test('asks for the password, gives a secret in three forms, and counts from the first right code on', async () => {
    const headers = await server.signUp('ann@example.com');
    expect(answerOf(await change('setup', { password: 'not-this' }, headers))).toEqual([
      400,
      'The current password is not right.',
    ]);
    const first = (await change('setup', { password: PASSWORD }, headers)).json();
    const setup = (await change('setup', { password: PASSWORD }, headers)).json();
    expect(setup.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(setup.secret).not.toBe(first.secret);
    expect(setup.uri).toContain(`secret=${setup.secret}`);
    expect(setup.uri).toMatch(/^otpauth:\/\/totp\/Markwright%20\(studio\.test\):ann%40example\.com\?/);
    expect(setup.qr.path).toMatch(/^(M\d+ \d+h1v1h-1z)+$/);

    // Not in use before it is confirmed, and the secret from before counts no more.
    expect((await logIn('ann@example.com')).json()).toHaveProperty('token');
    for (const code of [codeOf(first.secret), '000000', 'abcdef']) {
      expect(answerOf(await change('confirm', { code }, headers))).toEqual([400, WRONG]);
    }
    const answer = await change('confirm', { code: codeOf(setup.secret) }, headers);
    expect(new Set(answer.json().recoveryCodes).size).toBe(10);
    // 24 characters of 5 bits: stored as a plain hash, a code needs 112 bits or more.
    for (const code of answer.json().recoveryCodes) expect(code).toMatch(/^([a-km-np-z2-9]{4}-){5}[a-km-np-z2-9]{4}$/);
    expect((await logIn('ann@example.com')).json()).toEqual({ pendingToken: expect.stringMatching(/^[\w-]{43}$/) });
    expect((await server.app.inject({ url: '/api/auth/second-factor', headers })).json()).toEqual({
      isOn: true,
      recoveryCodesLeft: 10,
    });
    expect((await change('setup', { password: PASSWORD }, headers)).statusCode).toBe(409);
    expect((await change('confirm', { code: codeOf(setup.secret, 1) }, headers)).statusCode).toBe(409);
    expect((await mailsTo(server, 'ann@example.com')).map(({ subject }) => subject)).toContain(
      'Your second factor is on',
    );
    nextStep();
  });

  test('stores the secret encrypted, recovery codes as hashes, and logs neither', async () => {
    lines.length = 0;
    const { email, secret, codes } = await signUpWithCodes('secret@example.com');
    const pendingToken = await startSignIn(email);
    await complete(pendingToken, codes[0]!);
    const dump = JSON.stringify([
      await server.context.db.select().from(secondFactors),
      await server.context.db.select().from(recoveryCodes),
      await server.context.db.select().from(pendingSignIns),
      await server.context.db.select().from(securityEvents),
      lines,
    ]);
    for (const text of [secret, pendingToken, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) {
      expect(dump).not.toContain(text);
    }
  });

  test('a secret opens with its own key, for its own account, and undamaged', () => {
    const box = createSecretBox([randomBytes(32)]);
    const sealedText = box.seal('JBSWY3DP', 'a');
    expect(box.open(sealedText, 'a')).toBe('JBSWY3DP');
    expect(box.seal('JBSWY3DP', 'a')).not.toBe(sealedText);
    expect(box.open(sealedText, 'b')).toBeUndefined();
    expect(createSecretBox([randomBytes(32)]).open(sealedText, 'a')).toBeUndefined();
    const [old, next] = [randomBytes(32), randomBytes(32)];
    const olderText = createSecretBox([old]).seal('JBSWY3DP', 'a');
    expect(createSecretBox([next, old]).open(olderText, 'a')).toBe('JBSWY3DP');
    const newerText = createSecretBox([next, old]).seal('JBSWY3DP', 'a');
    expect(createSecretBox([next]).open(newerText, 'a')).toBe('JBSWY3DP');
    for (const text of ['', 'AAAA', sealedText.slice(0, -2), `A${sealedText.slice(1)}`]) {
      expect(text === sealedText ? undefined : box.open(text, 'a')).toBeUndefined();
    }
  });

  test('are encrypted with the new key, so that the old one can be taken out', async () => {
    const [old, next] = [randomBytes(32), randomBytes(32)];
    const { db } = server.context;
    await server.signUp('rotated@example.com');
    const [{ id } = { id: 0 }] = await db.select().from(users).where(eq(users.email, 'rotated@example.com'));
    const owner = `second factor ${id}`;
    const secret = createSecretBox([old]).seal('JBSWY3DP', owner);
    await db.insert(secondFactors).values({ userId: id, secret, lastStep: 0 });
    const readSecret = async () =>
      (await db.select().from(secondFactors).where(eq(secondFactors.userId, id)))[0]!.secret;
    const without = await resealSecrets({ db, secretBox: createSecretBox([next]) });
    expect(await readSecret()).toBe(secret);
    const { count, lostCount } = await resealSecrets({ db, secretBox: createSecretBox([next, old]) });
    expect([count - without.count, without.lostCount - lostCount]).toEqual([1, 1]);
    expect(createSecretBox([next]).open(await readSecret(), owner)).toBe('JBSWY3DP');
    await db.delete(secondFactors).where(eq(secondFactors.userId, id));
  });
});

describe('the second step', () => {
  test('takes the code of now, of the step before and of the step after, and no others', async () => {
    const { email, secret } = await signUpWithCodes('steps@example.com');
    for (const steps of [-2, 2, 3]) {
      const answer = await complete(await startSignIn(email), codeOf(secret, steps));
      expect(answerOf(answer)).toEqual([401, WRONG]);
    }
    for (const steps of [-1, 0, 1]) {
      nextStep(3);
      const answer = await complete(await startSignIn(email), codeOf(secret, steps));
      expect(answer.statusCode).toBe(200);
      const headers = { authorization: `Bearer ${answer.json().token}` };
      expect((await server.app.inject({ url: '/api/auth/me', headers })).json().email).toBe(email);
    }
  });

  test('takes a code once, and none older than it', async () => {
    const { email, secret } = await signUpWithCodes('replay@example.com');
    nextStep(2);
    const code = codeOf(secret);
    expect((await complete(await startSignIn(email), code)).statusCode).toBe(200);
    for (const other of [code, codeOf(secret, -1)]) {
      expect(answerOf(await complete(await startSignIn(email), other))).toEqual([401, WRONG]);
    }
    // One of ten simultaneous calls with the next code gets a session.
    nextStep();
    const tokens = await Promise.all(Array.from({ length: 10 }, () => startSignIn(email)));
    const answers = await Promise.all(tokens.map((token) => complete(token, codeOf(secret))));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  test('takes each recovery code once, with or without hyphens, and mails the owner how many are left', async () => {
    const { email, codes, headers } = await signUpWithCodes('recovery@example.com');
    expect((await complete(await startSignIn(email), codes[0]!)).statusCode).toBe(200);
    expect(answerOf(await complete(await startSignIn(email), codes[0]!))).toEqual([401, WRONG]);
    const spoken = codes[1]!.replaceAll('-', ' ').toUpperCase();
    expect((await complete(await startSignIn(email), spoken)).statusCode).toBe(200);
    const state = await server.app.inject({ url: '/api/auth/second-factor', headers });
    expect(state.json()).toEqual({ isOn: true, recoveryCodesLeft: 8 });
    const mails = (await mailsTo(server, email)).filter(({ subject }) => subject === 'A recovery code was used');
    expect(mails.map(({ text }) => /\d+ recovery codes? (is|are) left\./.exec(text)?.[0])).toEqual([
      '9 recovery codes are left.',
      '8 recovery codes are left.',
    ]);
    // Not those of another account.
    const other = await signUpWithCodes('other@example.com');
    expect(answerOf(await complete(await startSignIn(email), other.codes[0]!))).toEqual([401, WRONG]);
  });

  test('a pending sign-in is no session, works once and ends after ten minutes', async () => {
    const { email, codes } = await signUpWithCodes('pending@example.com');
    const pendingToken = await startSignIn(email);
    const count = await server.context.db.$count(sessions);
    for (const url of ['/api/auth/me', '/api/users/stats', '/api/auth/second-factor']) {
      const headers = { authorization: `Bearer ${pendingToken}` };
      expect((await server.app.inject({ url, headers })).statusCode).toBe(401);
    }
    expect(await server.context.db.$count(sessions)).toBe(count);
    expect((await complete(pendingToken, codes[0]!)).statusCode).toBe(200);
    expect(answerOf(await complete(pendingToken, codes[1]!))).toEqual([401, TOO_LATE]);
    expect(answerOf(await complete('x', codes[1]!))).toEqual([401, TOO_LATE]);

    const late = await startSignIn(email);
    nextStep(21);
    expect(answerOf(await complete(late, codes[1]!))).toEqual([401, TOO_LATE]);
    await sweepSessions(server.context);
    expect(await server.context.db.$count(pendingSignIns)).toBe(0);
  });

  test('ends with a change of the password', async () => {
    const { email, codes } = await signUpWithCodes('changed@example.com');
    const pendingToken = await startSignIn(email);
    await mailReset(server.context, { email });
    const mail = (await mailsTo(server, email)).findLast(({ kind }) => kind === 'reset');
    const token = /token=([\w-]{43})/.exec(mail!.text)![1];
    expect((await post('/api/auth/reset-password', { token, password: NEXT })).statusCode).toBe(200);
    expect(answerOf(await complete(pendingToken, codes[0]!))).toEqual([401, TOO_LATE]);
    // A reset does not go around the second factor.
    expect((await logIn(email, NEXT)).json()).toEqual({ pendingToken: expect.any(String) });
  });

  test('checks ten codes in 15 minutes and fifty a day, and records the refusals', async () => {
    const { email, codes } = await signUpWithCodes('guessed@example.com');
    let refusedCount = 0;
    for (let quarter = 0; quarter < 8; quarter++) {
      const pendingToken = await startSignIn(email);
      for (let i = 0; i < 12; i++) {
        const { statusCode } = await complete(pendingToken, String(100_000 + i));
        if (statusCode === 401) refusedCount++;
        else expect(statusCode).toBe(429);
      }
      nextStep(31);
    }
    expect(refusedCount).toBe(50);
    expect((await complete(await startSignIn(email), codes[0]!)).statusCode).toBe(429);
    const rows = await server.context.db.select().from(securityEvents).where(eq(securityEvents.email, email));
    expect(rows.filter(({ action }) => action === 'wrongCode')).toHaveLength(50);
    await unlockAccount(server.context, email);
    expect((await complete(await startSignIn(email), codes[0]!)).statusCode).toBe(200);
  });
});

describe('a change', () => {
  test('asks for password and code, and for another code each time', async () => {
    const { email, headers, secret, codes } = await signUpWithCodes('off@example.com');
    const renewal = await change('recovery-codes', { password: PASSWORD, code: codes[0]! }, headers);
    expect(renewal.json().recoveryCodes).toHaveLength(10);
    const code = codeOf(secret);
    const refusals = [
      { password: 'not-this', code },
      { password: PASSWORD, code: '000000' },
      { password: PASSWORD, code: codes[1]! }, // replaced
      { password: PASSWORD, code: codes[0]! }, // used
    ];
    for (const proof of refusals) expect((await change('disable', proof, headers)).statusCode).toBe(400);
    expect((await change('disable', { password: PASSWORD, code }, headers)).statusCode).toBe(200);
    expect((await logIn(email)).json()).toHaveProperty('token');
    expect(await server.context.db.$count(recoveryCodes, eq(recoveryCodes.userId, 0))).toBe(0);
    const rows = await server.context.db.select().from(securityEvents).where(eq(securityEvents.email, email));
    expect(
      rows
        .filter(({ kind }) => kind === 'secondFactor')
        .map(({ action }) => action)
        .sort(),
    ).toEqual(['off', 'on', 'recoveryCodesRenewed']);
    expect((await mailsTo(server, email)).map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(['Your second factor is on', 'You have new recovery codes', 'Your second factor is off']),
    );
  });

  test('of the password asks for a code, with the sentence and the count of a sign-in', async () => {
    const { email, headers, secret, codes } = await signUpWithCodes('next.password@example.com');
    const changePassword = (proof: object) =>
      post('/api/auth/change-password', { newPassword: NEXT, ...proof }, headers);
    const currentPassword = PASSWORD;
    expect(answerOf(await changePassword({ currentPassword }))).toEqual([400, NEEDED]);
    // A code counts for nothing without the password.
    expect((await changePassword({ currentPassword: 'not-this', code: codeOf(secret) })).statusCode).toBe(400);
    for (let i = 0; i < 6; i++) {
      expect(answerOf(await changePassword({ currentPassword, code: String(100_000 + i) }))).toEqual([400, WRONG]);
    }
    // These are counted with those of a sign-in: ten in all.
    const pendingToken = await startSignIn(email);
    for (let i = 0; i < 4; i++) expect((await complete(pendingToken, String(200_000 + i))).statusCode).toBe(401);
    expect((await changePassword({ currentPassword, code: codes[0]! })).statusCode).toBe(429);
    expect((await logIn(email)).statusCode).toBe(200);
    const rows = await server.context.db.select().from(securityEvents).where(eq(securityEvents.email, email));
    expect(rows.filter(({ action }) => action === 'wrongCode')).toHaveLength(10);

    nextStep(31);
    // A new password that is refused leaves the code unused.
    const proof = { currentPassword, code: codes[0]! };
    expect((await changePassword({ ...proof, newPassword: 'password' })).statusCode).toBe(400);
    expect((await changePassword(proof)).statusCode).toBe(200);
    expect((await logIn(email)).statusCode).toBe(401);
    const again = { currentPassword: NEXT, newPassword: PASSWORD };
    expect(answerOf(await changePassword({ ...again, code: codes[0]! }))).toEqual([400, WRONG]);
    expect((await changePassword({ ...again, code: codeOf(secret) })).statusCode).toBe(200);
  });

  test('that deletes the account asks for a code, and a wrong one deletes nothing', async () => {
    const { email, headers, codes } = await signUpWithCodes('goodbye@example.com');
    const remove = (proof: object) => post('/api/users/delete-account', proof, headers);
    expect(answerOf(await remove({ password: PASSWORD }))).toEqual([400, NEEDED]);
    expect(answerOf(await remove({ password: PASSWORD, code: '123456' }))).toEqual([400, WRONG]);
    expect((await server.app.inject({ url: '/api/auth/me', headers })).json().email).toBe(email);
    expect((await remove({ password: PASSWORD, code: codes[0]! })).statusCode).toBe(200);
    expect((await server.app.inject({ url: '/api/auth/me', headers })).statusCode).toBe(401);
  });

  test('without a second factor needs no code, and ignores one', async () => {
    const headers = await server.signUp('password.alone@example.com');
    const proof = { currentPassword: PASSWORD, newPassword: NEXT, code: '123456' };
    expect((await post('/api/auth/change-password', proof, headers)).statusCode).toBe(200);
    expect((await change('disable', { password: NEXT, code: '123456' }, headers)).statusCode).toBe(409);
  });

  test('the operator turns it off for an owner who lost phone and codes', async () => {
    const { email } = await signUpWithCodes('lost@example.com');
    expect((await unlockAccount(server.context, email)).hadSecondFactor).toBe(false);
    expect((await logIn(email)).json()).toHaveProperty('pendingToken');
    expect((await unlockAccount(server.context, email, true)).hadSecondFactor).toBe(true);
    expect((await logIn(email)).json()).toHaveProperty('token');
  });
});

describe('with ADMIN_SECOND_FACTOR=required', () => {
  let strict: TestApp;
  beforeAll(async () => {
    const environment = { ADMIN_PASSWORD: 'a workshop key', ADMIN_SECOND_FACTOR: 'required' };
    strict = await createTestApp({ environment });
  });
  afterAll(() => strict.close());

  test('the portal opens to an administrator with a second factor, and everything else to all', async () => {
    const headers = await signInAdmin(strict);
    const get = (url: string) => strict.app.inject({ url, headers });
    expect((await get('/api/auth/me')).json()).toMatchObject({ isAdmin: true, needsSecondFactor: true });
    expect(answerOf(await get('/api/admin/users'))).toEqual([
      403,
      'Administrators need a second factor here. Set one up in your profile first.',
    ]);
    const setUp = (what: string, payload: object) =>
      strict.app.inject({ method: 'POST', url: `/api/auth/second-factor/${what}`, payload, headers });
    const { secret } = (await setUp('setup', { password: 'a workshop key' })).json();
    strict.setNow(new Date(now));
    expect((await setUp('confirm', { code: codeOf(secret) })).statusCode).toBe(200);
    expect((await get('/api/auth/me')).json()).toMatchObject({ needsSecondFactor: false });
    expect((await get('/api/admin/users')).statusCode).toBe(200);
    const user = await strict.signUp('user@example.com');
    const own = await strict.app.inject({ url: '/api/auth/me', headers: user });
    expect(own.json()).toMatchObject({ needsSecondFactor: false });
  });
});
