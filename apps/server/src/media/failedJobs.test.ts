import { expect, test } from 'vitest';
import { toJobKey } from './failedJobs.ts';

const bytes = (last: number) => Uint8Array.from([1, 2, 3, last]);

test('the key of a job follows from its bytes, in a Buffer or not, and from everything else', async () => {
  const input = { png: bytes(4), settings: { colorMode: 'black', layers: [bytes(5)] } };
  const key = await toJobKey('trace', input, 20_000, '1.0.0');
  expect(key).toMatch(/^[0-9a-f]{64}$/);

  const inBuffers = { png: Buffer.from(bytes(4)), settings: { colorMode: 'black', layers: [Buffer.from(bytes(5))] } };
  expect(await toJobKey('trace', inBuffers, 20_000, '1.0.0')).toBe(key);
  expect(await toJobKey('trace', Buffer.from(bytes(4)))).toBe(await toJobKey('trace', bytes(4)));

  const others = [
    toJobKey('draw', input, 20_000, '1.0.0'),
    toJobKey('trace', input, 10_000, '1.0.0'),
    toJobKey('trace', { ...input, png: bytes(5) }, 20_000, '1.0.0'),
    toJobKey('trace', { ...input, png: bytes(4).subarray(1) }, 20_000, '1.0.0'),
    toJobKey('trace', { ...input, settings: { colorMode: 'black', layers: [bytes(6)] } }, 20_000, '1.0.0'),
    toJobKey('trace', { ...input, settings: { colorMode: 'color', layers: [bytes(5)] } }, 20_000, '1.0.0'),
  ];
  expect(new Set([key, ...(await Promise.all(others))]).size).toBe(others.length + 1);
});
