import { feedbackFailed, messages, NO_EMAIL, NO_NAME } from '@markwright/contract';
import { asc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listText, repetitions } from '../../test/campaign.ts';
import { mailsTo } from '../../test/mailbox.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { mails } from '../mail/tables.ts';
import { sweepGuestFeedback, sweepWaitlist } from './feedback.ts';
import { feedback, waitlist } from './tables.ts';

let server: TestApp;
const lines: string[] = [];
beforeAll(async () => {
  server = await createTestApp({ logTo: { write: (line) => void lines.push(line) } });
});
afterAll(() => server.close());

/** Gives each call another network, so that no rate limit of another test applies. */
let places = 0;
const post = (path: string, payload: object, headers = {}, remoteAddress = `10.0.${++places >> 8}.${places & 255}`) =>
  server.app.inject({ method: 'POST', url: `/api/${path}`, payload, headers, remoteAddress });

const readMessage = async (answer: ReturnType<typeof post>) => {
  const { statusCode, body } = await answer;
  return [statusCode, JSON.parse(body).message];
};

const newest = async () =>
  (await server.context.db.select().from(feedback).orderBy(asc(feedback.createdAt), sql`${feedback}.ctid`)).at(-1);
const newestMail = async () => (await mailsTo(server, server.context.config.supportEmail)).at(-1);

describe('feedback', () => {
  test('is stored and mailed to the support mailbox, with a reply address', async () => {
    const answer = await post('send-feedback', {
      name: ' Jo ',
      email: 'Jo@Example.org',
      feedback: '  The knife is too short.\n',
    });
    expect([answer.statusCode, answer.json()]).toEqual([200, { ok: true }]);
    expect(await newest()).toMatchObject({
      userId: null,
      name: 'Jo',
      email: 'Jo@Example.org',
      feedback: 'The knife is too short.',
    });
    expect(await newestMail()).toMatchObject({
      recipient: 'support@markwright.local',
      replyTo: 'jo@example.org',
      subject: 'Feedback from Jo',
      text: expect.stringContaining('> The knife is too short.'),
      state: 'queued',
    });
  });

  test('contains the account that sent it', async () => {
    const jo = await server.signUp('jo@example.com');
    await post('send-feedback', { name: '', email: '', feedback: 'Good.' }, jo);
    const me = (await server.app.inject({ url: '/api/auth/me', headers: jo })).json();
    expect(await newest()).toMatchObject({ userId: me.id });
    expect((await newestMail())?.text).toMatch(new RegExp(`Account: +number ${me.id}\\n`));
  });

  test.each([
    ['', ''],
    ['  ', '\n'],
    [NO_NAME, NO_EMAIL],
  ])('without a name and an address (%j, %j) is marked so', async (name, email) => {
    expect((await post('send-feedback', { name, email, feedback: 'Good.' })).statusCode).toBe(200);
    expect(await newest()).toMatchObject({ name: 'Anonymous', email: 'No email provided' });
    expect(await newestMail()).toMatchObject({
      replyTo: null,
      subject: 'Feedback from Anonymous',
      text: expect.stringContaining('No email provided'),
    });
  });

  test.each([
    'jo',
    'jo@example',
    'jo@example.org, ann@example.org',
    'Jo <jo@example.org>',
    'jo@exämple.org',
    'jo@example.org\r\nBcc: a@b.cc',
  ])('with the invalid address %j is accepted without a reply address', async (email) => {
    expect((await post('send-feedback', { name: '', email, feedback: 'Good.' })).statusCode).toBe(200);
    expect(await newest()).toMatchObject({ email });
    expect(await newestMail()).toMatchObject({ replyTo: null });
  });

  test.each(['', '   ', '\n\t', '\u00a0\u2003'])('without text (%j) is rejected', async (words) => {
    expect(await readMessage(post('send-feedback', { name: '', email: '', feedback: words }))).toEqual([
      400,
      'Please enter your feedback before submitting.',
    ]);
    expect(messages.feedbackRequired).toEqual({
      title: 'Feedback Required',
      description: 'Please enter your feedback before submitting.',
    });
  });

  test('has length limits', async () => {
    const fits = { name: 'n'.repeat(120), email: 'e'.repeat(254), feedback: 'f'.repeat(5000) };
    expect((await post('send-feedback', fits)).statusCode).toBe(200);
    expect(await newest()).toMatchObject(fits);
    expect(await readMessage(post('send-feedback', { ...fits, feedback: 'f'.repeat(5001) }))).toEqual([
      400,
      'Please keep it under 5000 characters.',
    ]);
    expect(await readMessage(post('send-feedback', { ...fits, name: 'n'.repeat(121) }))).toEqual([
      400,
      'Please keep the name under 120 characters.',
    ]);
    expect(await readMessage(post('send-feedback', { ...fits, email: 'e'.repeat(255) }))).toEqual([
      400,
      'Invalid email address',
    ]);
    expect((await post('send-feedback', { feedback: 'Good.' })).statusCode).toBe(400);
  });

  test.each(['a\0b', '\ud800', 'a\udc00b'])('with %j, which the database cannot store, is rejected', async (words) => {
    const refusal = [400, 'There is a character in it that cannot be stored.'];
    expect(await readMessage(post('send-feedback', { name: '', email: '', feedback: words }))).toEqual(refusal);
    expect(await readMessage(post('send-feedback', { name: words, email: '', feedback: 'Good.' }))).toEqual(refusal);
    expect(await readMessage(post('send-feedback', { name: '', email: words, feedback: 'Good.' }))).toEqual(refusal);
  });

  test('of a guest goes after two years, and that of an account stays', async () => {
    const { db } = server.context;
    const headers = await server.signUp('stays@example.com');
    for (const [name, sender] of [
      ['guest', {}],
      ['account', headers],
    ] as const) {
      await post('send-feedback', { name, email: '', feedback: 'Said long ago.' }, sender);
    }
    const isOld = eq(feedback.feedback, 'Said long ago.');
    await db
      .update(feedback)
      .set({ createdAt: new Date('2020-05-05T10:00:00Z') })
      .where(isOld);
    const readNamesAfter = async (time: string) => {
      await sweepGuestFeedback({ ...server.context, now: () => new Date(time) });
      return (await db.select({ name: feedback.name }).from(feedback).where(isOld)).map(({ name }) => name).sort();
    };
    expect(await readNamesAfter('2022-05-05T10:00:00Z')).toEqual(['account', 'guest']);
    expect(await readNamesAfter('2022-05-05T10:00:01Z')).toEqual(['account']);
  });

  test('from one network is limited to ten an hour', async () => {
    const say = () => post('send-feedback', { name: '', email: '', feedback: 'Again.' }, {}, '203.0.113.9');
    const answers = await Promise.all(Array.from({ length: 30 }, say));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(10);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(20);
    const limitedAnswer = await say();
    expect(limitedAnswer.json().message).toBe('Too many tries. Please wait 60 minutes.');
    expect(Number(limitedAnswer.headers['retry-after'])).toBeGreaterThan(3500);
    // Another network is not limited.
    expect((await post('send-feedback', { name: '', email: '', feedback: 'First.' })).statusCode).toBe(200);
  });
});

const naughty = [
  'undefined',
  'null',
  'NaN',
  'true',
  '-1',
  '1/0',
  '__proto__',
  'constructor',
  '0x0',
  '1e309',
  '\u200b',
  '\ufeff',
  '\u202etest\u202c',
  '\u0001\u0002\u001b[31m',
  '\r\n',
  'line\rline',
  '\u2028',
  '田中さん',
  'ﷺ',
  '👩‍👩‍👧‍👦',
  'Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮',
  "'; drop table feedback; --",
  '$(touch x)',
  '`id`',
  '%s%n%x',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '<svg/onload=alert(1)>',
  '\\',
  '\\\\',
  '../../etc/passwd',
  'a\tb',
  '\u00a0x',
  '\ud83d\ude00',
  'İıKſ',
];

describe('T13: naughty strings', () => {
  const list = (name: string): unknown[] => JSON.parse(listText(name) ?? '[]');
  const all = [
    ...naughty,
    ...[
      ...list('blns.json'),
      ...list('dompurify-expect-even.json').map((one) => (one as { payload: string }).payload),
    ].filter((_, i) => i % repetitions(4, 1) === 0),
  ].filter((one): one is string => typeof one === 'string');

  test('in every field are stored as sent, mailed as text, and break no line of the log', {
    tags: ['detail'],
  }, async () => {
    const before = lines.length;
    let acceptedCount = 0;
    for (const words of all) {
      const input = { name: words.slice(0, 120), email: words.slice(0, 254), feedback: words.slice(0, 5000) };
      const answer = await post('send-feedback', input);
      expect([200, 400], `${JSON.stringify(words)}: ${answer.body}`).toContain(answer.statusCode);
      if (answer.statusCode === 400) {
        const isEmpty = words.trim() === '';
        const isUnstorable = /[\0\p{Cs}]/u.test(input.name + input.email + input.feedback);
        expect(isEmpty || isUnstorable, `${JSON.stringify(words)}: ${answer.body}`).toBe(true);
        continue;
      }
      acceptedCount++;
      expect(await newest()).toMatchObject({
        name: input.name.trim(),
        email: input.email.trim(),
        feedback: input.feedback.trim(),
      });
      const mail = await newestMail();
      expect(mail?.text.replace(/^> /gm, '')).toContain(input.feedback.trim());
      expect(mail?.html).not.toMatch(/<(script|img|svg|iframe|a)\b/i);
      expect(mail?.subject).not.toMatch(/[\r\n]/);
      await server.context.db.delete(mails);
      await server.context.db.delete(feedback);
    }
    expect(acceptedCount).toBeGreaterThan(naughty.length - 5);
    const newLines = lines.slice(before);
    expect(newLines.length).toBeGreaterThanOrEqual(all.length);
    for (const line of newLines) expect(() => JSON.parse(line), line).not.toThrow();
    // The log must not contain the text of people.
    expect(newLines.join('')).not.toContain('alert(1)');
  });
});

test('the messages of the pages are the specified ones', () => {
  expect(messages.feedbackSent).toBe('Feedback Sent!');
  expect(feedbackFailed('support@example.com')).toBe(
    'Please try again later or contact us directly at support@example.com',
  );
  expect(messages.waitlistJoined.title).toBe('Welcome to the waitlist!');
  expect(messages.waitlistJoined.description).toMatch(/discount code for your first 3 months.*feedback/);
  expect(messages.waitlistFailed).toEqual({ title: 'Something went wrong', description: 'Please try again later.' });
});

describe('the waitlist', () => {
  const codeOf = async (email: string) =>
    (await server.context.db.select().from(waitlist).where(eq(waitlist.email, email)))[0]?.code;

  test('accepts an address and mails a code that is easy to read aloud', async () => {
    const answer = await post('waitlist', { email: ' Ann@Example.com'.trim() });
    expect([answer.statusCode, answer.json()]).toEqual([200, { ok: true }]);
    const code = await codeOf('ann@example.com');
    expect(code).toMatch(/^FOUND-[2-9ACDEFGHJKMNPQRTVWXY]{4}-[2-9ACDEFGHJKMNPQRTVWXY]{2}$/);
    const waitlistMails = await mailsTo(server, 'ann@example.com');
    expect(waitlistMails).toMatchObject([{ kind: 'waitlist', text: expect.stringContaining(code ?? '-') }]);
    expect(waitlistMails[0]?.text).toContain('50% off any plan for your first 3 months');
  });

  test('sends one code for an address, in every spelling and from simultaneous calls, with the same answer', async () => {
    const spellings = ['bob@example.com', 'BOB@example.com', 'Bob@Example.COM', ' bob@example.com'.trim()];
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) => post('waitlist', { email: spellings[index % 4] })),
    );
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`))).toEqual(
      new Set(['200 {"ok":true}']),
    );
    expect(await mailsTo(server, 'bob@example.com')).toHaveLength(1);
    const code = await codeOf('bob@example.com');
    await post('waitlist', { email: 'bob@example.com' });
    expect(await codeOf('bob@example.com')).toBe(code);
    expect(await mailsTo(server, 'bob@example.com')).toHaveLength(1);
  });

  test('gives every address a different code', async () => {
    for (let number = 0; number < 50; number++) await post('waitlist', { email: `many${number}@example.com` });
    const rows = await server.context.db.select({ code: waitlist.code }).from(waitlist);
    expect(rows.length).toBeGreaterThanOrEqual(52);
    expect(new Set(rows.map(({ code }) => code)).size).toBe(rows.length);
  });

  test.each([
    '',
    'ann',
    'ann@example',
    'ann@exаmple.com',
    'a@b.cc, c@d.ee',
    'a@b.cc\r\nBcc: c@d.ee',
    '"a b"@example.com',
    `${'a'.repeat(250)}@b.cc`,
  ])('rejects %j', async (email) => {
    expect(await readMessage(post('waitlist', { email }))).toEqual([400, 'Invalid email address']);
  });

  test('keeps an address and its code for two years, as its mail says', async () => {
    const { db } = server.context;
    const email = 'early@example.com';
    await post('waitlist', { email });
    expect((await mailsTo(server, email))[0]?.text).toContain('It works once, within 2 years.');
    await db
      .update(waitlist)
      .set({ createdAt: new Date('2020-02-29T10:00:00Z') })
      .where(eq(waitlist.email, email));
    const sweepAt = (time: string) => sweepWaitlist({ ...server.context, now: () => new Date(time) });
    await sweepAt('2022-02-28T10:00:00Z');
    expect(await codeOf(email)).toBeDefined();
    await sweepAt('2022-03-02T10:00:00Z');
    expect(await codeOf(email)).toBeUndefined();
  });

  test('accepts twenty an hour from one network', async () => {
    const join = (_: unknown, index: number) =>
      post('waitlist', { email: `flood${index}@example.com` }, {}, '203.0.113.10');
    const answers = await Promise.all(Array.from({ length: 40 }, join));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(20);
  });
});
