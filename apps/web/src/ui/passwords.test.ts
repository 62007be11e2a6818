import { expect, it } from 'vitest';
import { checkNewPassword } from './passwords.ts';

it('says literally what is wrong with a new password', () => {
  expect(checkNewPassword('walnut', 'walnuts', 6)).toEqual({
    field: 'confirmation',
    reason: {
      title: 'Password Mismatch',
      description: 'New password and confirmation password do not match.',
    },
  });
  expect(checkNewPassword('waln', 'waln', 6)).toEqual({
    field: 'password',
    reason: { title: 'Password Too Short', description: 'Password must be at least 6 characters long.' },
  });
  expect(checkNewPassword('walnut', 'walnut', 6)).toBeUndefined();
});

it('asks for as many characters as the server does', () => {
  expect(checkNewPassword('walnut', 'walnut', 8)).toEqual({
    field: 'password',
    reason: { title: 'Password Too Short', description: 'Password must be at least 8 characters long.' },
  });
});
