/**
 * The rules for a new password: its length, and a list of passwords that it must not be on. These are the most common
 * ones that the length rule accepts, the account's own address, and the words of the context: the product's name, the
 * name of the site, and the part of the address before the @, also with digits and signs around them.
 */
import { messages, shortPassword } from '@markwright/contract';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { loadOnce } from '../platform/loadOnce.ts';

const COUNT = 3_000;

/** Throws invalid for a password that may not be chosen. Upper and lower case make no difference. */
export async function refuseWeakPassword(
  { config: { minPasswordLength, publicUrl } }: Pick<Context, 'config'>,
  password: string,
  email: string,
): Promise<void> {
  if (password.length < minPasswordLength) throw new AppError('invalid', shortPassword(minPasswordLength));
  const plain = password.toLowerCase();
  const isCommon = plain === email || (await commonPasswords(minPasswordLength)).has(plain);
  if (isCommon) throw new AppError('invalid', messages.commonPassword);
  const word = plain.replace(AROUND_A_WORD, '');
  const contextWords = [
    PRODUCT_NAME,
    ...(publicUrl?.hostname.split('.') ?? []),
    email.slice(0, email.lastIndexOf('@')),
  ];
  const isContext = contextWords.some((contextWord) => contextWord.replace(AROUND_A_WORD, '') === word);
  if (isContext && word !== '') throw new AppError('invalid', messages.contextPassword);
}

const PRODUCT_NAME = 'markwright';
const AROUND_A_WORD = /^[^\p{L}]+|[^\p{L}]+$/gu;

/** Loads the list from a package of 50,000, most common first, when somebody first chooses a password. */
const loadDictionary = loadOnce(async (): Promise<readonly string[]> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return dictionary['passwords-common'];
});

const lists = new Map<number, ReadonlySet<string>>();

/** Returns the most common passwords of at least this length. */
async function commonPasswords(minLength: number): Promise<ReadonlySet<string>> {
  const list = lists.get(minLength) ?? takeCommon(await loadDictionary(), minLength);
  lists.set(minLength, list);
  return list;
}

function takeCommon(dictionary: readonly string[], minLength: number): ReadonlySet<string> {
  const passwords = new Set<string>();
  for (const password of dictionary) {
    if (password.length >= minLength) passwords.add(password.toLowerCase());
    if (passwords.size === COUNT) break;
  }
  return passwords;
}
