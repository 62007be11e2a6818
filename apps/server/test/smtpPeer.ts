/** A real mail server on this machine, behind a connection that a test may cut. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type SMTPServerAddress, type SMTPServerSession, SMTPServer as SmtpServer } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The message as it was sent. */
  readonly raw: string;
  readonly isEncrypted: boolean;
  readonly user: string | undefined;
}

export interface SmtpPeer {
  readonly host: string;
  readonly port: number;
  /** The accepted mails, in order. */
  readonly received: ReceivedMail[];
  /** Return a refusal of a recipient, a text or a connection, such as `450 try again`. Called for each. */
  onRecipient: (address: string) => string | undefined;
  onText: (mail: ReceivedMail) => string | undefined | Promise<string | undefined>;
  onConnection: () => string | undefined;
  /**
   * Cuts a connection when the client's input matches: before it reaches the server, or after that but before the
   * reply.
   */
  cut: { when: RegExp; reaches: 'nobody' | 'server' } | undefined;
  connections(): number;
  /** Accepts no connections, as if it had never been started; then accepts them again. */
  goDown(): Promise<void>;
  comeUp(): Promise<void>;
  close(): Promise<void>;
}

export interface SmtpPeerOptions {
  readonly login?: { readonly user: string; readonly password: string };
  /** Offers encryption with an unsigned certificate. */
  readonly tls?: boolean;
  /** The address to listen on. Default 127.0.0.1; a server that goes down and comes up again needs its own. */
  readonly host?: string;
}

export async function startSmtpPeer({
  login,
  tls = false,
  host = '127.0.0.1',
}: SmtpPeerOptions = {}): Promise<SmtpPeer> {
  const receivedMails: ReceivedMail[] = [];
  const open = new Set<Socket>();
  let connections = 0;

  const server = new SmtpServer({
    authOptional: !login,
    allowInsecureAuth: true,
    disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onConnect(_session, done) {
      connections++;
      done(refusal(peer.onConnection()));
    },
    onAuth({ username, password }, _session, done) {
      if (username === login?.user && password === login?.password) done(null, { user: username });
      else done(refusal('535 wrong password'));
    },
    onRcptTo({ address }, _session, done) {
      done(refusal(peer.onRecipient(address)));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const mail = describe(session, Buffer.concat(chunks).toString('latin1'));
        const refusalText = await peer.onText(mail);
        if (!refusalText) receivedMails.push(mail);
        done(refusal(refusalText));
      });
    },
  });
  server.on('error', () => {}); // the tests break connections on purpose
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port: serverPort } = server.server.address() as AddressInfo;

  const wire = createServer((client) => {
    const there = connect(serverPort, '127.0.0.1');
    for (const [socket, other] of [
      [client, there],
      [there, client],
    ] as const) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
    let clientInput = '';
    let isDeaf = false;
    client.on('data', (chunk: Buffer) => {
      clientInput += chunk.toString('latin1');
      const isCut = peer.cut?.when.test(clientInput);
      if (isCut && peer.cut?.reaches === 'nobody') {
        client.destroy();
        return;
      }
      isDeaf ||= isCut === true;
      there.write(chunk);
    });
    there.on('data', (chunk: Buffer) => {
      if (isDeaf) client.destroy();
      else client.write(chunk);
    });
  });
  const comeUp = async (at: number): Promise<void> => {
    wire.listen(at, host);
    await once(wire, 'listening');
  };
  await comeUp(0);
  const { port } = wire.address() as AddressInfo;

  const goDown = async (): Promise<void> => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => wire.close(resolve));
  };
  const peer: SmtpPeer = {
    host,
    port,
    received: receivedMails,
    onRecipient: () => undefined,
    onText: () => undefined,
    onConnection: () => undefined,
    cut: undefined,
    connections: () => connections,
    goDown,
    comeUp: () => comeUp(port),
    async close() {
      if (wire.listening) await goDown();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return peer;
}

/** Converts `450 try again` to the error that the server library replies with. */
function refusal(replyText: string | undefined): (Error & { responseCode: number }) | null {
  return replyText
    ? Object.assign(new Error(replyText.slice(4)), { responseCode: Number(replyText.slice(0, 3)) })
    : null;
}

function describe({ envelope, secure, user }: SMTPServerSession, raw: string): ReceivedMail {
  const addressOf = (address: SMTPServerAddress | false): string => (address ? address.address : '');
  return {
    from: addressOf(envelope.mailFrom),
    to: envelope.rcptTo.map(addressOf),
    raw,
    isEncrypted: secure,
    user: user as string | undefined,
  };
}

export interface ReadMail {
  /** Names in lower case; a repeated header occurs repeatedly. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  readonly html: string;
  header(name: string): string | undefined;
}

/** Reads a mail as a mail program does: unfolds and decodes headers, finds and decodes both texts. */
export function readMail(raw: string): ReadMail {
  const { headers, body } = split(raw);
  const header = (name: string): string | undefined => headers.find(([headerName]) => headerName === name)?.[1];
  const boundary = /boundary="?([^";]+)"?/.exec(header('content-type') ?? '')?.[1];
  const parts = boundary
    ? body
        .split(`--${boundary}`)
        .slice(1, -1)
        .map((part) => split(part.replace(/^\r\n/, '')))
    : [];
  const partOf = (type: string): string => {
    const part = parts.find(({ headers }) =>
      headers.some(([name, value]) => name === 'content-type' && value.startsWith(type)),
    );
    return part ? decodeBody(part) : '';
  };
  return { headers, header, text: partOf('text/plain'), html: partOf('text/html') };
}

function split(raw: string): { headers: [string, string][]; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const headers = raw
    .slice(0, end)
    .replace(/\r\n[ \t]/g, ' ')
    .split('\r\n')
    .map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())];
    });
  return { headers, body: raw.slice(end + 4) };
}

function decodeBody({ headers, body }: { headers: [string, string][]; body: string }): string {
  const encoding = headers.find(([name]) => name === 'content-transfer-encoding')?.[1];
  // The line break before the next part belongs to the boundary.
  const content = body.replace(/\r\n$/, '');
  if (encoding === 'base64') return Buffer.from(content, 'base64').toString('utf8');
  return encoding === 'quoted-printable' ? unquote(content.replace(/=\r\n/g, '')) : content;
}

const unquote = (text: string): string =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/g, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

function decodeWords(value: string): string {
  return value
    .replace(/(\?=)\s+(=\?)/g, '$1$2')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      kind.toUpperCase() === 'B' ? Buffer.from(word, 'base64').toString('utf8') : unquote(word.replace(/_/g, ' ')),
    );
}
