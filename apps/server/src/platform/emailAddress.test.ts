import { expect, test } from 'vitest';
import { canonicalEmail, localPart } from './emailAddress.ts';
import { AppError } from './errors.ts';

test.each([
  ['Ann@Example.COM', 'ann@example.com'],
  ['  ann@example.com\t', 'ann@example.com'],
  ['a.b+tag@sub.example.co', 'a.b+tag@sub.example.co'],
  ["o'neil@example.com", "o'neil@example.com"],
])('stores %s as %s', (input, canonical) => {
  expect(canonicalEmail(input)).toBe(canonical);
});

test.each([
  '',
  'ann',
  '@example.com',
  'ann@',
  'ann@localhost',
  'ann@@example.com',
  'an n@example.com',
  'ann@exa mple.com',
  'ann@example..com',
  'ann@-example.com',
  'ann@[127.0.0.1]',
  '"ann"@example.com',
  'ann@\u212aelvin.example', // the Kelvin sign, which folds to k
  'ann@kelv\u0131n.example',
  '\uff41nn@example.com',
  '\u0430nn@example.com',
  'ann\u200b@example.com',
  '\u00a0ann@example.com',
  'ann@example.com\r\nbcc: all@example.com',
  `${'a'.repeat(65)}@example.com`,
  `ann@${'a.'.repeat(140)}com`,
])('rejects %j', (input) => {
  expect(() => canonicalEmail(input)).toThrow(new AppError('invalid', 'Invalid email address'));
});

test('returns the part before the @', () => {
  expect(localPart('ann.lee@example.com')).toBe('ann.lee');
});
