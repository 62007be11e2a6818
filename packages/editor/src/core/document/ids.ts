/**
 * Returns 128 random bits as hex. Also works on plain http, such as a workshop's own network, where browsers do not
 * offer `crypto.randomUUID`.
 */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
