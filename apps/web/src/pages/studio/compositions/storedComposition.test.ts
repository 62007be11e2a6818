import { emptyComposition } from '@markwright/scene';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeStorage } from '../../../../test/fakeStorage.ts';
import { blankCopy } from './blankCopy.ts';
import { writeCurrent, writeDeviceComposition } from './deviceComposition.ts';

const NOW = new Date('2026-03-02T10:00:00Z');

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('localStorage', fakeStorage());
  vi.stubGlobal('sessionStorage', fakeStorage());
});
afterEach(() => vi.unstubAllGlobals());

it('fetches what reads a composition only where one is stored', async () => {
  const { prepareStored, storedReader } = await import('./storedComposition.ts');
  await prepareStored();
  expect(storedReader()).toBeUndefined();

  writeDeviceComposition({ ...blankCopy('one', null, NOW, { ...emptyComposition, machine: 'uv' }), isUnsaved: true });
  writeCurrent('one');
  await prepareStored();
  expect(storedReader()?.(false, NOW).composition.machine).toBe('uv');
});
