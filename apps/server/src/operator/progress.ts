/** Progress of a command, for a person who watches and for a log. */

export interface Progress {
  /** Says how far the work is. */
  say(text: string): void;
  /** Ends the line that a person watches. */
  end(): void;
}

const LOG_EVERY_MS = 10_000;
const SHOW_EVERY_MS = 100;

/**
 * Writes to stderr, which leaves stdout to results: one line that changes on a terminal, else a line in ten seconds.
 */
export function createProgress(stream: NodeJS.WriteStream = process.stderr, now = () => performance.now()): Progress {
  const pause = stream.isTTY ? SHOW_EVERY_MS : LOG_EVERY_MS;
  let lastMs = now();
  let hasLine = false;
  return {
    say(text) {
      if (now() - lastMs < pause) return;
      lastMs = now();
      stream.write(stream.isTTY ? `\r\u001b[K${text}` : `${text}\n`);
      hasLine = Boolean(stream.isTTY);
    },
    end() {
      if (hasLine) stream.write('\r\u001b[K');
      hasLine = false;
    },
  };
}
