/** The states of a mail from the outbox to delivery: sent once, delayed, failed, or unknown. */
import { asc, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ownAddress } from '../../test/machine.ts';
import { sampleMail } from '../../test/mailbox.ts';
import { absentDatabaseError, createTestApp, type TestApp } from '../../test/server.ts';
import { readMail, type SmtpPeer, startSmtpPeer } from '../../test/smtpPeer.ts';
import type { Context } from '../platform/context.ts';
import type { Db } from '../platform/database.ts';
import type { MailTransport } from '../platform/ports/mailTransport.ts';
import { BLANKED, queueMail } from './mail.ts';
import { sendMails, sweepMails } from './sending.ts';
import { createSmtp } from './smtp.ts';
import { mails } from './tables.ts';

const MINUTE_MS = 60_000;
const START = new Date('2026-11-21T12:00:00Z');

let server: TestApp;
let peer: SmtpPeer;
/** The context with a mail server; `server.context` has none. */
let context: Context;
beforeAll(async () => {
  server = await createTestApp();
  peer = await startSmtpPeer({ host: ownAddress });
  context = withTransport(await openTransport());
});
afterEach(async () => {
  Object.assign(peer, { cut: undefined, onRecipient: () => undefined, onText: () => undefined });
  peer.received.length = 0;
  await server.context.db.delete(mails);
});
afterAll(async () => {
  context.mail.close();
  await peer.close();
  await server.close();
});

const openTransport = (query = ''): Promise<MailTransport> =>
  createSmtp({
    url: `smtp://${peer.host}:${peer.port}${query}`,
    from: 'Markwright <no-reply@studio.test>',
    origin: server.context.origin,
  });

/** Keeps getters as getters: the media pool of a test starts when it is used. */
const withTransport = (mail: MailTransport): Context => Object.create(server.context, { mail: { value: mail } });

const at = (minutes: number): void => server.setNow(new Date(START.getTime() + minutes * MINUTE_MS));

const rows = () => server.context.db.select().from(mails).orderBy(asc(mails.createdAt), asc(mails.id));
const states = async () => (await rows()).map(({ state }) => state);

test('a mail is queued with the transaction that it reports on, or not at all', async () => {
  const rolledBack = context.db.transaction(async (tx) => {
    await queueMail(context, tx, sampleMail());
    throw new Error('no');
  });
  await expect(rolledBack).rejects.toThrow('no');
  expect(await rows()).toEqual([]);
  await context.db.transaction((tx) => queueMail(context, tx, sampleMail()));
  expect(await rows()).toMatchObject([
    { state: 'queued', attempts: 0, recipient: 'ann@example.com', html: '<p>Hello Ann.</p>' },
  ]);
});

test('a key queues one mail, however often and simultaneously it is used', async () => {
  await Promise.all(
    Array.from({ length: 20 }, () => queueMail(context, context.db, sampleMail({ key: 'receipt in_1' }))),
  );
  await queueMail(context, context.db, sampleMail({ key: 'receipt in_2' }));
  await queueMail(context, context.db, sampleMail());
  await queueMail(context, context.db, sampleMail());
  expect(await rows()).toHaveLength(4);
});

test('twenty simultaneous workers send each of sixty mails once', { tags: ['detail'] }, async () => {
  at(0);
  for (let number = 0; number < 60; number++)
    await queueMail(context, context.db, sampleMail({ to: `maker${number}@example.com` }));
  const second = withTransport(await openTransport());
  await Promise.all(Array.from({ length: 20 }, (_, index) => sendMails(index % 2 ? context : second)));
  second.mail.close();
  expect(peer.received).toHaveLength(60);
  expect(new Set(peer.received.map(({ to }) => to[0])).size).toBe(60);
  expect(new Set((await rows()).map(({ state, attempts }) => `${state} ${attempts}`))).toEqual(new Set(['sent 1']));
  await sendMails(context);
  expect(peer.received).toHaveLength(60);
  const [{ id, sentAt }] = (await rows()) as [typeof mails.$inferSelect];
  expect(sentAt).toEqual(START);
  expect(peer.received.map(({ raw }) => readMail(raw).header('message-id'))).toContain(`<${id}@studio.test>`);
});

test('skips a mail that another worker has locked', async () => {
  at(0);
  await queueMail(context, context.db, sampleMail());
  at(1);
  await queueMail(context, context.db, sampleMail({ to: 'bob@example.com' }));
  await context.db.transaction(async (tx) => {
    await tx.select().from(mails).where(eq(mails.recipient, 'ann@example.com')).for('update');
    await sendMails(context);
  });
  expect(peer.received.map(({ to }) => to)).toEqual([['bob@example.com']]);
});

test('waits for a slow mail server, which gets each mail once', async () => {
  at(0);
  peer.onText = async () => void (await new Promise((resolve) => setTimeout(resolve, 300)));
  for (let number = 0; number < 6; number++) await queueMail(context, context.db, sampleMail());
  await Promise.all([sendMails(context), sendMails(context), sendMails(context)]);
  expect(peer.received).toHaveLength(6);
  expect(await states()).toEqual(Array(6).fill('sent'));
});

test('retries a mail server that is down with growing delays, and delivers when it is up', async () => {
  at(0);
  await queueMail(context, context.db, sampleMail());
  await peer.goDown();
  const tries: number[] = [];
  for (let minute = 0; minute < 40; minute++) {
    at(minute);
    await sendMails(context);
    const [row] = await rows();
    if (row?.attempts !== tries.length) tries.push(minute);
  }
  expect(tries).toEqual([0, 1, 3, 7, 15, 31]);
  expect(await rows()).toMatchObject([
    { state: 'queued', attempts: 6, lastError: expect.stringMatching(/ECONNREFUSED/) },
  ]);
  await peer.comeUp();
  at(63);
  await sendMails(context);
  expect(await rows()).toMatchObject([{ state: 'sent', lastError: null }]);
  expect(peer.received).toHaveLength(1);
});

test('a mail fails after a day without success', async () => {
  at(0);
  await queueMail(context, context.db, sampleMail());
  peer.onRecipient = () => '450 try again later';
  const times: number[] = [];
  for (let minute = 0; (await states())[0] === 'queued'; minute++) {
    const [row] = await rows();
    minute = Math.ceil(((row?.tryAt.getTime() ?? 0) - START.getTime()) / MINUTE_MS);
    times.push(minute);
    at(minute);
    await sendMails(context);
  }
  expect(times).toHaveLength(14);
  expect(times.at(-1)).toBe(24 * 60 + 15);
  expect(await rows()).toMatchObject([{ state: 'failed', attempts: 14, lastError: expect.stringContaining('450') }]);
});

test('delivers to a greylisting server at the second attempt', async () => {
  at(0);
  const seenAddresses = new Set<string>();
  peer.onRecipient = (address) => {
    if (seenAddresses.has(address)) return undefined;
    seenAddresses.add(address);
    return '451 4.7.1 greylisted, come back in a minute';
  };
  await queueMail(context, context.db, sampleMail());
  await sendMails(context);
  expect(await states()).toEqual(['queued']);
  await sendMails(context);
  expect(peer.received).toEqual([]);
  at(1);
  await sendMails(context);
  expect(await rows()).toMatchObject([{ state: 'sent', attempts: 2 }]);
  expect(peer.received).toHaveLength(1);
});

test.each([
  ['550 no such mailbox', 'failed'],
  ['450 busy', 'queued'],
  ['421 shutting down', 'queued'],
])('the reply %s leaves a mail %s', async (reply, state) => {
  at(0);
  peer.onRecipient = (address) => (address === 'ann@example.com' ? reply : undefined);
  await queueMail(context, context.db, sampleMail({ to: 'bob@example.com' }));
  at(1);
  await queueMail(context, context.db, sampleMail());
  await sendMails(context);
  // The other mail is not held up.
  expect(peer.received.map(({ to }) => to)).toEqual([['bob@example.com']]);
  expect(await rows()).toContainEqual(
    expect.objectContaining({
      recipient: 'ann@example.com',
      state,
      attempts: 1,
      // A server that hangs up may do so before its reply is read.
      lastError: expect.stringMatching(new RegExp(`${reply}|connection was closed`)),
    }),
  );
});

describe('an unknown outcome', () => {
  test.each([
    ['cut in the middle of the text', { when: /Message-ID/i, reaches: 'nobody' }, 0],
    ['cut between text and answer', { when: /\r\n\.\r\n/, reaches: 'server' }, 1],
  ] as const)('connection %s: the mail is not sent again', async (_case, cut, receivedCount) => {
    at(0);
    peer.cut = cut;
    await queueMail(context, context.db, sampleMail());
    await sendMails(context);
    peer.cut = undefined;
    expect(await rows()).toMatchObject([{ state: 'unknown', attempts: 1, lastError: expect.stringMatching(/./) }]);
    for (const hours of [1, 24, 48]) {
      at(hours * 60);
      await sendMails(context);
    }
    await expect.poll(() => peer.received.length).toBe(receivedCount);
    expect(await states()).toEqual(['unknown']);
  });

  test('server stopped while the text was sent: the mail is not sent again', async () => {
    at(0);
    await queueMail(context, context.db, sampleMail());
    const broken = sendAndStopAfter('text');
    await broken.sending;
    expect(await states()).toEqual(['sending']);
    await sendMails(context);
    expect(await states()).toEqual(['sending']);
    at(5);
    await sendMails(context);
    expect(await rows()).toMatchObject([{ state: 'unknown', lastError: expect.stringContaining('stopped') }]);
    expect(peer.received).toEqual([]);
  });
});

test.each([
  [{ state: 'sent' }, 'sent'],
  [{ state: 'delayed', reason: '451 try again later' }, 'queued'],
] as const)('the outcome of a mail (%o) is stored when the database is back', async (delivery, state) => {
  at(0);
  await queueMail(context, context.db, sampleMail());
  const absence = await absentDatabaseError();
  let isAway = false;
  const transport: MailTransport = {
    kind: 'smtp',
    async deliver(_mail, beforeText) {
      await beforeText();
      isAway = true;
      return delivery;
    },
    close() {},
  };
  const db: Db = Object.create(server.context.db);
  db.update = (table) => {
    if (!isAway) return server.context.db.update(table);
    isAway = false;
    throw absence;
  };
  await sendMails(Object.create(withTransport(transport), { db: { value: db } }));
  expect(await states()).toEqual([state]);
});

test('a server that stopped before the text was sent loses the mail to another one', async () => {
  at(0);
  await queueMail(context, context.db, sampleMail());
  const broken = sendAndStopAfter('claim');
  await broken.sending;
  await sendMails(context);
  expect([await states(), peer.received]).toEqual([['queued'], []]);
  at(5);
  await sendMails(context);
  expect(await states()).toEqual(['sent']);
  expect(peer.received).toHaveLength(1);
  await expect(broken.beforeText()).rejects.toThrow('Its time was over');
  expect(await states()).toEqual(['sent']);
});

/** Starts a send that stops in the middle of an attempt, as when its server is killed. */
function sendAndStopAfter(step: 'claim' | 'text'): { sending: Promise<void>; beforeText: () => Promise<void> } {
  let resolveBefore: (before: () => Promise<void>) => void;
  const before = new Promise<() => Promise<void>>((resolve) => {
    resolveBefore = resolve;
  });
  const sending = new Promise<void>((resolve) => {
    const transport: MailTransport = {
      kind: 'smtp',
      async deliver(_mail, beforeText) {
        if (step === 'text') await beforeText();
        resolveBefore(beforeText);
        resolve();
        return new Promise(() => {});
      },
      close() {},
    };
    void sendMails(withTransport(transport));
  });
  return { sending, beforeText: async () => (await before)() };
}

describe('a secret link', () => {
  const secret = () =>
    sampleMail({
      kind: 'reset',
      text: 'https://studio.test/password-reset?token=abc',
      html: '<a>abc</a>',
      secretUntil: new Date(START.getTime() + 30 * MINUTE_MS),
    });

  test('is blanked when the mail is sent', async () => {
    at(0);
    await queueMail(context, context.db, secret());
    await sendMails(context);
    expect(readMail(peer.received[0]?.raw ?? '').text).toContain('token=abc');
    expect(await rows()).toMatchObject([{ state: 'sent', text: BLANKED, html: '', secretUntil: null }]);
  });

  test('stays in the outbox until it expires', async () => {
    at(0);
    await queueMail(server.context, context.db, secret());
    await sendMails(server.context);
    at(29);
    await sendMails(server.context);
    expect(await rows()).toMatchObject([{ state: 'kept', text: expect.stringContaining('token=abc') }]);
    at(30);
    await sendMails(server.context);
    expect(await rows()).toMatchObject([{ state: 'kept', text: BLANKED, html: '', secretUntil: null }]);
  });

  test('is not sent when it has expired', async () => {
    at(0);
    await queueMail(context, context.db, secret());
    at(31);
    await sendMails(context);
    expect(peer.received).toEqual([]);
    expect(await rows()).toMatchObject([
      { state: 'failed', text: BLANKED, html: '', lastError: expect.stringContaining('outdated') },
    ]);
  });
});

test('deletes mails after 90 days', async () => {
  at(0);
  await queueMail(server.context, context.db, sampleMail({ subject: 'old' }));
  at(60);
  await queueMail(server.context, context.db, sampleMail({ subject: 'young' }));
  at(90 * 24 * 60 + 30);
  await sweepMails(server.context);
  expect((await rows()).map(({ subject }) => subject)).toEqual(['young']);
});

test('a running server sends committed mails, and its metrics count the mails by state', {
  tags: ['detail'],
}, async () => {
  const transport = await openTransport();
  const running = await createTestApp({ jobs: true, mail: transport });
  try {
    peer.onRecipient = (address) => (address.startsWith('nobody') ? '550 no such mailbox' : undefined);
    await running.context.db.transaction(async (tx) => {
      await queueMail(running.context, tx, sampleMail());
      await queueMail(running.context, tx, sampleMail({ to: 'nobody@example.com' }));
    });
    const count = () => running.context.db.$count(mails, eq(mails.state, 'queued'));
    await vi.waitFor(async () => expect(await count()).toBe(0), { timeout: 60_000, interval: 50 });
    await vi.waitFor(() => expect(peer.received.map(({ to }) => to)).toEqual([['ann@example.com']]), {
      timeout: 60_000,
    });
    await vi.waitFor(
      async () => {
        const body = await running.app.metrics.metrics();
        expect(body).toContain('mails{state="sent"} 1');
        expect(body).toContain('mails{state="failed"} 1');
        expect(body).toContain('mails{state="queued"} 0');
      },
      { timeout: 60_000 },
    );
  } finally {
    transport.close();
    await running.close();
  }
});

test('a mail server that is down holds up nothing else', async () => {
  await peer.goDown();
  const down = await createTestApp({ mail: await openTransport() });
  try {
    expect((await down.app.inject('/api/health')).statusCode).toBe(200);
    const headers = await down.signUp();
    expect((await down.app.inject({ url: '/api/auth/me', headers: headers })).statusCode).toBe(200);
    await sendMails(down.context);
    const left = await down.context.db.execute(sql`select distinct state::text from mails`);
    expect(left.rows).toEqual([{ state: 'queued' }]);
    expect((await down.app.inject('/api/status')).json()).toMatchObject({ database: true, files: true });
  } finally {
    down.context.mail.close();
    await down.close();
    await peer.comeUp();
  }
});
