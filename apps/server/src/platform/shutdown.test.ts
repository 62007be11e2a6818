import pino from 'pino';
import { expect, test } from 'vitest';
import { createClosers } from './shutdown.ts';

test('a part that fails and one that hangs keep no other from being closed, in order', async () => {
  const said: string[] = [];
  const closed: string[] = [];
  const closers = createClosers(
    pino({ level: 'error' }, { write: (line) => void said.push(JSON.parse(line).part) }),
    20,
  );
  closers.add('database', () => void closed.push('database'));
  closers.add('jobs', () => Promise.reject(new Error('no connection')));
  closers.add('workers', () => new Promise(() => {}));
  closers.add('door', () => {
    throw new Error('never opened');
  });
  closers.add('mail', async () => void closed.push('mail'));
  await closers.close();
  expect(closed).toEqual(['mail', 'database']);
  expect(said).toEqual(['door', 'workers', 'jobs']);
});
