import pino from 'pino';
import { expect, test } from 'vitest';
import { createShutdown } from './shutdown.ts';

test('a part that fails and one that hangs keep no other from being closed, in order', async () => {
  const said: string[] = [];
  const closed: string[] = [];
  const shutdown = createShutdown(
    pino({ level: 'error' }, { write: (line) => void said.push(JSON.parse(line).part) }),
    20,
  );
  shutdown.add('database', () => void closed.push('database'));
  shutdown.add('jobs', () => Promise.reject(new Error('no connection')));
  shutdown.add('workers', () => new Promise(() => {}));
  shutdown.add('door', () => {
    throw new Error('never opened');
  });
  shutdown.add('mail', async () => void closed.push('mail'));
  await shutdown.run();
  expect(closed).toEqual(['mail', 'database']);
  expect(said).toEqual(['door', 'workers', 'jobs']);
});
