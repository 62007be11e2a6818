/** Closes the parts of the server in reverse order. */
import type { Logger } from 'pino';

/** The parts of the server that have to be closed. */
export interface Shutdown {
  /** Adds a part to close. `name` is for the log. */
  add(name: string, close: () => Promise<void> | void): void;
  /**
   * Closes all parts, the last one first. A part that fails or does not end in time does not stop the others from
   * being closed.
   */
  run(): Promise<void>;
}

/** Longer than any part needs normally, and longer than the embedded database has before it is killed. */
const LIMIT_MS = 30_000;

/** Creates an empty shutdown. `limitMs` is how long it waits for each part. */
export function createShutdown(log: Logger, limitMs = LIMIT_MS): Shutdown {
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
    async run() {
      for (let part = parts.pop(); part; part = parts.pop()) await closeOne(part);
    },
  };
}
