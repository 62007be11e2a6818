/** Password hashes: argon2id. Their cost is the context's, so that tests need not pay for production's. */

import { hash, verify } from '@node-rs/argon2';
import type { Context, PasswordCost } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { loadOnce } from '../platform/loadOnce.ts';

/** 19 MiB, two passes, one lane (OWASP Password Storage sheet). A hash takes about 40 ms of one core. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const MAX_RUNNING = 2;
const MAX_WAITING = 20;

type WithCost = Pick<Context, 'passwordCost'>;

/** Hashes a password. Throws tooMany when the queue is full. */
export function hashPassword({ passwordCost }: WithCost, password: string): Promise<string> {
  return runQueued(() => hash(password, passwordCost));
}

/** Returns true when the password matches. Without a hash to compare with, it takes the same time and returns false. */
export async function verifyPassword(
  { passwordCost }: WithCost,
  password: string,
  passwordHash: string | undefined,
): Promise<boolean> {
  const comparedHash = passwordHash ?? (await dummyHash(passwordCost));
  const isMatch = await runQueued(() => verify(comparedHash, password));
  return isMatch && passwordHash !== undefined;
}

/** True when a hash was made with other parameters than the current ones: the next sign-in replaces it. */
export function isOutdatedHash({ passwordCost }: WithCost, passwordHash: string): boolean {
  const { memoryCost, timeCost, parallelism } = passwordCost;
  return !passwordHash.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
}

const dummyHashes = new WeakMap<PasswordCost, () => Promise<string>>();

/** Returns a hash of a random password, so that an unknown address costs the same time as a known one. */
function dummyHash(cost: PasswordCost): Promise<string> {
  const load = dummyHashes.get(cost) ?? loadOnce(() => hash(crypto.randomUUID(), cost));
  dummyHashes.set(cost, load);
  return load();
}

// All requests of this process share the cores, so they share one gate: two hashes at once, a short queue, then 429.
let running = 0;
const waiting: (() => void)[] = [];

async function runQueued<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_RUNNING) {
    if (waiting.length >= MAX_WAITING) {
      throw new AppError('tooMany', 'Many people are signing in at this moment. Please try again in a few seconds.', {
        retryAfterSeconds: 3,
      });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running++;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next)
      next(); // the slot passes to the next one, so `running` stays
    else running--;
  }
}
