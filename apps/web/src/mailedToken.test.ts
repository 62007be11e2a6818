import { expect, it } from 'vitest';
import { readMailedToken, readPastedToken } from './mailedToken.ts';

it.each([
  ['?token=abc', '', 'abc'],
  ['', '#token=abc', 'abc'],
  ['?token=a%20b', '', 'a b'],
  ['?token=', '', undefined],
  ['?token=%20', '#token=c', 'c'],
  ['?other=1', '#top', undefined],
])('reads the token of %j and %j', (search, hash, token) => expect(readMailedToken({ search, hash })).toBe(token));

it.each([
  [' abc_-1 ', 'abc_-1'],
  ['https://studio.example.com/password-reset?token=abc', 'abc'],
  ['https://studio.example.com/verify-email#token=abc', 'abc'],
  ['https://studio.example.com/', 'https://studio.example.com/'],
  ['', ''],
])('takes %j for %j', (text, token) => expect(readPastedToken(text)).toBe(token));
