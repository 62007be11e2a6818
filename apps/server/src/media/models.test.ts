import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { modelWorkerProgram } from '../../test/builtServer.ts';
import { quickest } from '../../test/quickest.ts';
import { tinyModel } from '../../test/tinyModel.ts';
import type { BackgroundModels } from '../platform/ports/backgroundModels.ts';
import { openBackgroundModels } from './models.ts';
import type { PoolSettings } from './pool.ts';

let folder: string;
let logLines: string[] = [];
let open: BackgroundModels | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'markwright-models-'));
});
afterEach(async () => {
  await open?.close();
  logLines = [];
  await rm(folder, { recursive: true, force: true });
  folder = await mkdtemp(join(tmpdir(), 'markwright-models-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(settings: { modelPath?: string; pool?: Partial<PoolSettings> } = {}): Promise<BackgroundModels> {
  const log = pino({ level: 'info' }, { write: (line: string) => void logLines.push(line) });
  const pool = { ...modelWorkerProgram, ...settings.pool };
  open = await openBackgroundModels({
    folder,
    modelPath: settings.modelPath,
    workers: 2,
    log,
    meter: (models) => models,
    pool,
  });
  return open;
}
const put = async (name: string, bytes: Uint8Array): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
};
const ann = { caller: { name: 'ann', lane: 'account', payers: [] } } as const;

/** Its left half of one gray, its right of another. */
function halves(side: number, left: number, right: number, kind: 'plain' | 'photograph' = 'plain') {
  const rgb = new Uint8Array(3 * side * side);
  for (let i = 0; i < rgb.length; i++) rgb[i] = Math.floor(i / 3) % side < side / 2 ? left : right;
  return { kind, square: { side, rgb } };
}
async function maskEnds(
  models: BackgroundModels,
  modelName: 'u2net' | 'isnet',
  left: number,
  right: number,
): Promise<number[]> {
  const model = (await models.find(modelName))!;
  const [mask] = (await models.segment(model, halves(model.side, left, right), ann))!;
  const shares = inflateSync(mask!);
  expect(shares.length).toBe(model.side ** 2);
  return [shares[0]!, shares.at(-1)!];
}

describe('the input of a model is scaled as in its training', { tags: ['detail'] }, () => {
  test('ISNet: centered on half of the scale, with its output unchanged', async () => {
    await put('isnet.onnx', tinyModel({ side: 1024 }));
    const models = await start();
    expect(await models.find('isnet')).toMatchObject({ name: 'isnet', side: 1024 });
    // 20 x (130 / 255 - 0.5) = 0.196, below the middle nothing
    expect(await maskEnds(models, 'isnet', 120, 130)).toEqual([0, 50]);
  });

  test('U²-Net: scaled to the brightest pixel and ImageNet’s mean, with its output stretched', async () => {
    await put('u2net.onnx', tinyModel({ side: 320 }));
    const models = await start();
    expect(await models.find('u2net')).toMatchObject({ name: 'u2net', side: 320 });
    expect(await maskEnds(models, 'u2net', 120, 130)).toEqual([0, 255]);
    expect(await maskEnds(models, 'u2net', 90, 90)).toEqual([0, 0]);
  });
});

test('a photograph also runs through a model at half the size', async () => {
  await put('isnet.onnx', tinyModel({ side: 1024 }));
  const models = await start();
  const model = (await models.find('isnet'))!;
  const masks = (await models.segment(model, halves(1024, 120, 130, 'photograph'), ann))!;
  const looks = masks.map((bytes) => {
    const shares = inflateSync(bytes);
    return [shares.length, shares[0], shares.at(-1)];
  });
  expect(looks).toEqual([
    [1024 * 1024, 0, 50],
    [512 * 512, 0, 50],
  ]);
});

describe('the model in use', () => {
  test('is the one whose file exists, from the moment it exists', async () => {
    const models = await start();
    const nameOf = async (modelName: 'u2net' | 'isnet') => (await models.find(modelName))?.name;
    expect(await nameOf('u2net')).toBeUndefined();
    await put('isnet.onnx', tinyModel({ side: 1024 }));
    expect([await nameOf('u2net'), await nameOf('isnet')]).toEqual(['isnet', 'isnet']);
    await put('u2net.onnx', tinyModel({ side: 320 }));
    expect([await nameOf('u2net'), await nameOf('isnet')]).toEqual(['u2net', 'isnet']);
  });

  test('is not an unreadable one: a log line tells the operator, and another model is used', async () => {
    await put('u2net.onnx', Buffer.from('no model at all'));
    await put('isnet.onnx', tinyModel({ side: 1024 }));
    const models = await start();
    const broken = (await models.find('u2net'))!;
    expect(await models.segment(broken, halves(320, 0, 255), ann)).toBeUndefined();
    expect(logLines.join('')).toMatch(/u2net\.onnx.*cannot be used/);
    expect(await models.find('u2net')).toMatchObject({ name: 'isnet' });
    expect(await maskEnds(models, 'u2net', 0, 255)).toEqual([0, 255]);
  });

  test('is the operator’s own alone, with its preparation chosen by its input size', async () => {
    await put('isnet.onnx', tinyModel({ side: 1024 }));
    const modelPath = await put('own.onnx', tinyModel({ side: 320 }));
    const models = await start({ modelPath });
    expect(await models.find('isnet')).toMatchObject({ name: 'custom', side: 320 });
    expect(await maskEnds(models, 'u2net', 120, 130)).toEqual([0, 255]);
  });

  test('has a known input size, or a log line says that it is not usable', async () => {
    const models = await start({ modelPath: await put('own.onnx', tinyModel({ side: 512 })) });
    expect(await models.find('u2net')).toBeUndefined();
    expect(logLines.join('')).toMatch(/512 x 512; known are 320 x 320 and 1024 x 1024/);
  });

  test('stops the start of the server when its path does not exist', async () => {
    await expect(start({ modelPath: join(folder, 'nowhere.onnx') })).rejects.toThrow(/^MODEL_PATH names no file/);
  });
});

describe('a long run of a model', () => {
  test('ends within a second after its caller disconnects, and the next one runs', async () => {
    await put('isnet.onnx', tinyModel({ side: 1024, layers: 30 }));
    const models = await start();
    const model = (await models.find('isnet'))!;
    const breakOff = async (): Promise<number> => {
      const controller = new AbortController();
      let noticeWork = () => {};
      const working = new Promise<void>((resolve) => {
        noticeWork = resolve;
      });
      const options = { ...ann, signal: controller.signal, onProgress: noticeWork };
      const segmentation = expect(models.segment(model, halves(1024, 0, 255), options)).rejects.toThrow('gone');
      await working;
      const before = performance.now();
      controller.abort(new Error('gone'));
      await segmentation;
      return performance.now() - before;
    };
    expect(await quickest(1_000, breakOff)).toBeLessThan(1_000);
    // In a fresh process, and by the file that is there now.
    await put('isnet.onnx', tinyModel({ side: 1024 }));
    expect(await maskEnds(models, 'isnet', 0, 255)).toEqual([0, 255]);
  });

  test.runIf(process.platform === 'linux')('ends when it takes too much memory', { tags: ['detail'] }, async () => {
    await put('isnet.onnx', tinyModel({ side: 1024, layers: 30 }));
    const models = await start({ pool: { memoryLimitBytes: 350 * 2 ** 20 } });
    const model = (await models.find('isnet'))!;
    await expect(models.segment(model, halves(1024, 0, 255), ann)).rejects.toMatchObject({
      code: 'unprocessable',
      message: /memory/,
    });
  });
});
