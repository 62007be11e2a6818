/**
 * Calls a shop's own server, whose address a stranger entered. The call goes to a public address only (protection
 * against SSRF): the name is looked up once, all its addresses must be public, and the connection goes to the address
 * that was checked. Redirects are not followed, and little of the answer is read.
 */
import { request as requestPlain } from 'node:http';
import { request } from 'node:https';
import type { LookupFunction } from 'node:net';
import { type Address, lookUpAddress, type Resolve, resolveName } from '../platform/publicAddress.ts';
import { isThisMachine } from '../shops/addresses.ts';

const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 16 * 1024;

/** A webhook that was not delivered. The message is a sentence for the shop. */
export class DeliveryError extends Error {
  /** The status of the server's answer, if there was one. */
  readonly status: number | undefined;
  constructor(message: string, status?: number) {
    super(message);
    this.name = 'DeliveryError';
    this.status = status;
  }
}

interface Options {
  /** True allows unencrypted calls to this machine, for development and tests. */
  readonly isLocalAllowed: boolean;
  readonly resolve?: Resolve;
  readonly timeoutMs?: number;
}

/**
 * Posts a JSON text and returns the status of a 2xx answer. Throws DeliveryError for everything else. Takes five
 * seconds at most.
 */
export async function postToShop(
  url: URL,
  message: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
  { isLocalAllowed, resolve = resolveName, timeoutMs = TIMEOUT_MS }: Options,
): Promise<number> {
  const isLocal = isLocalAllowed && isThisMachine(url);
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:'))
    throw new DeliveryError('Its address is not https.');
  const signal = AbortSignal.timeout(timeoutMs);
  const address = await inTime(findAddress(url, isLocal, resolve), signal);
  return send(url, address, message, signal);
}

async function findAddress(url: URL, isLocal: boolean, resolve: Resolve): Promise<Address> {
  const address = await lookUpAddress(url, isLocal, resolve);
  if (address === 'unknown') throw new DeliveryError('Its name could not be found.');
  if (address === 'private') throw new DeliveryError('Its address is not a public one.');
  return address;
}

/** Waits for work until the signal aborts: a DNS lookup itself cannot be aborted. */
function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(tooSlow()), { once: true });
    work.then(resolve, reject);
  });
}

const tooSlow = () => new DeliveryError('It did not answer in 5 seconds.');

function send(
  url: URL,
  { address, family }: Address,
  { body, headers }: Parameters<typeof postToShop>[1],
  signal: AbortSignal,
): Promise<number> {
  // The connection always goes to the address that was checked.
  const lookup: LookupFunction = (_hostname, options, done) =>
    options.all ? done(null, [{ address, family }]) : done(null, address, family);
  return new Promise((resolve, reject) => {
    const call = (url.protocol === 'https:' ? request : requestPlain)(url, {
      method: 'POST',
      agent: false,
      lookup,
      signal,
      headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    });
    call.on('error', () => reject(signal.aborted ? tooSlow() : new DeliveryError('The connection failed.')));
    call.on('response', (answer) => {
      const status = answer.statusCode ?? 0;
      let receivedBytes = 0;
      const end = () => {
        call.destroy();
        if (status >= 200 && status < 300) resolve(status);
        else if (status >= 300 && status < 400) reject(new DeliveryError('It answered with a redirect.', status));
        else reject(new DeliveryError(`It answered ${status}.`, status));
      };
      answer.on('data', (chunk: Buffer) => {
        receivedBytes += chunk.length;
        if (receivedBytes > MAX_ANSWER_BYTES) end();
      });
      answer.on('end', end);
      answer.on('error', () => reject(signal.aborted ? tooSlow() : new DeliveryError('The connection failed.')));
    });
    call.end(body);
  });
}
