import { expect, test } from 'vitest';
import { loadOnce } from './loadOnce.ts';

test('loads once, and retries after a failure', async () => {
  const outcomes = [() => Promise.reject(new Error('EMFILE')), async () => 'the list'];
  let tries = 0;
  const read = loadOnce<string>(() => outcomes[tries++]!());
  const first = await Promise.allSettled([read(), read()]);
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await Promise.all([read(), read(), read()])).toEqual(['the list', 'the list', 'the list']);
  expect(tries).toBe(2);
});
