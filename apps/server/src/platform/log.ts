/** One JSON object a line. What signs people in is cut out wherever it shows up. */
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from '../config.ts';

const secrets = ['authorization', 'cookie', 'password', 'newPassword', 'currentPassword', 'token', 'jwtToken'];

export function createLog(level: Config['logLevel'], destination: DestinationStream = pino.destination(2)): Logger {
  return pino(
    {
      level,
      redact: {
        paths: [
          ...secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
          '*.headers["set-cookie"]',
          'err.params', // a failed query carries its values
          'err.cause.params',
        ],
        censor: '[cut]',
      },
    },
    destination,
  );
}
