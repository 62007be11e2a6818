/** The key that signs cookies and file addresses, and encrypts the secrets of second factors. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './errors.ts';

/**
 * Reads the data folder's key, and creates it when there is none. Throws a StartError for a damaged or shortened one.
 *
 * A missing key is created even beside an older database. Sessions and passwords do not need it, and file addresses
 * are signed on request. A new key invalidates issued addresses and guests' cookies. It cannot decrypt second factors:
 * their owners sign in by recovery codes, or ask the operator (`npm run admin -- unlock`). An operator who deletes the
 * key wants that; a refusal would only prevent the start.
 */
export function readSecret(dataDir: string): Buffer {
  const path = join(dataDir, 'secret');
  if (!existsSync(path)) makeSecret(path);
  const text = readFileSync(path, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/.test(text)) {
    throw new StartError(
      `The signing key in ${path} is not 64 hexadecimal digits. Put it back from a backup, or remove it: links and guests then start anew.`,
    );
  }
  return Buffer.from(text, 'hex');
}

/** Creates the key atomically: one of several servers that start at once creates it, and none reads it half written. */
function makeSecret(path: string): void {
  const temporary = `${path}.${randomUUID()}`;
  writeFileSync(temporary, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Derives a key for one purpose, so that a signature for one purpose is never valid for another. */
export function deriveKey(secret: Buffer, purpose: 'cookies' | 'files' | 'secrets'): Buffer {
  return createHmac('sha256', secret).update(purpose).digest();
}
