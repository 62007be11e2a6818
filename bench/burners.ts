/**
 * An attack with expensive pictures: five guest addresses keep three traces each going, of pictures that burn processor
 * time, while honest guests and accounts upload and trace a small logo. Prints how long the honest ones wait, and what
 * the attackers get. `BURNER=noise` attacks with large pictures of noise, which the sanitizer never refuses; a path
 * attacks with that file, in which every `SEED` becomes another number; `BURNER_SECONDS` sets the length.
 */
import { readFileSync } from 'node:fs';
import { PROGRESS_STREAM_TYPE } from '@markwright/contract';
import sharp from 'sharp';
import { quantile, withBuiltServer } from './builtStudio.ts';
import { type CallHeaders, type Picture, readReply, requestTrace, uploadPicture } from './designCalls.ts';

const SECONDS = Number(process.env.BURNER_SECONDS ?? 60);
const QUIET_SECONDS = 10;
const BURNER = process.env.BURNER ?? 'turbulence';
const ADDRESSES = 5;
const CALLS_AT_ONCE = 3;
/** Half a deadline: what an honest account waits at worst. */
const LONGEST_MS = 10_000;

/** Draws another hostile picture for each seed, so that none is refused for what an earlier one did. */
async function burner(seed: number): Promise<Picture> {
  if (BURNER === 'noise') {
    const noise = { type: 'gaussian', mean: 128, sigma: 30 + (seed % 30) } as const;
    const create = { width: 2_000, height: 2_000, channels: 3, background: '#888', noise } as const;
    return { name: 'noise.jpg', bytes: await sharp({ create }).blur(0.6).jpeg({ quality: 95 }).toBuffer() };
  }
  const turbulence =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 800"><filter id="f"><feTurbulence baseFrequency=".01" ' +
    'numOctaves="100000000" seed="SEED"/></filter><rect width="800" height="800" filter="url(#f)"/></svg>';
  const text = BURNER === 'turbulence' ? turbulence : readFileSync(BURNER, 'utf8');
  return { name: 'burner.svg', bytes: new TextEncoder().encode(text.replaceAll('SEED', String(seed))) };
}

const logo: Picture = {
  name: 'logo.png',
  bytes: await sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><rect width="60" height="40" fill="#fff"/>' +
        '<circle cx="30" cy="20" r="15" fill="#123"/></svg>',
    ),
  )
    .resize(360, 240)
    .png()
    .toBuffer(),
};

type Kind = 'guest' | 'account';
interface Honest {
  readonly uploads: Record<Kind, number[]>;
  readonly traces: Record<Kind, number[]>;
  readonly failures: string[];
}
let isMet = true;
/** The number of honest guests so far: each has an address of its own. */
let guests = 0;

await withBuiltServer(
  async (url) => {
    const account = await signUp(url);
    const warmUntil = Date.now() + 4_000;
    while (Date.now() < warmUntil) await uploadAndTrace(url, account, logo);

    const quiet = await runHonest(url, account, QUIET_SECONDS);
    print('quiet', quiet);

    const outcomes = new Map<string, number>();
    const signal = AbortSignal.timeout(SECONDS * 1000);
    const attackers = Array.from({ length: ADDRESSES * CALLS_AT_ONCE }, (_, i) =>
      attack(url, `203.0.113.${i % ADDRESSES}`, i, signal, outcomes),
    );
    const underAttack = await runHonest(url, account, SECONDS);
    await Promise.all(attackers);
    print('under attack', underAttack);
    console.log(
      `attackers, ${ADDRESSES} addresses with ${CALLS_AT_ONCE} calls at once for ${SECONDS} s (${BURNER}):`,
      [...outcomes].map(([outcome, count]) => `${count} × ${outcome}`).join(', '),
    );
    isMet = underAttack.failures.length === 0 && quantile(underAttack.traces.account, 0.99) < LONGEST_MS;
    console.log(
      `${isMet ? 'bar met' : 'BAR MISSED'}: every honest call answered, accounts within ${LONGEST_MS / 1000} s`,
    );
  },
  { PUBLIC_URL: 'http://127.0.0.1' }, // then it believes the addresses that a proxy forwards
);
process.exitCode = isMet ? 0 : 1;

async function signUp(url: string): Promise<CallHeaders> {
  const answer = await fetch(`${url}/api/auth/signup`, {
    method: 'POST',
    body: JSON.stringify({ email: 'ann@example.com', password: 'walnut-board' }),
    headers: { 'content-type': 'application/json' },
  });
  const { token } = (await answer.json()) as { token: string };
  return { authorization: `Bearer ${token}` };
}

/**
 * Uploads and traces a picture as the studio does, which waits for its turn. Returns the milliseconds of both. Throws
 * the status and the sentence of a refusal.
 */
async function uploadAndTrace(
  url: string,
  headers: CallHeaders,
  picture: Picture,
  signal?: AbortSignal,
): Promise<[number, number]> {
  const startMs = performance.now();
  const design = await uploadPicture(url, { ...headers, accept: PROGRESS_STREAM_TYPE }, picture, signal);
  const uploadEndMs = performance.now();
  await readReply(await requestTrace(url, design.headers, design.designId, signal));
  return [uploadEndMs - startMs, performance.now() - uploadEndMs];
}

/** Sends pictures of one honest account and of honest guests, each of another address, with a second between them. */
async function runHonest(url: string, account: CallHeaders, seconds: number): Promise<Honest> {
  const honest: Honest = { uploads: { guest: [], account: [] }, traces: { guest: [], account: [] }, failures: [] };
  const until = Date.now() + seconds * 1000;
  const work = async (kind: Kind): Promise<void> => {
    while (Date.now() < until) {
      const headers = kind === 'account' ? account : { 'x-forwarded-for': `198.51.${++guests >> 8}.${guests & 255}` };
      try {
        const [uploadMs, traceMs] = await uploadAndTrace(url, headers, logo);
        honest.uploads[kind].push(uploadMs);
        honest.traces[kind].push(traceMs);
      } catch (error) {
        honest.failures.push(`${kind}: ${String(error)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  };
  await Promise.all([work('account'), work('guest')]);
  return honest;
}

/** Keeps one hostile call going. Counts how each ends. */
async function attack(
  url: string,
  address: string,
  seed: number,
  signal: AbortSignal,
  outcomes: Map<string, number>,
): Promise<void> {
  for (let next = seed; !signal.aborted; next += 1_000) {
    const outcome = await uploadAndTrace(url, { 'x-forwarded-for': address }, await burner(next), signal).then(
      () => 'traced',
      (error: Error) => (signal.aborted ? 'still waiting' : error.message.replace(/\d+ minutes|a minute/, '… minutes')),
    );
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (outcome.startsWith('429')) await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function print(name: string, { uploads, traces, failures }: Honest): void {
  for (const kind of ['account', 'guest'] as const) {
    const [up, trace] = [uploads[kind], traces[kind]];
    const figures = (values: number[]) =>
      `p50 ${quantile(values, 0.5).toFixed(0)} ms, p99 ${quantile(values, 0.99).toFixed(0)} ms`;
    console.log(`${name}, honest ${kind}: ${up.length} pictures; upload ${figures(up)}; trace ${figures(trace)}`);
  }
  for (const failure of failures) console.log(`${name}, failed: ${failure}`);
}
