/** The keys that sign cookies and file addresses, and encrypt the secrets of second factors. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './errors.ts';

/** The keys of an installation. */
export interface SigningKeys {
  readonly current: Buffer;
  /** Keys that the current one replaced. What they signed and encrypted stays valid. */
  readonly older: readonly Buffer[];
  /** Says where the current key is, for the operator. */
  readonly place: string;
  /** True when another key than the last one is what the operator wants: no other server has it. */
  readonly isReplaceable: boolean;
}

/**
 * Returns the keys of the settings, or else the data folder's key, which it creates when there is none. Throws a
 * StartError for a damaged or shortened one.
 *
 * A missing key is created even beside an older database. Sessions and passwords do not need it, and file addresses
 * are signed on request. A new key invalidates issued addresses and guests' cookies. It cannot decrypt second factors:
 * their owners sign in by recovery codes, or ask the operator (`markwright admin reset-password`). An operator who
 * deletes the key wants that; a refusal would only prevent the start. Servers of one `databaseUrl` must not disagree,
 * however.
 */
export function readSigningKeys({ secretKeys, dataDir, databaseUrl }: KeySettings): SigningKeys {
  const [current, ...older] = secretKeys ?? [];
  if (current) return { current, older, place: 'SECRET_KEY', isReplaceable: false };
  const path = join(dataDir, KEY_FILE);
  return { current: readSecret(path), older: [], place: path, isReplaceable: databaseUrl === undefined };
}

const KEY_FILE = 'secret';

/** Returns the path of the key in the data folder; undefined where the key is a setting. */
export function keyPathOf({ secretKeys, dataDir }: Pick<KeySettings, 'secretKeys' | 'dataDir'>): string | undefined {
  return secretKeys ? undefined : join(dataDir, KEY_FILE);
}

/**
 * Puts a copy of a key into the data folder, unless the key is a setting. Throws a StartError for another one there.
 */
export function putKey(settings: Pick<KeySettings, 'secretKeys' | 'dataDir'>, from: string): void {
  const path = keyPathOf(settings);
  if (path === undefined) return;
  const key = readSecret(from);
  if (!existsSync(path)) writeFileSync(path, `${key.toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  else if (!readSecret(path).equals(key))
    throw new StartError(`There is another signing key in ${path}. Move it away.`);
}

interface KeySettings {
  readonly secretKeys: readonly Buffer[] | undefined;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

function readSecret(path: string): Buffer {
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

type Purpose = 'cookies' | 'files' | 'secrets';

/**
 * Derives the keys for one purpose, so that a signature for one purpose is never valid for another. The first one signs
 * and encrypts.
 */
export function deriveKeys({ current, older }: SigningKeys, purpose: Purpose): readonly [Buffer, ...Buffer[]] {
  return [derive(current, purpose), ...older.map((key) => derive(key, purpose))];
}

/** Returns a text that tells a key from others and reveals nothing of it. */
export const fingerprintOf = (key: Buffer): string => derive(key, 'fingerprint').toString('hex').slice(0, 32);

const derive = (key: Buffer, purpose: Purpose | 'fingerprint'): Buffer =>
  createHmac('sha256', key).update(purpose).digest();
