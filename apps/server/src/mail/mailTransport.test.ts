/** Both ways a mail leaves do what the port promises. */
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

interface Opened {
  readonly carrier: MailTransport;
  readonly peer: SmtpPeer;
}

async function openSmtp(options: SmtpPeerOptions = {}, userinfo = '', query = ''): Promise<Opened> {
  const peer = await startSmtpPeer(options);
  const carrier = await createSmtp({
    url: `smtp://${userinfo}${peer.host}:${peer.port}${query}`,
    from: 'Markwright Ltd, of York <no-reply@studio.test>',
    origin: 'https://studio.test',
  });
  endings.push(
    () => peer.close(),
    () => carrier.close(),
  );
  return { carrier, peer };
}

const carriers: [string, () => Promise<MailTransport>][] = [
  ['outbox', async () => createOutboxTransport()],
  ['smtp', async () => (await openSmtp()).carrier],
  [
    'smtp that is down',
    async () => {
      const { carrier, peer } = await openSmtp({ host: ownAddress });
      await peer.goDown();
      return carrier;
    },
  ],
  [
    'smtp that refuses',
    async () => {
      const { carrier, peer } = await openSmtp();
      peer.onRecipient = () => '550 no such mailbox';
      return carrier;
    },
  ],
];

describe.each(carriers)('%s', (_name, open) => {
  test('answers with what became of each mail, and never throws', async () => {
    const carrier = await open();
    const deliveries = await Promise.all(
      Array.from({ length: 10 }, (_, index) => carrier.deliver({ ...mail, id: `mail-${index}` }, async () => {})),
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

  test('closes at any time, twice too', async () => {
    const carrier = await open();
    carrier.close();
    carrier.close();
  });
});

test('the outbox keeps a mail and never says that its text leaves', async () => {
  let left = 0;
  expect(await createOutboxTransport().deliver(mail, async () => void left++)).toEqual({ state: 'kept' });
  expect(left).toBe(0);
});

describe('a mail server', () => {
  test('gets the mail with the words, sender and number it was written with', async () => {
    const { carrier, peer } = await openSmtp();
    expect(await carrier.deliver({ ...mail, replyTo: 'maker@example.org' }, async () => {})).toEqual({ state: 'sent' });
    expect(peer.received).toHaveLength(1);
    const [{ from, to, raw }] = peer.received as [SmtpPeer['received'][number]];
    expect([from, to]).toEqual(['no-reply@studio.test', ['ann@example.com']]);
    const read = readMail(raw);
    expect(read.header('from')).toBe('"Markwright Ltd, of York" <no-reply@studio.test>');
    expect(read.header('to')).toBe('ann@example.com');
    expect(read.header('reply-to')).toBe('maker@example.org');
    expect(read.header('subject')).toBe('Your “plan” is ready');
    expect(read.header('message-id')).toBe('<mail-1@studio.test>');
    expect(read.header('auto-submitted')).toBe('auto-generated');
    expect(read.text.replace(/\r\n/g, '\n')).toBe(mail.text);
    expect(read.html).toBe(mail.html);
  });

  test('is logged in to, encrypted where it offers that', async () => {
    const login = { user: 'studio', password: 'p@ss/w:rd' };
    const userinfo = `studio:${encodeURIComponent(login.password)}@`;
    const { carrier, peer } = await openSmtp({ login, tls: true }, userinfo, '?tls.rejectUnauthorized=false');
    expect(await carrier.deliver(mail, async () => {})).toEqual({ state: 'sent' });
    expect(peer.received).toMatchObject([{ isEncrypted: true, user: 'studio' }]);
  });

  test('with a certificate nobody signed is not trusted', async () => {
    const { carrier, peer } = await openSmtp({ tls: true });
    expect(await carrier.deliver(mail, async () => {})).toMatchObject({ state: 'delayed' });
    expect(peer.received).toEqual([]);
  });

  test.runIf(process.platform === 'linux')('that cannot encrypt is not told a password over a network', async () => {
    // Another address of this machine, which is not known as one.
    const peer = await startSmtpPeer({ login: { user: 'studio', password: 'secret' }, host: '127.0.0.2' });
    const open = (query: string) =>
      createSmtp({
        url: `smtp://studio:secret@127.0.0.2:${peer.port}${query}`,
        from: 'no-reply@studio.test',
        origin: 'https://studio.test',
      });
    const carrier = await open('');
    const careless = await open('?requireTLS=false');
    endings.push(
      () => peer.close(),
      () => carrier.close(),
      () => careless.close(),
    );
    expect(await carrier.deliver(mail, async () => {})).toMatchObject({ state: 'delayed' });
    expect(peer.received).toEqual([]);
    expect(await careless.deliver(mail, async () => {})).toEqual({ state: 'sent' });
  });

  test('that does not know our password is asked again later: it can be put right', async () => {
    const { carrier, peer } = await openSmtp({ login: { user: 'studio', password: 'right' } }, 'studio:wrong@');
    expect(await carrier.deliver(mail, async () => {})).toMatchObject({ state: 'delayed' });
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
  ] as const)('that answers %s with %s: %s', async (at, said, state) => {
    const { carrier, peer } = await openSmtp();
    peer[at] = () => said;
    const delivery = await carrier.deliver(mail, async () => {});
    expect(delivery).toMatchObject({ state, reason: expect.stringMatching(/\b(4|5)\d\d\b/) });
    expect(peer.received).toEqual([]);
  });

  test.each<[string, string, number, SmtpPeer['cut']]>([
    ['at the greeting', 'delayed', 0, { when: /EHLO/, reaches: 'nobody' }],
    ['at the recipient', 'delayed', 0, { when: /RCPT TO/, reaches: 'nobody' }],
    ['at the word DATA', 'delayed', 0, { when: /DATA\r\n$/, reaches: 'nobody' }],
    ['in the middle of the text', 'unknown', 0, { when: /Message-ID/i, reaches: 'nobody' }],
    ['between text and answer', 'unknown', 1, { when: /\r\n\.\r\n/, reaches: 'server' }],
  ])('that is cut off %s: %s', async (_where, state, count, cut) => {
    const { carrier, peer } = await openSmtp();
    peer.cut = cut;
    expect(await carrier.deliver(mail, async () => {})).toMatchObject({ state, reason: expect.stringMatching(/./) });
    await expect.poll(() => peer.received.length).toBe(count);
  });

  test('that is silent is left after a time: before the text delayed, after it unknown', async () => {
    const { carrier, peer } = await openSmtp({}, '', '?socketTimeout=300&greetingTimeout=300');
    peer.onText = () => new Promise(() => {});
    expect(await carrier.deliver(mail, async () => {})).toMatchObject({
      state: 'unknown',
      reason: expect.stringMatching(/time/i),
    });
  });

  test('gets nothing when the text may not leave', async () => {
    const { carrier, peer } = await openSmtp();
    const no = () => Promise.reject(new Error('somebody else has it'));
    expect(await carrier.deliver(mail, no)).toEqual({
      state: 'delayed',
      reason: expect.stringContaining('somebody else has it'),
    });
    expect(peer.received).toEqual([]);
    expect(await carrier.deliver(mail, async () => {})).toEqual({ state: 'sent' });
    expect(peer.received).toHaveLength(1);
  });

  test('is asked again over a new connection when it closed the idle one', async () => {
    const { carrier, peer } = await openSmtp({ host: ownAddress });
    expect(await carrier.deliver(mail, async () => {})).toEqual({ state: 'sent' });
    await peer.goDown();
    await peer.comeUp();
    expect(await carrier.deliver({ ...mail, id: 'mail-2' }, async () => {})).toEqual({ state: 'sent' });
    expect(peer.received).toHaveLength(2);
  });

  test('keeps few connections, each for many mails', async () => {
    const { carrier, peer } = await openSmtp();
    await Promise.all(
      Array.from({ length: 60 }, (_, i) => carrier.deliver({ ...mail, id: `mail-${i}` }, async () => {})),
    );
    expect(peer.received).toHaveLength(60);
    expect(peer.connections()).toBeLessThanOrEqual(4);
  });
});
