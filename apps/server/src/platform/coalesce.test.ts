import { expect, test } from 'vitest';
import { coalesce } from './coalesce.ts';

/** A read that the test answers by hand, in the order of the calls. */
function manualRead() {
  const answers: { resolve: (value: string) => void; reject: (error: Error) => void }[] = [];
  const read = coalesce(() => new Promise<string>((resolve, reject) => answers.push({ resolve, reject })));
  return { read, answers };
}

test('shares one later read among the callers that come while a read runs', async () => {
  const { read, answers } = manualRead();
  const first = read();
  const later = [read(), read(), read()];
  expect(answers).toHaveLength(1);
  answers[0]!.resolve('before');
  expect(await first).toBe('before');
  await expect.poll(() => answers.length).toBe(2);
  const last = read();
  answers[1]!.resolve('after');
  expect(await Promise.all(later)).toEqual(['after', 'after', 'after']);
  await expect.poll(() => answers.length).toBe(3);
  answers[2]!.resolve('last');
  expect(await last).toBe('last');
});

test('reads again for a caller after the end of a read', async () => {
  const { read, answers } = manualRead();
  const first = read();
  answers[0]!.resolve('before');
  await first;
  const second = read();
  answers[1]!.resolve('after');
  expect(await second).toBe('after');
});

test('fails the callers that wait for a read that fails, and reads again for the next', async () => {
  const { read, answers } = manualRead();
  const outcomes = Promise.allSettled([read(), read(), read()]);
  answers[0]!.reject(new Error('down'));
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(answers).toHaveLength(1);
  const next = read();
  answers[1]!.resolve('up');
  expect(await next).toBe('up');
});
