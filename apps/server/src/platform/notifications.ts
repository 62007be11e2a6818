/**
 * Messages between the servers of one database, by LISTEN and NOTIFY of PostgreSQL. A message may be lost: what it
 * says stands in a table too, and is looked for there from time to time.
 */
import { sql } from 'drizzle-orm';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Db } from './database.ts';

/** Sends a message after the commit of `writer`. It is at most 8,000 bytes as JSON. */
export async function notify(writer: Pick<Db, 'execute'>, channel: string, message: object): Promise<void> {
  await writer.execute(sql`select pg_notify(${channel}, ${JSON.stringify(message)})`);
}

/** A connection that hears messages. */
export interface Notifications {
  /** Resolves when the connection hears, the first time. */
  readonly isOpen: Promise<void>;
  close(): Promise<void>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Listens on a connection of its own, which must lead to the database itself: a pooler passes no messages on. A
 * connection that breaks is made again. `onMessage` gets the text of a message, and `undefined` whenever messages may
 * have been lost.
 */
export function openNotifications(
  directConnection: pg.ClientConfig,
  channels: readonly string[],
  onMessage: (channel: string, text: string | undefined) => void,
  log: Pick<Logger, 'warn'>,
): Notifications {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let isClosed = false;
  let connecting: Promise<void> = Promise.resolve();
  let open = (): void => {};
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });

  async function connect(): Promise<void> {
    const newClient = new pg.Client({
      ...directConnection,
      application_name: 'markwright messages',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    const lose = (): void => {
      if (client !== newClient) return;
      client = undefined;
      connectLater();
    };
    newClient.on('error', lose);
    newClient.on('end', lose);
    newClient.on('notification', ({ channel, payload }) => onMessage(channel, payload || undefined));
    try {
      await newClient.connect();
      client = newClient;
      for (const channel of channels) await newClient.query(`listen ${newClient.escapeIdentifier(channel)}`);
      pauseMs = FIRST_PAUSE_MS;
      open();
      for (const channel of channels) onMessage(channel, undefined);
    } catch (error) {
      client = undefined;
      newClient.end().catch(() => {});
      if (!isClosed) log.warn({ err: error }, 'messages of other servers are not heard: looking for them is slower');
      connectLater();
    }
  }

  function connectLater(): void {
    if (isClosed) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      connecting = connect();
    }, pauseMs);
    timer.unref();
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }

  connecting = connect();
  return {
    isOpen,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await connecting;
      const last = client;
      client = undefined;
      await last?.end();
    },
  };
}
