/** The log: one JSON object a line. Passwords and tokens are redacted wherever they appear. */
import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from '../config.ts';

const secrets = ['authorization', 'cookie', 'password', 'newPassword', 'currentPassword', 'token', 'jwtToken'];

/** Creates a log that writes to stderr unless told otherwise. */
export function createLog(level: Config['logLevel'], destination: DestinationStream = pino.destination(2)): Logger {
  return pino(
    {
      level,
      redact: {
        paths: [...secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), '*.headers["set-cookie"]'],
        censor: '[cut]',
      },
      serializers: { err: (error: unknown) => describeError(error) },
    },
    destination,
  );
}

interface ErrorLine {
  readonly type: string;
  readonly code?: unknown;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly cause?: ErrorLine;
}

/**
 * Reduces an error to what a log needs. Its other properties are left out: a broken connection carries its whole
 * client.
 */
function describeError(error: unknown, depth = 0): ErrorLine {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  // The message of a failed query contains its values: what people typed, and hashes of tokens.
  const message = error instanceof DrizzleQueryError ? (error.message.split('\nparams: ', 1)[0] ?? '') : error.message;
  return {
    type: error.name,
    ...('code' in error ? { code: error.code } : {}),
    message,
    // A database error is logged with message and code only: its stack is the driver's.
    ...(error instanceof pg.DatabaseError ? {} : { stack: error.stack?.replace(error.message, () => message) }),
    ...(error.cause === undefined || depth > 4 ? {} : { cause: describeError(error.cause, depth + 1) }),
  };
}
