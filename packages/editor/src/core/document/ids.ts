/** 128 random bits as hex. Works on plain http too, where browsers keep `crypto.randomUUID` away: a workshop's own network. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
