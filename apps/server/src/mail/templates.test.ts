/** The properties that every mail must have, and the content of each one. */
import { plans } from '@markwright/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailsTo } from '../../test/mailbox.ts';
import { createTestApp, type TestApp } from '../../test/server.ts';
import { readMail, type SmtpPeer, startSmtpPeer } from '../../test/smtpPeer.ts';
import { mailReset } from '../accounts/passwordChange.ts';
import type { Context } from '../platform/context.ts';
import { type MailMessage, queueMail } from './mail.ts';
import { sendMails } from './sending.ts';
import { createSmtp } from './smtp.ts';
import {
  feedbackMail,
  passwordChangedMail,
  receiptMail,
  recoveryCodeMail,
  resetMail,
  secondFactorMail,
  verifyMail,
  waitlistMail,
  welcomeMail,
} from './templates.ts';

const NOW = new Date('2026-11-21T14:05:00Z');
const TOKEN = 'x7Kq2mB9vLr4TzW8nYc1PdF6hJs0GaE3uRoQiXyNtMk';
const verifyLink = { token: TOKEN, expiresAt: new Date('2026-11-24T14:05:00Z') };
const resetLink = { token: TOKEN, expiresAt: new Date('2026-11-21T14:35:00Z') };
const ANN = 'ann@example.com';

let server: TestApp;
let context: Context;
let peer: SmtpPeer;
let sampleMails: MailMessage[];
beforeAll(async () => {
  server = await createTestApp();
  server.setNow(NOW);
  peer = await startSmtpPeer();
  const mail = await createSmtp({
    url: `smtp://127.0.0.1:${peer.port}`,
    from: 'Markwright <no-reply@studio.test>',
    origin: server.context.origin,
  });
  context = Object.create(server.context, { mail: { value: mail } });
  sampleMails = [
    verifyMail(context, ANN, verifyLink),
    welcomeMail(context, ANN),
    resetMail(context, ANN, resetLink),
    passwordChangedMail(context, ANN),
    receipt(),
    waitlistMail(context, ANN, 'FOUND-7K2M-QX'),
    feedback(),
    secondFactorMail(context, ANN, 'off'),
    recoveryCodeMail(context, ANN, 9),
  ];
});
afterAll(async () => {
  context.mail.close();
  await peer.close();
  await server.close();
});

const receipt = (paidCents = 1900, plan = plans.pro): MailMessage =>
  receiptMail(context, ANN, {
    plan,
    paidCents,
    periodStart: new Date('2026-11-21T00:00:00Z'),
    periodEnd: new Date('2026-12-21T00:00:00Z'),
    key: 'receipt in_1',
  });

const feedback = (change: Partial<Parameters<typeof feedbackMail>[1]> = {}): MailMessage =>
  feedbackMail(context, {
    id: 'f1',
    name: 'Jo',
    email: 'jo@example.org',
    userId: 12,
    replyTo: 'jo@example.org',
    feedback: 'Good.',
    ...change,
  });

/** Returns the text that a reader sees of the HTML. */
const textOf = (html: string): string =>
  html
    .replace(/<style>[\s\S]*?<\/style>|<title>.*?<\/title>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');

test('no mail loads, runs or links to anything but our own pages', () => {
  expect(sampleMails.map(({ kind }) => kind)).toEqual([
    'verify',
    'welcome',
    'reset',
    'passwordChanged',
    'receipt',
    'waitlist',
    'feedback',
    'secondFactor',
    'secondFactor',
  ]);
  for (const { html, text } of sampleMails) {
    expect(html).not.toMatch(/<(img|script|link|iframe|object|form|svg|table)|\bsrc=|url\(|@import|\son\w+=/i);
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url);
    for (const url of [...links, ...(text.match(/https?:\S+/g) ?? [])]) {
      expect(url).toMatch(/^http:\/\/studio\.test\//);
    }
  }
});

test('both forms of a mail have the same text, and the reason for it', () => {
  for (const { kind, html, text } of sampleMails) {
    const words = textOf(html);
    for (const line of text.replace(/^> /gm, '').split('\n')) {
      const plainLine = line.replace(/^--$|:$/, '').trim();
      // A fact has name and value; the spaces between them differ.
      for (const part of plainLine.split(/^([A-Z][\w ]*):\s+(?=\S)/)) expect(words, `${kind}: ${part}`).toContain(part);
    }
    expect(text).toMatch(
      kind === 'feedback' ? /\nSent from the feedback page of studio\.test/ : /\nYou get .*studio\.test/,
    );
    // One button, with its address spelled out.
    expect(html.match(/class="button"/g)?.length ?? 0).toBe(kind === 'feedback' ? 0 : 1);
    const [button, words2] = [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)</g)];
    expect(words2?.[2]).toBe(button?.[1]);
  }
});

test('the links of verifying and resetting carry the token where the pages look for it', () => {
  const [verify, , reset] = sampleMails;
  expect(verify?.text).toContain(`\nhttp://studio.test/verify-email#token=${TOKEN}\n`);
  expect(reset?.text).toContain(`\nhttp://studio.test/password-reset#token=${TOKEN}\n`);
  expect(reset?.html).toContain(`href="http://studio.test/password-reset#token=${TOKEN}"`);
  expect(reset?.secretUntil).toEqual(resetLink.expiresAt);
  expect(verify?.secretUntil).toEqual(verifyLink.expiresAt);
});

test('the receipt names plan, price, offer, period and next payment', () => {
  const { subject, text } = receipt();
  expect(subject).toBe('Test receipt: Pro, $19');
  expect(text).toContain('no money moved');
  const facts = text.split('\n\n').find((part) => part.startsWith('Plan:'));
  expect(facts?.replace(/ +/g, ' ').split('\n')).toEqual([
    'Plan: Pro',
    'Price: $29 a month',
    'Taken off: −$10',
    'Paid: $19',
    'Period: 21 Nov 2026 to 21 Dec 2026',
    'Renews: 21 Dec 2026',
  ]);
  expect(receipt(2900).text).not.toContain('Taken off');
  expect(receipt(4550).text).not.toContain('Taken off'); // more than a month, after a change of plan
  expect(receipt(450, plans.starter).text).toMatch(/Taken off: +−\$4\.50\nPaid: +\$4\.50/);
  expect(receipt(0, plans.starter).text).toMatch(/Taken off: +−\$9\nPaid: +\$0/);
});

test('a receipt of a real payment does not mention a test', () => {
  context = Object.create(context, { payments: { value: { ...server.context.payments, kind: 'stripe' } } });
  const { subject, text } = receipt();
  expect([subject, text.split('\n')[0]]).toEqual(['Receipt: Pro, $19', 'We received $19. Thank you.']);
  expect(text.replaceAll('studio.test', '')).not.toMatch(/test/i);
});

test('text of people stays text', () => {
  const hostile = '"><img src=x onerror=alert(1)><a href="https://evil.test">free</a> & \'';
  const { html, text } = feedback({
    name: hostile,
    email: hostile,
    feedback: `one\r\n${hostile}\rthree`,
    replyTo: undefined,
  });
  expect(html).not.toMatch(/<img|<a /);
  expect(textOf(html)).toContain(hostile);
  expect(text).toContain(`> ${hostile}`);
  expect(text).toContain('without an address to answer to');
});

/** The names of the headers of a mail, as often as they occur. */
const headerNames = ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'];

const breaks = ['\r\n', '\n', '\r', '\r\n\r\n', '\n\n', '\r\n ', '\u2028', '\u2029', '\u0085', '\v', '\f', '%0d%0a'];
const additions = [
  'Bcc: victim@evil.test',
  'To: victim@evil.test',
  'Subject: changed',
  'Content-Type: text/html; charset=utf-8',
  '.\r\nMAIL FROM:<evil@evil.test>\r\nRCPT TO:<victim@evil.test>\r\nDATA\r\nMore',
];
const payloads = breaks.flatMap((lineBreak) => additions.map((addition) => `x${lineBreak}${addition}`));

test('T14: 60 payloads with line breaks in name, email, text and subject add no header and no recipient', {
  tags: ['detail'],
}, async () => {
  expect(payloads).toHaveLength(60);
  for (const payload of payloads) {
    await queueMail(context, context.db, {
      ...feedback({ name: payload, email: payload, feedback: payload, replyTo: undefined }),
      key: undefined,
    });
    await queueMail(context, context.db, { ...sampleMails[1]!, subject: payload });
  }
  await Promise.all([sendMails(context), sendMails(context), sendMails(context), sendMails(context)]);
  expect(peer.received).toHaveLength(120);
  for (const { raw, to, from } of peer.received) {
    const parsedMail = readMail(raw);
    expect(parsedMail.headers.map(([name]) => name).toSorted()).toEqual(headerNames);
    expect(from).toBe('no-reply@studio.test');
    expect([[ANN], [server.context.config.supportEmail]]).toContainEqual(to);
    expect(parsedMail.header('to')).toBe(to[0]);
    expect(parsedMail.header('content-type')).toMatch(/^multipart\/alternative; boundary="[^"]+"$/);
    expect(parsedMail.header('subject')).not.toMatch(/[\r\n]/);
  }
  // All texts arrived complete.
  const texts = peer.received.map(({ raw }) => readMail(raw).text);
  expect(
    texts.filter(
      (text) => text.includes('evil.test') || text.includes('Content-Type') || text.includes('Subject: changed'),
    ),
  ).toHaveLength(60);
});

describe('T14: a forged Host', () => {
  const names = [
    'evil.test',
    'evil.test:80',
    'studio.test.evil.test',
    'studio.test@evil.test',
    'evil.test/studio.test',
    '[::1]:evil.test',
  ];
  const headers = ['host', 'x-forwarded-host', 'x-forwarded-server', 'forwarded', 'x-original-url'];
  const forgedHeaders = headers.flatMap((header) =>
    names.map((name) => ({ header, value: header === 'forwarded' ? `host=${name};proto=https` : name })),
  );

  test.each<Record<string, string>>([{}, { PUBLIC_URL: 'https://studio.example.com' }])(
    'in 30 forms appears in no mail (%o)',
    async (environment) => {
      expect(forgedHeaders).toHaveLength(30);
      const behind = await createTestApp({ environment });
      try {
        for (const [index, { header, value }] of forgedHeaders.entries()) {
          const email = `maker${index}@example.com`;
          const post = (path: string, payload: object) =>
            behind.app.inject({
              method: 'POST',
              url: `/api/${path}`,
              payload,
              headers: { [header]: value },
              remoteAddress: '127.0.0.1',
            });
          expect((await post('auth/signup', { email, password: 'walnut-board' })).statusCode).toBe(200);
          expect((await post('auth/forgot-password', { email })).statusCode).toBe(200);
          await mailReset(behind.context, { email });
          await post('waitlist', { email });
          await post('send-feedback', { name: '', email: '', feedback: 'Good.' });
          const mailsToMaker = await mailsTo(behind, email);
          expect(mailsToMaker.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['verify', 'reset']));
          for (const { text, html } of mailsToMaker) expect(text + html).not.toContain('evil');
        }
        const support = await mailsTo(behind, behind.context.config.supportEmail);
        expect(support.length).toBeGreaterThan(0);
        for (const { text, html } of support) expect(text + html).not.toContain('evil');
      } finally {
        await behind.close();
      }
    },
  );
});
