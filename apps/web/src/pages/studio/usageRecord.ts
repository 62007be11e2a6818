/** The browser's own record of what a visitor without an account has made; it mirrors the server, which decides. */
import type { GuestUsage } from '@markwright/contract/schemas';
import * as z from 'zod/mini';

const KEY = 'markwright-usage';

const UsageRecord = z.object({
  mockupsGenerated: z.int().check(z.minimum(0)),
  vectorsProcessed: z.int().check(z.minimum(0)),
  lastUsed: z.iso.datetime(),
  firstUsed: z.iso.datetime(),
});
export type UsageRecord = z.output<typeof UsageRecord>;

/** Reads the record; undefined before the first use, and when it cannot be read. */
export function readUsageRecord(): UsageRecord | undefined {
  try {
    return UsageRecord.parse(JSON.parse(localStorage.getItem(KEY) ?? ''));
  } catch {
    return undefined;
  }
}

/**
 * Writes down what the server has counted. Without an account nothing but mockups is counted, so both numbers agree.
 */
export function mirrorUsage({ mockupsGenerated }: GuestUsage, now: Date): void {
  const before = readUsageRecord();
  if (mockupsGenerated === (before?.mockupsGenerated ?? 0)) return;
  const at = now.toISOString();
  const record: UsageRecord = {
    mockupsGenerated,
    vectorsProcessed: mockupsGenerated,
    lastUsed: at,
    firstUsed: before?.firstUsed ?? at,
  };
  try {
    localStorage.setItem(KEY, JSON.stringify(record));
  } catch {
    // No storage, no mirror.
  }
}
