/** The administrator's outbox, through its calls. */
import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signInAdmin } from '../../test/admin.ts';
import { sampleMail } from '../../test/mailbox.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import type { MailTransport } from '../platform/ports/mailTransport.ts';
import { BLANKED, queueMail } from './mail.ts';
import { createOutboxTransport } from './outboxTransport.ts';
import { sendMails } from './sending.ts';
import { mails } from './tables.ts';

/** The ids of the mails that the test's mail server has accepted. */
const acceptedIds: string[] = [];
let answer: Awaited<ReturnType<MailTransport['deliver']>>;
const transport: MailTransport = {
  kind: 'smtp',
  async deliver(mail, beforeText) {
    await beforeText();
    if (answer.state === 'sent') acceptedIds.push(mail.id);
    return answer;
  },
  close() {},
};

/** Two servers, one with a mail server and one without. */
const servers = {} as Record<'smtp' | 'outbox', TestApp>;
const admins = {} as Record<'smtp' | 'outbox', { authorization: string }>;
beforeAll(async () => {
  for (const kind of ['smtp', 'outbox'] as const) {
    const server = await createTestApp({
      environment: { ADMIN_PASSWORD: 'the-workshop-key' },
      mail: kind === 'smtp' ? transport : createOutboxTransport(),
    });
    servers[kind] = server;
    admins[kind] = await signInAdmin(server);
  }
});
beforeEach(async () => {
  acceptedIds.length = 0;
  answer = { state: 'sent' };
  for (const { context } of Object.values(servers)) await context.db.delete(mails);
});
afterAll(async () => {
  for (const server of Object.values(servers)) await server.close();
});

const ask = (kind: 'smtp' | 'outbox', method: 'GET' | 'POST', path = '') =>
  servers[kind].app.inject({ method, url: `/api/admin/mails${path}`, headers: admins[kind] });

async function firstId(kind: 'smtp' | 'outbox'): Promise<string> {
  const [row] = await servers[kind].context.db.select({ id: mails.id }).from(mails).orderBy(asc(mails.createdAt));
  return row?.id ?? '';
}

test('lists the newest first, page after page, each mail once, without texts', async () => {
  const { context } = servers.outbox;
  const start = Date.now();
  for (let number = 0; number < 125; number++) {
    // Groups of three have the same time.
    servers.outbox.setNow(new Date(start + Math.floor(number / 3) * 1000));
    await queueMail(context, context.db, sampleMail({ to: `maker${number}@example.com` }));
  }
  const listedMails: { id: string; to: string; createdAt: string }[] = [];
  let next: string | null = '';
  const sizes: number[] = [];
  while (next !== null) {
    const reply = await ask('outbox', 'GET', next ? `?before=${next}` : '');
    const page = reply.json<{ mails: typeof listedMails; next: string | null }>();
    expect(page.mails[0]).toEqual({
      id: expect.any(String),
      kind: 'welcome',
      to: expect.any(String),
      subject: 'Welcome',
      state: 'queued',
      attempts: 0,
      lastError: null,
      createdAt: expect.any(String),
      sentAt: null,
    });
    sizes.push(page.mails.length);
    listedMails.push(...page.mails);
    next = page.next;
  }
  expect(sizes).toEqual([50, 50, 25]);
  expect(new Set(listedMails.map(({ id }) => id)).size).toBe(125);
  expect(listedMails.map(({ createdAt }) => createdAt)).toEqual(
    listedMails
      .map(({ createdAt }) => createdAt)
      .toSorted()
      .toReversed(),
  );
});

test.each(['x', '1', '1.', '.a', "1.a' or 1=1", '9999999999999999.a', encodeURIComponent('1.ä')])(
  'an invalid page cursor (%s) is the caller’s mistake',
  async (place) => {
    const reply = await ask('outbox', 'GET', `?before=${encodeURIComponent(place)}`);
    expect([reply.statusCode, reply.json().message]).toEqual([
      400,
      'The list cannot go on from there. Please load it again.',
    ]);
  },
);

test('shows one mail with its text', async () => {
  const { context } = servers.outbox;
  await queueMail(context, context.db, sampleMail());
  await sendMails(context);
  const reply = await ask('outbox', 'GET', `/${await firstId('outbox')}`);
  expect(reply.json()).toMatchObject({
    state: 'kept',
    to: 'ann@example.com',
    text: 'Hello Ann.',
    html: '<p>Hello Ann.</p>',
  });
  const missing = await ask('outbox', 'GET', '/nowhere');
  expect([missing.statusCode, missing.json().message]).toEqual([404, 'There is no such mail.']);
});

describe('a secret link', () => {
  const secret = () =>
    sampleMail({
      kind: 'reset',
      text: 'token=abc',
      html: '<a>token=abc</a>',
      secretUntil: new Date(Date.now() + 60_000),
    });

  test('is visible in the outbox', async () => {
    const { context } = servers.outbox;
    await queueMail(context, context.db, secret());
    await sendMails(context);
    expect((await ask('outbox', 'GET', `/${await firstId('outbox')}`)).json()).toMatchObject({ text: 'token=abc' });
  });

  test.each([
    { state: 'sent' },
    { state: 'delayed', reason: '450' },
    { state: 'unknown', reason: 'cut' },
    { state: 'refused', reason: '550' },
  ] as const)('is never shown while there is a mail server ($state)', async (delivery) => {
    answer = delivery;
    const { context } = servers.smtp;
    await queueMail(context, context.db, secret());
    const shownAt = async () => (await ask('smtp', 'GET', `/${await firstId('smtp')}`)).body;
    expect(await shownAt()).not.toContain('token=abc');
    await sendMails(context);
    expect(JSON.parse(await shownAt())).toMatchObject({ text: BLANKED, html: '' });
  });
});

describe('resending', () => {
  test.each(['refused', 'unknown'] as const)('sends a mail that was %s', async (state) => {
    const { context } = servers.smtp;
    answer = { state, reason: 'something happened' };
    await queueMail(context, context.db, sampleMail());
    await sendMails(context);
    const id = await firstId('smtp');
    expect((await ask('smtp', 'GET', `/${id}`)).json()).toMatchObject({ lastError: 'something happened', attempts: 1 });

    answer = { state: 'sent' };
    const reply = await ask('smtp', 'POST', `/${id}/send`);
    expect(reply.json()).toMatchObject({ state: 'queued', attempts: 0, lastError: null });
    await sendMails(context);
    expect((await ask('smtp', 'GET', `/${id}`)).json()).toMatchObject({ state: 'sent', attempts: 1 });
    expect(acceptedIds).toEqual([id]);
  });

  test('sends a mail that was kept before there was a mail server', async () => {
    const { context } = servers.smtp;
    await queueMail(context, context.db, sampleMail());
    await context.db.update(mails).set({ state: 'kept' });
    const id = await firstId('smtp');
    expect((await ask('smtp', 'POST', `/${id}/send`)).statusCode).toBe(200);
    await sendMails(context);
    expect(acceptedIds).toEqual([id]);
  });

  test('sends once when requested twenty times simultaneously', async () => {
    const { context } = servers.smtp;
    answer = { state: 'refused', reason: '550' };
    await queueMail(context, context.db, sampleMail());
    await sendMails(context);
    answer = { state: 'sent' };
    const id = await firstId('smtp');
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('smtp', 'POST', `/${id}/send`)));
    await Promise.all([sendMails(context), sendMails(context)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(19).fill(409)]);
    expect(acceptedIds).toEqual([id]);
  });

  test('refuses a mail that was sent, is queued, has lost its link, or does not exist', async () => {
    const { context } = servers.smtp;
    await queueMail(context, context.db, sampleMail());
    const id = await firstId('smtp');
    const refusal = async (path = `/${id}/send`) => {
      const reply = await ask('smtp', 'POST', path);
      return [reply.statusCode, reply.json().message];
    };
    expect(await refusal()).toEqual([409, 'This mail is on its way already.']);
    await sendMails(context);
    expect(await refusal()).toEqual([409, 'This mail has been sent.']);
    await context.db.update(mails).set({ state: 'failed', text: BLANKED, html: '' }).where(eq(mails.id, id));
    expect(await refusal()).toEqual([409, 'The link in this mail is no longer good. Ask for a new one.']);
    expect(await refusal('/nowhere/send')).toEqual([404, 'There is no such mail.']);
  });

  test('needs a mail server', async () => {
    const { context } = servers.outbox;
    await queueMail(context, context.db, sampleMail());
    await sendMails(context);
    const reply = await ask('outbox', 'POST', `/${await firstId('outbox')}/send`);
    expect([reply.statusCode, reply.json().message]).toEqual([
      409,
      'There is no mail server to send it. Set SMTP_URL and start again.',
    ]);
  });
});

test('the mailbox is open only to the administrator', async () => {
  const { app } = servers.outbox;
  const user = await servers.outbox.signUp();
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/some'],
    ['POST', '/some/send'],
  ] as const) {
    const url = `/api/admin/mails${path}`;
    const asUser = await app.inject({ method, url, headers: user });
    expect([asUser.statusCode, asUser.json().message]).toEqual([
      403,
      'Access Denied: This portal is restricted to admin users only.',
    ]);
    expect((await app.inject({ method, url })).statusCode).toBe(401);
  }
});
