import { expect, test } from 'vitest';
import { compileKernels, readKernels } from './kernels.mjs';

test('the module that is checked in is what its sources compile to', async () => {
  expect(await compileKernels()).toBe(readKernels());
});
