/**
 * Counts the calls of each network. A network with few calls is counted in memory. What a busy one makes is added up in
 * the database, a portion at a time, so that all servers together allow little more than one of them would.
 */
import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import type { Context } from './context.ts';
import { addTries } from './rateLimit.ts';

/** So many calls of a network a server makes without the others: more than a page needs. */
const PORTION = 20;
/** The networks that are remembered in a window; beyond it, the oldest are forgotten. */
const MOST_NETWORKS = 20_000;

interface Window {
  readonly endsAtMs: number;
  count: number;
  /** The calls that the other servers had counted at the last look, and when their window ends. */
  others: number;
  othersEndAtMs: number;
  /** The part of `count` that the database has, and the part that it has in its present window. */
  added: number;
  addedTogether: number;
  /** One comparison runs at a time, so that their results come in order. */
  isComparing: boolean;
}

type Result = { readonly current: number; readonly ttl: number };

/** Returns a store for `@fastify/rate-limit`: it counts calls, and the plugin compares them with its limit. */
export function createCallCounter(
  context: Pick<Context, 'db' | 'now' | 'log'>,
  windowMs: number,
): new () => FastifyRateLimitStore {
  const windows = new Map<string, Window>();

  function currentWindow(network: string, nowMs: number): Window {
    const last = windows.get(network);
    if (last && last.endsAtMs > nowMs) return last;
    windows.delete(network); // the order of a Map is that of its insertions
    if (windows.size >= MOST_NETWORKS) windows.delete(windows.keys().next().value!);
    const none = { count: 0, others: 0, othersEndAtMs: 0, added: 0, addedTogether: 0, isComparing: false };
    const next = { ...none, endsAtMs: nowMs + windowMs };
    windows.set(network, next);
    return next;
  }

  /** Adds what is new to the count of all servers, and takes over what the others counted. */
  async function compare(network: string, window: Window): Promise<void> {
    const amount = window.count - window.added;
    window.added = window.count;
    window.isComparing = true;
    try {
      const row = await addTries(context, { key: `calls ${network}`, windowMs }, amount);
      const isSameWindow = row.endsAt.getTime() === window.othersEndAtMs;
      window.addedTogether = (isSameWindow ? window.addedTogether : 0) + amount;
      window.othersEndAtMs = row.endsAt.getTime();
      window.others = Math.max(0, row.count - window.addedTogether);
    } catch (error) {
      // Without the database the calls that need it fail anyway; the others are limited by this server alone.
      context.log.debug({ err: error }, 'calls are counted by this server alone');
    } finally {
      window.isComparing = false;
    }
  }

  async function countCall(network: string): Promise<Result> {
    const nowMs = context.now().getTime();
    const window = currentWindow(network, nowMs);
    window.count++;
    if (window.count - window.added >= PORTION && !window.isComparing) await compare(network, window);
    const others = window.othersEndAtMs > nowMs ? window.others : 0;
    const endsAtMs = others > 0 ? Math.max(window.endsAtMs, window.othersEndAtMs) : window.endsAtMs;
    return { current: window.count + others, ttl: endsAtMs - nowMs };
  }

  return class CallCounter implements FastifyRateLimitStore {
    incr(network: string, done: (error: Error | null, result?: Result) => void): void {
      countCall(network).then((result) => done(null, result), done);
    }
    child(): FastifyRateLimitStore {
      return this;
    }
  };
}
