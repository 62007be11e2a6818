import { expect, it } from 'vitest';
import { errorsOf, firstWrong, readValues } from './useForm.ts';

it('reads the fields of a form by name, and those that are not there as blank', () => {
  const data = new FormData();
  data.set('email', ' ann@example.com ');
  data.set('website', 'x');
  expect(readValues(['email', 'password'], data)).toEqual({ email: ' ann@example.com ', password: '' });
});

it('finds the first wrong field in the order of the page', () => {
  const names = ['email', 'password'] as const;
  expect(firstWrong(names, { password: 'Too short.', email: 'Not an address.' })).toBe('email');
  expect(firstWrong(names, { email: undefined, password: 'Too short.' })).toBe('password');
  expect(firstWrong(names, { form: 'The server said no.' })).toBeUndefined();
  expect(firstWrong(names, {})).toBeUndefined();
});

it('keeps the first message of each field', () => {
  expect(
    errorsOf<'email'>([
      { path: ['email'], message: 'Not an address.' },
      { path: ['email'], message: 'Too long.' },
      { path: [], message: 'Nothing fits.' },
    ]),
  ).toEqual({ email: 'Not an address.', form: 'Nothing fits.' });
});
