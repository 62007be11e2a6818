/** Encrypts what the database must not hold in the clear, with a key derived from the signing key (AES-256-GCM). */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encrypts secrets for the database. */
export interface SecretBox {
  /** Encrypts a text. `owner` is bound to it: the result opens for the same owner alone. */
  seal(text: string, owner: string): string;
  /** Decrypts a text; undefined for one of another key or owner, and for a damaged one. */
  open(sealedText: string, owner: string): string | undefined;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts with the first key, and decrypts with all of them. */
export function createSecretBox(keys: readonly [Buffer, ...Buffer[]]): SecretBox {
  return {
    seal(text, owner) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keys[0], iv).setAAD(Buffer.from(owner));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString('base64url');
    },
    open(sealedText, owner) {
      const bytes = Buffer.from(sealedText, 'base64url');
      for (const key of keys) {
        const text = decrypt(key, bytes, owner);
        if (text !== undefined) return text;
      }
      return undefined;
    },
  };
}

function decrypt(key: Buffer, bytes: Buffer, owner: string): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(owner))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    return text.toString('utf8');
  } catch {
    return undefined;
  }
}
