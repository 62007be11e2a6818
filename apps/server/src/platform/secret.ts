/** The key that signs cookies and file addresses. */
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './errors.ts';

/** Reads the data folder's key, made at the first start. Throws a StartError for one that was damaged or shortened. */
export function readSecret(dataDir: string): Buffer {
  const path = join(dataDir, 'secret');
  if (!existsSync(path)) {
    // `wx`: of two processes that start at once, one writes.
    writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  }
  const text = readFileSync(path, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/.test(text)) {
    throw new StartError(
      `The signing key in ${path} is not 64 hexadecimal digits. Put it back from a backup, or remove it: links and guests then start anew.`,
    );
  }
  return Buffer.from(text, 'hex');
}

/** A key for one purpose, so that a signature made for one is never good for another. */
export function deriveKey(secret: Buffer, purpose: 'cookies' | 'files'): Buffer {
  return createHmac('sha256', secret).update(purpose).digest();
}
