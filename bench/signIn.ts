/**
 * Measures if the time of an answer reveals that an address has an account. Makes 400 calls for known and 400 for
 * unknown addresses, alternating, to sign in with a wrong password and to ask for a reset link. At most a hundred calls
 * come from one network, so that no rate limit answers instead.
 */
import { quantile, withBuiltServer } from './builtStudio.ts';

const ACCOUNTS = 40;
const CALLS = 400;
const PASSWORD = 'walnut-board';
const BAR = 0.1;

let isMet = true;
await withBuiltServer(async (url) => {
  for (let i = 0; i < ACCOUNTS; i++) {
    await call(url, 'signup', { email: emailOf('known', i), password: PASSWORD }, '203.0.113.1', 200);
  }
  for (let i = 0; i < 10; i++) {
    await call(url, 'login', { email: `warm${i}@example.com`, password: PASSWORD }, '203.0.113.2', 401);
  }
  print('sign in', await measure((kind, i) => login(url, kind, i)));
  print('reset link', await measure((kind, i) => forgot(url, kind, i)));
});
console.log(`${isMet ? 'bar met' : 'BAR MISSED'}: medians within ${BAR * 100} %`);
process.exitCode = isMet ? 0 : 1;

type Kind = 'known' | 'unknown';
type Times = Readonly<Record<Kind, number[]>>;

function emailOf(kind: Kind, i: number): string {
  return `${kind}${i % ACCOUNTS}@example.com`;
}

function login(url: string, kind: Kind, i: number): Promise<number> {
  const body = { email: emailOf(kind, i), password: 'not-this-one' };
  return call(url, 'login', body, `198.51.${Math.floor(i / 50)}.1`, 401);
}

function forgot(url: string, kind: Kind, i: number): Promise<number> {
  return call(url, 'forgot-password', { email: emailOf(kind, i) }, `192.0.${Math.floor(i / 20)}.1`, 200);
}

/** Makes calls for a known and an unknown address in turn. Each kind goes first equally often. */
async function measure(ask: (kind: Kind, index: number) => Promise<number>): Promise<Times> {
  const times: Times = { known: [], unknown: [] };
  for (let i = 0; i < CALLS; i++) {
    const order: Kind[] = i % 2 === 0 ? ['known', 'unknown'] : ['unknown', 'known'];
    for (const kind of order) times[kind].push(await ask(kind, i));
  }
  return times;
}

/** Makes one call and returns its milliseconds. */
async function call(url: string, name: string, body: object, address: string, expected: number): Promise<number> {
  const startTime = performance.now();
  const answer = await fetch(`${url}/api/auth/${name}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
  });
  await answer.arrayBuffer();
  const ms = performance.now() - startTime;
  if (answer.status !== expected) throw new Error(`${name} answered ${answer.status} in place of ${expected}`);
  return ms;
}

function print(name: string, { known, unknown }: Times): void {
  const [a, b] = [quantile(known, 0.5), quantile(unknown, 0.5)];
  const apart = Math.abs(a - b) / Math.min(a, b);
  if (apart > BAR) isMet = false;
  const figures = `known ${a.toFixed(2)} ms   unknown ${b.toFixed(2)} ms   apart ${(apart * 100).toFixed(1)} %`;
  console.log(`${name.padEnd(12)}${CALLS} + ${CALLS} calls   medians: ${figures}`);
}
