/** The contract of the mail transport port, tested on both transports. */
import { afterEach, describe, expect, test } from 'vitest';
import { ownAddress } from '../../test/machine.ts';
import { readMail, type SmtpPeer, type SmtpPeerOptions, startSmtpPeer } from '../../test/smtpPeer.ts';
import type { MailTransport, OutgoingMail } from '../platform/ports/mailTransport.ts';
import { createOutboxTransport } from './outboxTransport.ts';
import { createSmtp } from './smtp.ts';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const mail: OutgoingMail = {
  id: 'mail-1',
  to: 'ann@example.com',
  replyTo: undefined,
  subject: 'Your “plan” is ready',
  text: 'One line.\nA dot alone:\n.\nÜber – ünd 漢字 🪵',
  html: '<p>One line.</p>',
};

interface SmtpSetup {
  readonly transport: MailTransport;
  readonly peer: SmtpPeer;
}

async function openSmtp(options: SmtpPeerOptions = {}, userinfo = '', query = ''): Promise<SmtpSetup> {
  const peer = await startSmtpPeer(options);
  const transport = await createSmtp({
    url: `smtp://${userinfo}${peer.host}:${peer.port}${query}`,
    from: 'Markwright Ltd, of York <no-reply@studio.test>',
    origin: 'https://studio.test',
  });
  endings.push(
    () => peer.close(),
    () => transport.close(),
  );
  return { transport: transport, peer };
}

const transports: [string, () => Promise<MailTransport>][] = [
  ['outbox', async () => createOutboxTransport()],
  ['smtp', async () => (await openSmtp()).transport],
  [
    'smtp that is down',
    async () => {
      const { transport, peer } = await openSmtp({ host: ownAddress });
      await peer.goDown();
      return transport;
    },
  ],
  [
    'smtp that refuses',
    async () => {
      const { transport, peer } = await openSmtp();
      peer.onRecipient = () => '550 no such mailbox';
      return transport;
    },
  ],
];

describe.each(transports)('%s', (_name, open) => {
  test('returns the outcome of each mail, and never throws', async () => {
    const transport = await open();
    const deliveries = await Promise.all(
      Array.from({ length: 10 }, (_, index) => transport.deliver({ ...mail, id: `mail-${index}` }, async () => {})),
    );
    for (const delivery of deliveries) {
      if (delivery.state === 'sent' || delivery.state === 'kept') expect(delivery).toEqual({ state: delivery.state });
      else
        expect(delivery).toEqual({
          state: expect.stringMatching(/^(delayed|refused|unknown)$/),
          reason: expect.stringMatching(/./),
        });
    }
    expect(new Set(deliveries.map(({ state }) => state)).size).toBe(1);
  });

  test('closes at any time, even twice', async () => {
    const transport = await open();
    transport.close();
    transport.close();
  });
});

test('the outbox keeps a mail and never reports that its text is being sent', async () => {
  let sentTexts = 0;
  expect(await createOutboxTransport().deliver(mail, async () => void sentTexts++)).toEqual({ state: 'kept' });
  expect(sentTexts).toBe(0);
});

describe('a mail server', () => {
  test('receives the mail with its text, sender and id', async () => {
    const { transport, peer } = await openSmtp();
    expect(await transport.deliver({ ...mail, replyTo: 'maker@example.org' }, async () => {})).toEqual({
      state: 'sent',
    });
    expect(peer.received).toHaveLength(1);
    const [{ from, to, raw }] = peer.received as [SmtpPeer['received'][number]];
    expect([from, to]).toEqual(['no-reply@studio.test', ['ann@example.com']]);
    const parsedMail = readMail(raw);
    expect(parsedMail.header('from')).toBe('"Markwright Ltd, of York" <no-reply@studio.test>');
    expect(parsedMail.header('to')).toBe('ann@example.com');
    expect(parsedMail.header('reply-to')).toBe('maker@example.org');
    expect(parsedMail.header('subject')).toBe('Your “plan” is ready');
    expect(parsedMail.header('message-id')).toBe('<mail-1@studio.test>');
    expect(parsedMail.header('auto-submitted')).toBe('auto-generated');
    expect(parsedMail.text.replace(/\r\n/g, '\n')).toBe(mail.text);
    expect(parsedMail.html).toBe(mail.html);
  });

  test('is logged in to, and encrypted where it supports that', async () => {
    const login = { user: 'studio', password: 'p@ss/w:rd' };
    const userinfo = `studio:${encodeURIComponent(login.password)}@`;
    const { transport, peer } = await openSmtp({ login, tls: true }, userinfo, '?tls.rejectUnauthorized=false');
    expect(await transport.deliver(mail, async () => {})).toEqual({ state: 'sent' });
    expect(peer.received).toMatchObject([{ isEncrypted: true, user: 'studio' }]);
  });

  test('is not trusted with an unsigned certificate', async () => {
    const { transport, peer } = await openSmtp({ tls: true });
    expect(await transport.deliver(mail, async () => {})).toMatchObject({ state: 'delayed' });
    expect(peer.received).toEqual([]);
  });

  test.runIf(process.platform === 'linux')('is sent no password over a network without encryption', async () => {
    // Another address of this machine, which is not recognized as local.
    const peer = await startSmtpPeer({ login: { user: 'studio', password: 'secret' }, host: '127.0.0.2' });
    const open = (query: string) =>
      createSmtp({
        url: `smtp://studio:secret@127.0.0.2:${peer.port}${query}`,
        from: 'no-reply@studio.test',
        origin: 'https://studio.test',
      });
    const transport = await open('');
    const unencryptedTransport = await open('?requireTLS=false');
    endings.push(
      () => peer.close(),
      () => transport.close(),
      () => unencryptedTransport.close(),
    );
    expect(await transport.deliver(mail, async () => {})).toMatchObject({ state: 'delayed' });
    expect(peer.received).toEqual([]);
    expect(await unencryptedTransport.deliver(mail, async () => {})).toEqual({ state: 'sent' });
  });

  test('is retried later when it rejects the password, which can be corrected', async () => {
    const { transport, peer } = await openSmtp({ login: { user: 'studio', password: 'right' } }, 'studio:wrong@');
    expect(await transport.deliver(mail, async () => {})).toMatchObject({ state: 'delayed' });
    expect(peer.received).toEqual([]);
  });

  test.each([
    ['onConnection', '421 too busy', 'delayed'],
    ['onConnection', '554 go away', 'delayed'],
    ['onRecipient', '450 greylisted', 'delayed'],
    ['onRecipient', '421 shutting down', 'delayed'],
    ['onRecipient', '550 no such mailbox', 'refused'],
    ['onText', '451 come back later', 'delayed'],
    ['onText', '421 shutting down', 'delayed'],
    ['onText', '554 we think it is spam', 'refused'],
  ] as const)('answers %s with %s: %s', async (at, reply, state) => {
    const { transport, peer } = await openSmtp();
    peer[at] = () => reply;
    const delivery = await transport.deliver(mail, async () => {});
    expect(delivery).toMatchObject({ state, reason: expect.stringMatching(/\b(4|5)\d\d\b/) });
    expect(peer.received).toEqual([]);
  });

  test.each<[string, string, number, SmtpPeer['cut']]>([
    ['at the greeting', 'delayed', 0, { when: /EHLO/, reaches: 'nobody' }],
    ['at the recipient', 'delayed', 0, { when: /RCPT TO/, reaches: 'nobody' }],
    ['at the word DATA', 'delayed', 0, { when: /DATA\r\n$/, reaches: 'nobody' }],
    ['in the middle of the text', 'unknown', 0, { when: /Message-ID/i, reaches: 'nobody' }],
    ['between text and answer', 'unknown', 1, { when: /\r\n\.\r\n/, reaches: 'server' }],
  ])('cuts the connection %s: %s', async (_case, state, count, cut) => {
    const { transport, peer } = await openSmtp();
    peer.cut = cut;
    expect(await transport.deliver(mail, async () => {})).toMatchObject({ state, reason: expect.stringMatching(/./) });
    await expect.poll(() => peer.received.length).toBe(count);
  });

  test('is given up after a silence: a mail whose text was sent is unknown', { tags: ['detail'] }, async () => {
    const { transport, peer } = await openSmtp({}, '', '?socketTimeout=3000');
    peer.onText = () => new Promise(() => {});
    expect(await transport.deliver(mail, async () => {})).toMatchObject({
      state: 'unknown',
      reason: expect.stringMatching(/time/i),
    });
  });

  test('receives nothing when the text may not be sent', async () => {
    const { transport, peer } = await openSmtp();
    const rejectSending = () => Promise.reject(new Error('somebody else has it'));
    expect(await transport.deliver(mail, rejectSending)).toEqual({
      state: 'delayed',
      reason: expect.stringContaining('somebody else has it'),
    });
    expect(peer.received).toEqual([]);
    expect(await transport.deliver(mail, async () => {})).toEqual({ state: 'sent' });
    expect(peer.received).toHaveLength(1);
  });

  test('is called over a new connection when it closed the idle one', async () => {
    const { transport, peer } = await openSmtp({ host: ownAddress });
    expect(await transport.deliver(mail, async () => {})).toEqual({ state: 'sent' });
    await peer.goDown();
    await peer.comeUp();
    expect(await transport.deliver({ ...mail, id: 'mail-2' }, async () => {})).toEqual({ state: 'sent' });
    expect(peer.received).toHaveLength(2);
  });

  test('gets few connections, each for many mails', { tags: ['detail'] }, async () => {
    const { transport, peer } = await openSmtp();
    await Promise.all(
      Array.from({ length: 60 }, (_, i) => transport.deliver({ ...mail, id: `mail-${i}` }, async () => {})),
    );
    expect(peer.received).toHaveLength(60);
    expect(peer.connections()).toBeLessThanOrEqual(4);
  });
});
