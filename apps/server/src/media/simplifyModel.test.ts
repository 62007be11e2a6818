import { InferenceSession, Tensor } from 'onnxruntime-node';
import { expect, test } from 'vitest';
import { tinyModel } from '../../test/tinyModel.ts';
import { simplifyModel } from './simplifyModel.ts';

const SIDE = 4;
const model = tinyModel({ side: SIDE, isHalf: true });

async function run(bytes: Uint8Array): Promise<{ outputs: readonly string[]; first: number }> {
  const session = await InferenceSession.create(bytes, { logSeverityLevel: 3 });
  const pixels = new Float32Array(3 * SIDE ** 2).map((_, i) => 0.07 + 0.14 * Math.floor(i / SIDE ** 2));
  const result = await session.run({ input: new Tensor('float32', pixels, [1, 3, SIDE, SIDE]) });
  const outputs = session.outputNames;
  await session.release();
  return { outputs, first: (result.output!.data as Float32Array)[0]! };
}

test('a simplified model has the first output alone, with the same values', async () => {
  const before = await run(model);
  const after = await run(simplifyModel(model));
  expect([before.outputs, after.outputs]).toEqual([['output', 'second'], ['output']]);
  expect(before.first).toBeCloseTo(4.2, 2);
  expect(after.first).toBeCloseTo(4.2, 5);
});

test('numbers of 16 bits are stored with 32', () => {
  const twenty = Buffer.from(new Float32Array([20]).buffer);
  const has = (bytes: Uint8Array) => Buffer.from(bytes).includes(twenty);
  expect([has(model), has(simplifyModel(model))]).toEqual([false, true]);
});

test('steps that only lead to further outputs are left out', () => {
  const has = (bytes: Uint8Array, name: string) => Buffer.from(bytes).includes(name);
  expect(['product', 'square'].map((name) => has(model, name))).toEqual([true, true]);
  expect(['product', 'square'].map((name) => has(simplifyModel(model), name))).toEqual([true, false]);
});

test('bytes that are no model are refused', () => {
  expect(() => simplifyModel(Buffer.from('no model at all'))).toThrow(RangeError);
  expect(() => simplifyModel(new Uint8Array())).toThrow(RangeError);
});
