import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { AppError } from '../platform/errors.ts';
import { refuseWeakPassword } from './commonPasswords.ts';

const settings = { config: readConfig({}) };
const refusal = new AppError('invalid', 'This password is one of the most used ones. Please choose another.');

test.each(['123456', 'password', 'qwerty', 'LETMEIN', 'Iloveyou', 'trustno1', 'ann@example.com', 'ANN@Example.com'])(
  'refuses %s',
  async (password) => {
    await expect(refuseWeakPassword(settings, password, 'ann@example.com')).rejects.toThrow(refusal);
  },
);

test.each(['walnut-board', 'correct horse battery staple', 'Ann@example.com!', '木の板を彫る'])(
  'accepts %s',
  async (password) => {
    await refuseWeakPassword(settings, password, 'ann@example.com');
  },
);

test.each([
  'Markwright',
  'markwright1!',
  '2026 markwright',
  'engraving-shop',
  '1engraving-shop2',
  'Ann.Maker',
  'ann.maker99',
])('refuses the word of the context %s', async (password) => {
  const site = { config: readConfig({ PUBLIC_URL: 'https://studio.engraving-shop.example' }) };
  const easy = new AppError('invalid', 'This password is easy to guess here. Please choose another.');
  await expect(refuseWeakPassword(site, password, 'ann.maker@example.com')).rejects.toThrow(easy);
});

test.each(['markwright and walnut', 'my-engraving-shop', 'annmaker', '73649182'])(
  'accepts %s, which is more than a word of the context',
  async (password) => {
    const site = { config: readConfig({ PUBLIC_URL: 'https://studio.engraving-shop.example' }) };
    await refuseWeakPassword(site, password, 'ann.maker@example.com');
    await refuseWeakPassword(site, password, '007@example.com');
  },
);

test('refuses the 3,000 most common passwords of six characters and more', async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const longEnough = dictionary['passwords-common'].filter((password) => password.length >= 6);
  const isRefused = (password: string) =>
    refuseWeakPassword(settings, password, 'ann@example.com').then(
      () => false,
      () => true,
    );
  expect(await Promise.all(longEnough.slice(0, 3_000).map(isRefused))).toEqual(Array(3_000).fill(true));
  expect((await Promise.all(longEnough.slice(3_100).map(isRefused))).filter(Boolean)).toEqual([]);
});

test('refuses passwords that are shorter than the setting, and the most common of those that are not', async () => {
  const eight = { config: readConfig({ MIN_PASSWORD_LENGTH: '8' }) };
  const tooShort = new AppError('invalid', 'Password must be at least 8 characters');
  await expect(refuseWeakPassword(eight, 'walnut7', 'ann@example.com')).rejects.toThrow(tooShort);
  await expect(refuseWeakPassword(eight, 'password', 'ann@example.com')).rejects.toThrow(refusal);
  await refuseWeakPassword(eight, 'walnut-8', 'ann@example.com');
});
