/** Delivers mails to a mail server by SMTP. */
import { Readable } from 'node:stream';
import type { Delivery, MailTransport } from '../platform/ports/mailTransport.ts';

export interface SmtpOptions {
  /** `smtp://user:password@host:port` or `smtps://…`; nodemailer's own settings may follow as a query. */
  readonly url: string;
  /** `Name <address>` or an address. */
  readonly from: string;
  /** The address of the pages. Its host ends every Message-ID and is our name in the SMTP greeting. */
  readonly origin: string;
}

const CONNECT_LIMIT_MS = 10_000;
const SILENCE_LIMIT_MS = 30_000;
const DELIVERY_LIMIT_MS = 120_000;

/** Creates a transport that connects for the first mail, and keeps up to four connections while there are mails. */
export async function createSmtp({ url, from, origin }: SmtpOptions): Promise<MailTransport> {
  const { createTransport } = await import('nodemailer');
  const { hostname } = new URL(origin);
  const transport = createTransport({
    pool: true,
    maxConnections: 4,
    maxRequeues: 1, // a connection that was closed while idle; the outbox retries every other failure
    idleTimeout: 30_000,
    connectionTimeout: CONNECT_LIMIT_MS,
    greetingTimeout: CONNECT_LIMIT_MS,
    socketTimeout: SILENCE_LIMIT_MS,
    name: hostname.includes('.') ? hostname : undefined,
    requireTLS: mustEncrypt(new URL(url)),
    // nodemailer reads the address last: an operator's settings in it win.
    url,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  // nodemailer reads the text when the server has asked for it, so a callback before its first byte runs at that
  // moment.
  const beforeTexts = new Map<string, () => Promise<void>>();
  transport.use('stream', (mail, done) => {
    const before = beforeTexts.get(mail.message.messageId());
    mail.message.processFunc((text) => Readable.from(precede(text, before), { objectMode: false }));
    done();
  });

  return {
    kind: 'smtp',

    async deliver({ id, to, replyTo, subject, text, html }, beforeText) {
      const messageId = `<${id}@${hostname}>`;
      let isLeaving = false;
      beforeTexts.set(messageId, async () => {
        await beforeText();
        isLeaving = true;
      });
      try {
        await transport.sendMail({
          messageId,
          envelope: { from: parseSender(from).address, to: [to] },
          from: parseSender(from),
          to: { name: '', address: to },
          replyTo: replyTo && { name: '', address: replyTo },
          subject,
          text,
          html,
          // Stops auto-responders from replying.
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.timeout(DELIVERY_LIMIT_MS),
        });
        return { state: 'sent' };
      } catch (error) {
        return classifyFailure(error, isLeaving);
      } finally {
        beforeTexts.delete(messageId);
      }
    },

    close() {
      transport.close({ force: true });
    },
  };
}

async function* precede(text: Readable, before: (() => Promise<void>) | undefined): AsyncGenerator<Uint8Array> {
  await before?.();
  yield* text;
}

/** Classifies a failure. Only a reply to this mail is final; a wrong password can be corrected. */
function classifyFailure(error: unknown, isLeaving: boolean): Delivery {
  const { message, code, responseCode, permanent } = error as Error & {
    code?: string;
    responseCode?: number;
    permanent?: boolean;
  };
  const reason = message.slice(0, 500);
  const isReply = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== undefined;
  if (isReply) return { state: permanent ? 'refused' : 'delayed', reason };
  return { state: isLeaving ? 'unknown' : 'delayed', reason };
}

/**
 * Returns true when the connection must be encrypted: a password is never sent in plain text, even when a man in the
 * middle removes STARTTLS.
 */
function mustEncrypt({ username, hostname }: URL): boolean {
  return username !== '' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function parseSender(from: string): { name: string; address: string } {
  const [, name = '', address = from] = /^(.*) <(.*)>$/.exec(from) ?? [];
  return { name, address };
}
