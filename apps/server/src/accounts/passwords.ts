/** Password hashes: argon2id with 19 MiB, two passes, one lane (OWASP Password Storage sheet). About 40 ms of one core each. */
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../platform/errors.ts';
import { loadOnce } from '../platform/loadOnce.ts';

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const MAX_RUNNING = 2;
const MAX_WAITING = 20;

/** A hash of nothing anybody knows: an unknown address costs the same time as a known one. */
const dummyHash = loadOnce(() => hash(crypto.randomUUID(), COST));

/** Throws tooMany when the queue is full. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, COST));
}

/** Whether the password fits; without a hash to compare with, works as long and answers false. */
export async function verifyPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const against = passwordHash ?? (await dummyHash());
  const fits = await inTurn(() => verify(against, password));
  return fits && passwordHash !== undefined;
}

/** Whether a hash was made with other parameters than today's: the next sign-in replaces it. */
export function isOutdatedHash(passwordHash: string): boolean {
  const { memoryCost, timeCost, parallelism } = COST;
  return !passwordHash.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
}

// The cores belong to everybody in this process, so the gate does too: two hashes at once, a short queue, then 429.
let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
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
      next(); // the turn is handed on, so `running` stays
    else running--;
  }
}
