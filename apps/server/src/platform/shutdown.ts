/** Closes what was opened, the last one first. */
import type { Logger } from 'pino';

export interface Closers {
  /** `name` is for the log. */
  add(name: string, close: () => Promise<void> | void): void;
  /** Closes all that was added. One that fails or does not end in time keeps no other from being closed. */
  close(): Promise<void>;
}

/** Longer than any of them takes when all is well, and than the embedded database is given before it is killed. */
const LIMIT_MS = 30_000;

export function createClosers(log: Logger, limitMs = LIMIT_MS): Closers {
  const parts: { name: string; close: () => Promise<void> | void }[] = [];

  async function closeOne({ name, close }: (typeof parts)[number]): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('It does not end.')), limitMs);
    });
    try {
      await Promise.race([close(), tooLate]);
    } catch (error) {
      log.error({ err: error, part: name }, 'a part of the server could not be closed');
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    add: (name, close) => void parts.push({ name, close }),
    async close() {
      for (let part = parts.pop(); part; part = parts.pop()) await closeOne(part);
    },
  };
}
