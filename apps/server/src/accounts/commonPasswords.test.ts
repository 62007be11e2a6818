import { expect, test } from 'vitest';
import { AppError } from '../platform/errors.ts';
import { refuseCommonPassword } from './commonPasswords.ts';

const refusal = new AppError('invalid', 'This password is one of the most used ones. Please choose another.');

test.each(['123456', 'password', 'qwerty', 'LETMEIN', 'Iloveyou', 'trustno1', 'ann@example.com', 'ANN@Example.com'])(
  'refuses %s',
  async (password) => {
    await expect(refuseCommonPassword(password, 'ann@example.com')).rejects.toThrow(refusal);
  },
);

test.each(['walnut-board', 'correct horse battery staple', 'Ann@example.com!', '木の板を彫る'])(
  'accepts %s',
  async (password) => {
    await refuseCommonPassword(password, 'ann@example.com');
  },
);

test('refuses the 3,000 most common passwords of six characters and more', async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const longEnough = dictionary['passwords-common'].filter((password) => password.length >= 6);
  const isRefused = (password: string) =>
    refuseCommonPassword(password, 'ann@example.com').then(
      () => false,
      () => true,
    );
  expect(await Promise.all(longEnough.slice(0, 3_000).map(isRefused))).toEqual(Array(3_000).fill(true));
  expect((await Promise.all(longEnough.slice(3_100).map(isRefused))).filter(Boolean)).toEqual([]);
});
