import type { Product } from '@markwright/contract/schemas';
import { expect, it } from 'vitest';
import {
  type DeviceBlank,
  deleteDeviceBlank,
  isDeviceBlank,
  listDeviceBlanks,
  newBlankId,
  readDeviceBlank,
  writeDeviceBlank,
} from './deviceBlanks.ts';

const blank = (changedAt: number): DeviceBlank => {
  const id = newBlankId();
  const product = { id, productId: id, name: 'Board' } as Product;
  return { id, product, draft: {}, source: new Blob(), picture: new Blob(), changedAt };
};

it('keeps blanks for the page where a browser has no database', async () => {
  const [first, second] = [blank(1), blank(2)];
  expect(await writeDeviceBlank(first)).toBe(false);
  expect(await writeDeviceBlank(second)).toBe(false);
  expect((await listDeviceBlanks()).map(({ id }) => id)).toEqual([second.id, first.id]);
  await writeDeviceBlank({ ...first, sentAs: 'p1' });
  expect((await readDeviceBlank(first.id))?.sentAs).toBe('p1');
  await deleteDeviceBlank(first.id);
  await deleteDeviceBlank(second.id);
  expect(await listDeviceBlanks()).toEqual([]);
});

it('tells a blank of the device from a product of the catalogue', () => {
  expect(isDeviceBlank(newBlankId())).toBe(true);
  expect(isDeviceBlank('mug-11oz-white')).toBe(false);
  expect(isDeviceBlank(undefined)).toBe(false);
});
