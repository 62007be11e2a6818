import { expect, it } from 'vitest';
import { checkNewPassword } from './passwords.ts';

it('says literally what is wrong with a new password', () => {
  expect(checkNewPassword('walnut', 'walnuts')).toEqual({
    field: 'confirmation',
    reason: {
      title: 'Password Mismatch',
      description: 'New password and confirmation password do not match.',
    },
  });
  expect(checkNewPassword('waln', 'waln')).toEqual({
    field: 'password',
    reason: { title: 'Password Too Short', description: 'Password must be at least 6 characters long.' },
  });
  expect(checkNewPassword('walnut', 'walnut')).toBeUndefined();
});
