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

/** The callback of a listener. `text` is that of the message, and `undefined` whenever messages may have been lost. */
type OnMessage = (channel: string, text: string | undefined) => void;

/** Hears messages on some channels until it is closed. */
export interface Listener {
  close(): void;
}

/** The connection by which a server hears messages, for all who listen. */
export interface Notifications {
  listen(channels: readonly string[], onMessage: OnMessage): Listener;
  /** Closes the connection, after which nobody hears anything. */
  close(): Promise<void>;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Connects for the first who listens, on a connection of its own, which must lead to the database itself: a pooler
 * passes no messages on. A connection that breaks is made again.
 */
export function openNotifications(directConnection: pg.ClientConfig, log: Pick<Logger, 'warn'>): Notifications {
  interface OpenListener {
    readonly channels: readonly string[];
    readonly onMessage: OnMessage;
  }
  const listeners = new Set<OpenListener>();
  /** Undefined while there is no connection that hears. */
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let isClosed = false;
  let connecting: Promise<void> | undefined;

  /** Throws when the connection breaks. */
  async function subscribe(on: pg.Client, listener: OpenListener): Promise<void> {
    for (const channel of listener.channels) await on.query(`listen ${on.escapeIdentifier(channel)}`);
    for (const channel of listener.channels) if (listeners.has(listener)) listener.onMessage(channel, undefined);
  }

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
    newClient.on('notification', ({ channel, payload }) => {
      for (const { channels, onMessage } of listeners) {
        if (channels.includes(channel)) onMessage(channel, payload || undefined);
      }
    });
    try {
      await newClient.connect();
      client = newClient;
      for (const listener of [...listeners]) await subscribe(newClient, listener);
      pauseMs = FIRST_PAUSE_MS;
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

  return {
    listen(channels, onMessage) {
      const listener: OpenListener = { channels, onMessage };
      listeners.add(listener);
      if (!connecting) connecting = connect();
      // A connection that breaks here is made again, and then hears these channels too.
      else if (client) subscribe(client, listener).catch(() => {});
      return { close: () => void listeners.delete(listener) };
    },
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
