import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeStorage } from '../../../test/fakeStorage.ts';
import { mirrorUsage, readUsageRecord } from './usageRecord.ts';

const monday = new Date('2026-03-02T10:00:00Z');
const friday = new Date('2026-03-06T10:00:00Z');

beforeEach(() => vi.stubGlobal('localStorage', fakeStorage()));
afterEach(() => vi.unstubAllGlobals());

it('mirrors the server’s count with the first and the last use', () => {
  mirrorUsage({ mockupsGenerated: 0, mockupsLimit: 4 }, monday);
  expect(readUsageRecord()).toBeUndefined();
  mirrorUsage({ mockupsGenerated: 1, mockupsLimit: 4 }, monday);
  mirrorUsage({ mockupsGenerated: 3, mockupsLimit: 4 }, friday);
  expect(readUsageRecord()).toEqual({
    mockupsGenerated: 3,
    vectorsProcessed: 3,
    firstUsed: monday.toISOString(),
    lastUsed: friday.toISOString(),
  });
});

it('does not move the last use when nothing was used', () => {
  mirrorUsage({ mockupsGenerated: 1, mockupsLimit: 4 }, monday);
  mirrorUsage({ mockupsGenerated: 1, mockupsLimit: 4 }, friday);
  expect(readUsageRecord()?.lastUsed).toBe(monday.toISOString());
});

it('ignores a record that cannot be read', () => {
  localStorage.setItem('markwright-usage', '{"mockupsGenerated":-1}');
  expect(readUsageRecord()).toBeUndefined();
});
