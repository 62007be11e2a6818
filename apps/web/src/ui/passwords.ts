import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { SiteInfo } from '@markwright/contract/schemas';
import { type Message, MIN_PASSWORD_LENGTH, messages, shortPassword } from '@markwright/contract/words';
import { useQuery } from '@tanstack/react-query';

/** Returns the least length of a new password on this server. */
export function useMinPasswordLength(): number {
  const site = useQuery<SiteInfo>({ queryKey: [siteCalls.site.info.path] });
  return site.data?.minPasswordLength ?? MIN_PASSWORD_LENGTH;
}

/** Returns what is wrong with a new password or its repetition, and the field; undefined when both are fine. */
export function checkNewPassword(
  password: string,
  confirmation: string,
  minLength: number,
): { field: 'password' | 'confirmation'; reason: Message } | undefined {
  if (password !== confirmation) return { field: 'confirmation', reason: messages.passwordMismatch };
  if (password.length >= minLength) return undefined;
  const { title } = messages.passwordTooShort;
  return { field: 'password', reason: { title, description: `${shortPassword(minLength)} long.` } };
}
