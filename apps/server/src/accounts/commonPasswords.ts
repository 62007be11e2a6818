/**
 * Passwords that are guessed first: the most common of those that the length rule accepts, and the account's own
 * address.
 */
import { MIN_PASSWORD_LENGTH, messages } from '@markwright/contract';
import { AppError } from '../platform/errors.ts';
import { loadOnce } from '../platform/loadOnce.ts';

const COUNT = 3_000;

/** Throws invalid for a password that may not be chosen. Upper and lower case make no difference. */
export async function refuseCommonPassword(password: string, email: string): Promise<void> {
  const plain = password.toLowerCase();
  if (plain === email || (await commonPasswords()).has(plain)) throw new AppError('invalid', messages.commonPassword);
}

/** Loads the list from a package of 50,000, most common first, when somebody first chooses a password. */
const commonPasswords = loadOnce(async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const passwords = new Set<string>();
  for (const password of dictionary['passwords-common']) {
    if (password.length >= MIN_PASSWORD_LENGTH) passwords.add(password.toLowerCase());
    if (passwords.size === COUNT) break;
  }
  return passwords;
});
