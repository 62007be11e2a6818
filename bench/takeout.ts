/**
 * Makes the takeouts of accounts of three sizes at the built server: prints the size of each, how long it takes, its
 * processor time for a MB, the memory that the server has at the most beside what it had before, and the longest time
 * of `/api/health` meanwhile. Fails when processor time for a MB or memory grow with the account.
 * Run: npx tsx bench/takeout.ts
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type AccountSize, fillAccount } from '../apps/server/test/largeAccount.ts';
import { findFastFolder } from '../scripts/fastFolder.ts';
import { processorMs, residentMb, withBuiltServer } from './builtStudio.ts';

const SIZES: readonly AccountSize[] = [1, 4, 16].map((n) => ({
  designs: 500 * n,
  compositions: 250 * n,
  orders: 125 * n,
}));
/**
 * `growth`: the most processor time for a MB of the largest account, to that of the smallest. `memoryGrowth`: its
 * memory, to that of an account of a quarter, whose takeout is long enough for the garbage to be collected.
 */
const BAR = { growth: 1.3, memoryGrowth: 1.2, healthMs: 100 };

const dataDir = await mkdtemp(join(findFastFolder(), 'markwright-takeout-'));
let isMet = true;
try {
  // A connection is not closed while an account is filled.
  await withBuiltServer(measure, { DATA_DIR: dataDir, KEEP_ALIVE_SECONDS: '600' });
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
console.log(`${isMet ? 'bars met' : 'BARS MISSED'}: ${JSON.stringify(BAR)}`);
process.exitCode = isMet ? 0 : 1;

async function measure(url: string, pid: number): Promise<void> {
  // The first one compiles code.
  await time(url, pid, SIZES[0]!, 0);
  console.log('designs  compositions  orders       MB  seconds  processor ms a MB  MB of memory   health');
  const msPerMb: number[] = [];
  const memories: number[] = [];
  for (const [i, size] of SIZES.entries()) {
    const { mb, seconds, spentMs, memoryMb, healthMs } = await time(url, pid, size, i + 1);
    msPerMb.push(spentMs / mb);
    memories.push(memoryMb);
    isMet &&= healthMs <= BAR.healthMs;
    const cells = [size.designs, size.compositions, size.orders].map((count, at) =>
      String(count).padStart([7, 14, 8][at]!),
    );
    console.log(
      `${cells.join('')}${mb.toFixed(1).padStart(9)}${seconds.toFixed(1).padStart(9)}` +
        `${(spentMs / mb).toFixed(1).padStart(19)}${memoryMb.toFixed(0).padStart(14)}${healthMs.toFixed(0).padStart(6)} ms`,
    );
  }
  const growth = msPerMb.at(-1)! / msPerMb[0]!;
  const memoryGrowth = memories.at(-1)! / memories.at(-2)!;
  isMet &&= growth <= BAR.growth && memoryGrowth <= BAR.memoryGrowth;
  console.log(`processor time for a MB grows by ${growth.toFixed(2)}, memory by ${memoryGrowth.toFixed(2)}`);
}

/** Fills an account and makes its takeout. */
async function time(url: string, pid: number, size: AccountSize, number: number) {
  const { token, id } = await signUp(url, `account${number}@example.com`);
  await fillAccount(dataDir, id, size);
  const [idleMb, startMs, startTime] = [residentMb(pid), processorMs(pid), performance.now()];
  let takeout = await call<Takeout>(url, '/api/users/export', token, 'POST');
  let [healthMs, mostMb] = [0, 0];
  for (let tries = 1; takeout.state === 'waiting' || takeout.state === 'making'; tries++) {
    const askTime = performance.now();
    await (await fetch(`${url}/api/health`)).arrayBuffer();
    healthMs = Math.max(healthMs, performance.now() - askTime);
    mostMb = Math.max(mostMb, residentMb(pid));
    // The state seldom: a caller has a number of calls a minute.
    await new Promise((resolve) => setTimeout(resolve, 25));
    if (tries % 20 === 0) takeout = await call(url, '/api/users/export', token);
  }
  if (takeout.state !== 'done') throw new Error(`The takeout ended as ${takeout.state}.`);
  const seconds = (performance.now() - startTime) / 1000;
  const mb = (takeout.sizeBytes ?? 0) / 1e6;
  return { mb, seconds, spentMs: processorMs(pid) - startMs, memoryMb: mostMb - idleMb, healthMs };
}

interface Takeout {
  readonly state: string;
  readonly sizeBytes: number | null;
}

async function signUp(url: string, email: string): Promise<{ token: string; id: number }> {
  const { token } = await call<{ token: string }>(url, '/api/auth/signup', '', 'POST', {
    email,
    password: 'walnut-board',
  });
  const { id } = await call<{ id: number }>(url, '/api/auth/me', token);
  // Its first settings create the company.
  await call(url, '/api/company/shop', token);
  return { token, id };
}

async function call<T>(url: string, path: string, token: string, method = 'GET', body?: object): Promise<T> {
  const reply = await fetch(url + path, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as T;
}
