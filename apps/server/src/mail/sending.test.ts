/** What happens to a mail between being written down and being sent: once, late, not at all, or nobody knows. */
import { asc, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ownAddress } from '../../test/machine.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { readMail, type SmtpPeer, startSmtpPeer } from '../../test/smtpPeer.ts';
import type { Context } from '../platform/context.ts';
import type { Db } from '../platform/database.ts';
import type { MailTransport } from '../platform/ports/mailTransport.ts';
import { BLANKED, type MailMessage, queueMail } from './mail.ts';
import { sendMails, sweepMails } from './sending.ts';
import { createSmtp } from './smtp.ts';
import { mails } from './tables.ts';

const MINUTE_MS = 60_000;
const START = new Date('2026-11-21T12:00:00Z');

let server: TestApp;
let peer: SmtpPeer;
/** The server with a mail server; `server.context` is the one without. */
let context: Context;
beforeAll(async () => {
  server = await createTestApp();
  peer = await startSmtpPeer({ host: ownAddress });
  context = withCarrier(await openCarrier());
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

const openCarrier = (query = ''): Promise<MailTransport> =>
  createSmtp({
    url: `smtp://${peer.host}:${peer.port}${query}`,
    from: 'Markwright <no-reply@studio.test>',
    origin: server.context.origin,
  });

/** A getter stays one: the media pool of a test starts when it is used. */
const withCarrier = (mail: MailTransport): Context => Object.create(server.context, { mail: { value: mail } });

const letter = (change: Partial<MailMessage> = {}): MailMessage => ({
  kind: 'welcome',
  to: 'ann@example.com',
  subject: 'Welcome',
  text: 'Hello Ann.',
  html: '<p>Hello Ann.</p>',
  ...change,
});

const at = (minutes: number): void => server.setNow(new Date(START.getTime() + minutes * MINUTE_MS));

const rows = () => server.context.db.select().from(mails).orderBy(asc(mails.createdAt), asc(mails.id));
const states = async () => (await rows()).map(({ state }) => state);

test('a mail is written with what it tells of, or not at all', async () => {
  const undone = context.db.transaction(async (tx) => {
    await queueMail(context, tx, letter());
    throw new Error('no');
  });
  await expect(undone).rejects.toThrow('no');
  expect(await rows()).toEqual([]);
  await context.db.transaction((tx) => queueMail(context, tx, letter()));
  expect(await rows()).toMatchObject([
    { state: 'queued', attempts: 0, recipient: 'ann@example.com', html: '<p>Hello Ann.</p>' },
  ]);
});

test('what is to be told once is told once, however often and however parallel', async () => {
  await Promise.all(Array.from({ length: 20 }, () => queueMail(context, context.db, letter({ key: 'receipt in_1' }))));
  await queueMail(context, context.db, letter({ key: 'receipt in_2' }));
  await queueMail(context, context.db, letter());
  await queueMail(context, context.db, letter());
  expect(await rows()).toHaveLength(4);
});

test('twenty workers at once send each of sixty mails once', async () => {
  at(0);
  for (let number = 0; number < 60; number++)
    await queueMail(context, context.db, letter({ to: `maker${number}@example.com` }));
  const second = withCarrier(await openCarrier());
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

test('a mail somebody else is about to take is passed over', async () => {
  at(0);
  await queueMail(context, context.db, letter());
  at(1);
  await queueMail(context, context.db, letter({ to: 'bob@example.com' }));
  await context.db.transaction(async (tx) => {
    await tx.select().from(mails).where(eq(mails.recipient, 'ann@example.com')).for('update');
    await sendMails(context);
  });
  expect(peer.received.map(({ to }) => to)).toEqual([['bob@example.com']]);
});

test('a slow mail server is waited for and gets each mail once', async () => {
  at(0);
  peer.onText = async () => void (await new Promise((resolve) => setTimeout(resolve, 300)));
  for (let number = 0; number < 6; number++) await queueMail(context, context.db, letter());
  await Promise.all([sendMails(context), sendMails(context), sendMails(context)]);
  expect(peer.received).toHaveLength(6);
  expect(await states()).toEqual(Array(6).fill('sent'));
});

test('a mail server that is down is asked again later and later, and gets the mail when it is up', async () => {
  at(0);
  await queueMail(context, context.db, letter());
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

test('after a day without success a mail has failed', async () => {
  at(0);
  await queueMail(context, context.db, letter());
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

test('a server that greylists takes it at the second try', async () => {
  at(0);
  const known = new Set<string>();
  peer.onRecipient = (address) => {
    if (known.has(address)) return undefined;
    known.add(address);
    return '451 4.7.1 greylisted, come back in a minute';
  };
  await queueMail(context, context.db, letter());
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
])('%s leaves a mail %s', async (said, state) => {
  at(0);
  peer.onRecipient = (address) => (address === 'ann@example.com' ? said : undefined);
  await queueMail(context, context.db, letter({ to: 'bob@example.com' }));
  at(1);
  await queueMail(context, context.db, letter());
  await sendMails(context);
  // The other one is not held up by it.
  expect(peer.received.map(({ to }) => to)).toEqual([['bob@example.com']]);
  expect(await rows()).toContainEqual(
    expect.objectContaining({
      recipient: 'ann@example.com',
      state,
      attempts: 1,
      // A server that hangs up may do so before its words are read.
      lastError: expect.stringMatching(new RegExp(`${said}|connection was closed`)),
    }),
  );
});

describe('nobody knows whether it arrived', () => {
  test.each([
    ['cut in the middle of the text', { when: /Message-ID/i, reaches: 'nobody' }, 0],
    ['cut between text and answer', { when: /\r\n\.\r\n/, reaches: 'server' }, 1],
  ] as const)('%s: it is not sent again', async (_how, cut, arrived) => {
    at(0);
    peer.cut = cut;
    await queueMail(context, context.db, letter());
    await sendMails(context);
    peer.cut = undefined;
    expect(await rows()).toMatchObject([{ state: 'unknown', attempts: 1, lastError: expect.stringMatching(/./) }]);
    for (const hours of [1, 24, 48]) {
      at(hours * 60);
      await sendMails(context);
    }
    await expect.poll(() => peer.received.length).toBe(arrived);
    expect(await states()).toEqual(['unknown']);
  });

  test('a server that stopped while the text left: it is not sent again', async () => {
    at(0);
    await queueMail(context, context.db, letter());
    const stopped = stoppingAfter('text');
    await stopped.sending;
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
] as const)('what became of a mail (%o) is written down when the database is back', async (delivery, state) => {
  at(0);
  await queueMail(context, context.db, letter());
  let isAway = false;
  const carrier: MailTransport = {
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
    throw new Error('Query read timeout');
  };
  await sendMails(Object.create(withCarrier(carrier), { db: { value: db } }));
  expect(await states()).toEqual([state]);
});

test('a server that stopped before the text left: another one sends it, and the first one may not any more', async () => {
  at(0);
  await queueMail(context, context.db, letter());
  const stopped = stoppingAfter('claim');
  await stopped.sending;
  await sendMails(context);
  expect([await states(), peer.received]).toEqual([['queued'], []]);
  at(5);
  await sendMails(context);
  expect(await states()).toEqual(['sent']);
  expect(peer.received).toHaveLength(1);
  await expect(stopped.beforeText()).rejects.toThrow('Its time was over');
  expect(await states()).toEqual(['sent']);
});

/** A server that ends in the middle of a try: nothing comes back from it. */
function stoppingAfter(step: 'claim' | 'text'): { sending: Promise<void>; beforeText: () => Promise<void> } {
  let tellBefore: (before: () => Promise<void>) => void;
  const before = new Promise<() => Promise<void>>((resolve) => {
    tellBefore = resolve;
  });
  const sending = new Promise<void>((resolve) => {
    const carrier: MailTransport = {
      kind: 'smtp',
      async deliver(_mail, beforeText) {
        if (step === 'text') await beforeText();
        tellBefore(beforeText);
        resolve();
        return new Promise(() => {});
      },
      close() {},
    };
    void sendMails(withCarrier(carrier));
  });
  return { sending, beforeText: async () => (await before)() };
}

describe('a link that stands for a password', () => {
  const secret = () =>
    letter({
      kind: 'reset',
      text: 'https://studio.test/password-reset?token=abc',
      html: '<a>abc</a>',
      secretUntil: new Date(START.getTime() + 30 * MINUTE_MS),
    });

  test('is kept no longer than it takes to send it', async () => {
    at(0);
    await queueMail(context, context.db, secret());
    await sendMails(context);
    expect(readMail(peer.received[0]?.raw ?? '').text).toContain('token=abc');
    expect(await rows()).toMatchObject([{ state: 'sent', text: BLANKED, html: '', secretUntil: null }]);
  });

  test('is kept in the outbox until it is outdated', async () => {
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

  test('is not sent when it is outdated', async () => {
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

test('mails are forgotten after 90 days', async () => {
  at(0);
  await queueMail(server.context, context.db, letter({ subject: 'old' }));
  at(60);
  await queueMail(server.context, context.db, letter({ subject: 'young' }));
  at(90 * 24 * 60 + 30);
  await sweepMails(server.context);
  expect((await rows()).map(({ subject }) => subject)).toEqual(['young']);
});

test('a server that is running sends what is committed, and tells the operator how many mails stand how', async () => {
  const carrier = await openCarrier();
  const running = await createTestApp({ jobs: true, mail: carrier });
  try {
    peer.onRecipient = (address) => (address.startsWith('nobody') ? '550 no such mailbox' : undefined);
    await running.context.db.transaction(async (tx) => {
      await queueMail(running.context, tx, letter());
      await queueMail(running.context, tx, letter({ to: 'nobody@example.com' }));
    });
    const count = () => running.context.db.$count(mails, eq(mails.state, 'queued'));
    await vi.waitFor(async () => expect(await count()).toBe(0), { timeout: 15_000, interval: 50 });
    await vi.waitFor(() => expect(peer.received.map(({ to }) => to)).toEqual([['ann@example.com']]), {
      timeout: 15_000,
    });
    await vi.waitFor(
      async () => {
        const { body } = await running.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' });
        expect(body).toContain('mails{state="sent"} 1');
        expect(body).toContain('mails{state="failed"} 1');
        expect(body).toContain('mails{state="queued"} 0');
      },
      { timeout: 15_000 },
    );
  } finally {
    carrier.close();
    await running.close();
  }
});

test('a mail server that is down holds nothing else up', async () => {
  await peer.goDown();
  const down = await createTestApp({ mail: await openCarrier() });
  try {
    expect((await down.app.inject('/api/health')).statusCode).toBe(200);
    const signed = await down.signUp();
    expect((await down.app.inject({ url: '/api/auth/me', headers: signed })).statusCode).toBe(200);
    await sendMails(down.context);
    const left = await down.context.db.execute(sql`select distinct state::text from mails`);
    expect(left.rows).toEqual([{ state: 'queued' }]);
    expect((await down.app.inject('/api/ready')).json()).toMatchObject({ database: true, files: true });
  } finally {
    down.context.mail.close();
    await down.close();
    await peer.comeUp();
  }
});
