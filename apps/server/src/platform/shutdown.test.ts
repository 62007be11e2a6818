import pino from 'pino';
import { expect, test } from 'vitest';
import { createShutdown } from './shutdown.ts';

test('closes all parts in order, when one fails and one hangs too', async () => {
  const failedParts: string[] = [];
  const closedParts: string[] = [];
  const shutdown = createShutdown(
    pino({ level: 'error' }, { write: (line) => void failedParts.push(JSON.parse(line).part) }),
    20,
  );
  shutdown.add('database', () => void closedParts.push('database'));
  shutdown.add('jobs', () => Promise.reject(new Error('no connection')));
  shutdown.add('workers', () => new Promise(() => {}));
  shutdown.add('door', () => {
    throw new Error('never opened');
  });
  shutdown.add('mail', async () => void closedParts.push('mail'));
  await shutdown.run();
  expect(closedParts).toEqual(['mail', 'database']);
  expect(failedParts).toEqual(['door', 'workers', 'jobs']);
});
