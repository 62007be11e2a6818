/** The browser's own record of what a visitor without an account has made; it mirrors the server, which decides. */
import type { GuestUsage } from '@markwright/contract/schemas';

const KEY = 'markwright-usage';

export interface UsageRecord {
  readonly mockupsGenerated: number;
  readonly vectorsProcessed: number;
  /** ISO 8601, as the other one. */
  readonly lastUsed: string;
  readonly firstUsed: string;
}

// By hand: the studio reads it before its first paint, and does without a library of schemas until then.
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const isMoment = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** Reads the record; undefined before the first use, and when it cannot be read. */
export function readUsageRecord(): UsageRecord | undefined {
  try {
    const { mockupsGenerated, vectorsProcessed, lastUsed, firstUsed } = JSON.parse(localStorage.getItem(KEY) ?? '');
    const isGood = [mockupsGenerated, vectorsProcessed].every(isCount) && [lastUsed, firstUsed].every(isMoment);
    return isGood ? { mockupsGenerated, vectorsProcessed, lastUsed, firstUsed } : undefined;
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
