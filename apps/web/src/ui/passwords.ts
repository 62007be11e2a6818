import { type Message, MIN_PASSWORD_LENGTH, messages } from '@markwright/contract/words';

/** Returns what is wrong with a new password or its repetition, and the field; undefined when both are fine. */
export function checkNewPassword(
  password: string,
  confirmation: string,
): { field: 'password' | 'confirmation'; reason: Message } | undefined {
  if (password !== confirmation) return { field: 'confirmation', reason: messages.passwordMismatch };
  if (password.length < MIN_PASSWORD_LENGTH) return { field: 'password', reason: messages.passwordTooShort };
  return undefined;
}
