/**
 * The schemas that pages check a form with before they send it. They are made with Zod Mini: its objects never try to
 * compile code, which the pages' policy forbids, and a page loads a quarter of Zod for them.
 */
import * as z from 'zod/mini';
import { isStorable, isVisible, NOT_STORABLE, toLabel } from '../words/labels.ts';
import { MAKER_LIMITS } from '../words/makers.ts';
import { messages } from '../words/messages.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../words/passwords.ts';

export const Email = z.email(messages.invalidEmail).check(z.maxLength(254, messages.invalidEmail));

/** A password that is chosen, or given to sign in. */
export const Password = z
  .string()
  .check(
    z.minLength(MIN_PASSWORD_LENGTH, messages.shortPassword),
    z.maxLength(MAX_PASSWORD_LENGTH, `Password must be at most ${MAX_PASSWORD_LENGTH} characters`),
  );

/** The form of login and sign-up. */
export const Credentials = z.object({ email: Email, password: Password });
export type Credentials = z.output<typeof Credentials>;

export const WaitlistRequest = z.object({ email: Email });

const storableText = z.string().check(z.trim(), z.refine(isStorable, NOT_STORABLE));

export const MakerMessage = z.object({
  name: z.pipe(
    z.pipe(z.string().check(z.maxLength(1_000)), z.transform(toLabel)),
    z
      .string()
      .check(
        z.maxLength(120, 'Please keep the name under 120 characters.'),
        z.refine(isVisible, 'Please say who you are.'),
      ),
  ),
  email: Email,
  message: storableText.check(
    z.minLength(1, 'Please write a message.'),
    z.maxLength(MAKER_LIMITS.message, `Please keep it under ${MAKER_LIMITS.message} characters.`),
  ),
  designLink: z._default(
    storableText.check(
      z.maxLength(MAKER_LIMITS.designLink, 'This link is too long.'),
      z.refine(
        (link) => link === '' || /^https?:\/\/[^\s<>"]+$/.test(link),
        'A link begins with https:// and holds no spaces.',
      ),
    ),
    '',
  ),
  /** The `stamp` of the maker's page, which says when the page was opened. */
  stamp: z.string().check(z.maxLength(200)),
  /** People do not see this field. Programs that fill in everything do. */
  website: z._default(z.string().check(z.maxLength(2_000)), ''),
});
export type MakerMessage = z.output<typeof MakerMessage>;
