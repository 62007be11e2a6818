import { messages } from '@markwright/contract';
import { AppError } from './errors.ts';

/** ASCII on both sides of one @: look-alike letters, quoted local parts and address literals are rejected. */
const PLAIN_ADDRESS = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
const MAX_EMAIL_LENGTH = 254;

/**
 * Returns the canonical form in which addresses are stored and compared: trimmed, lower case, ASCII. Throws invalid.
 *
 * It trims only ASCII space and lower-cases after the ASCII check, because Unicode case folding turns the Kelvin sign
 * into k.
 */
export function canonicalEmail(email: string): string {
  const address = email.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
  const canonical = /^[\x21-\x7e]+$/.test(address) ? address.toLowerCase() : '';
  if (canonical.length > MAX_EMAIL_LENGTH || !PLAIN_ADDRESS.test(canonical)) {
    throw new AppError('invalid', messages.invalidEmail);
  }
  return canonical;
}

/** Returns the part before the @: an account's first username. */
export function localPart(canonical: string): string {
  return canonical.slice(0, canonical.lastIndexOf('@'));
}
