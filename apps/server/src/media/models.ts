/** The segmentation models, which separate an object from its background, and the process that runs them. */
import { access, constants, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { StartError } from '../platform/errors.ts';
import type { BackgroundModel, BackgroundModels } from '../platform/ports/backgroundModels.ts';
import type { ModelJobs } from '../platform/ports/mediaJobs.ts';
import type { Caller, Pool } from '../platform/ports/mediaPool.ts';
import type { Meter } from './meteredPool.ts';
import { createPool, type PoolSettings } from './pool.ts';

export interface ModelsSettings {
  /** The folder that may hold `isnet.onnx` and `u2net.onnx`. */
  readonly folder: string;
  /** The operator's own model, which replaces those. */
  readonly modelPath: string | undefined;
  /** The number of other processes that work on pictures. */
  readonly workers: number;
  readonly log: Logger;
  readonly meter: Meter;
  readonly pool: Pick<PoolSettings, 'entry' | 'execArgv'> & Partial<PoolSettings>;
}

const SIDES = { u2net: 320, isnet: 1024 };

const LIMITS = {
  size: 1,
  // Ten seconds of work, whatever the picture.
  processorLimitMs: 60_000,
  memoryLimitBytes: 1.2 * 2 ** 30,
  // At five seconds each, a longer queue would exceed a person's patience.
  queueLimit: 6,
  callerLimit: 2,
  idleMs: 5 * 60 * 1000,
  // Large blocks are returned to the system at once when freed: a quarter less memory at the peak, half while idle.
  environment: { MALLOC_MMAP_THRESHOLD_: String(2 ** 20) },
};
const MOST_THREADS = 4;
/** The caller of the server's own jobs. */
const server: Caller = { name: 'server', lane: 'account', payers: [] };
const SECOND_CHANCE_MS = 10 * 60 * 1000;

/**
 * Starts no process for the models of the folder: the first picture that needs one does. The operator's own model is
 * opened at once, so that its errors show at the start. Throws a StartError when it cannot be read.
 */
export async function openBackgroundModels(settings: ModelsSettings): Promise<BackgroundModels> {
  const { folder, modelPath, log, workers } = settings;
  if (modelPath) await checkReadable(modelPath);
  const execArgv = [...(settings.pool.execArgv ?? []), '--expose-gc'];
  const pool: Pool<ModelJobs> = settings.meter(createPool<ModelJobs>({ ...LIMITS, log, ...settings.pool, execArgv }));
  // One core is left for answering and drawing.
  const threads = Math.max(1, Math.min(workers, availableParallelism(), MOST_THREADS + 1) - 1);
  const pathOf = (name: BackgroundModel['name']): string => modelPath ?? join(folder, `${name}.onnx`);
  const unusable = new Set<string>();
  const giveUp = (model: Pick<BackgroundModel, 'name' | 'id'>, problem: string): undefined => {
    unusable.add(model.id);
    setTimeout(() => unusable.delete(model.id), SECOND_CHANCE_MS).unref(); // the disk or the memory may have been full
    log.error({ path: pathOf(model.name), problem }, 'this background model cannot be used');
  };

  async function findOne(name: BackgroundModel['name']): Promise<BackgroundModel | undefined> {
    const file = await stat(pathOf(name)).catch(() => undefined);
    if (!file?.isFile()) return undefined;
    const id = `${name}-${file.size}-${Math.round(file.mtimeMs)}`;
    if (unusable.has(id)) return undefined;
    const side = name === 'custom' ? await customSide(id) : SIDES[name];
    return side ? { name, id, side } : undefined;
  }

  /** The input sizes of models, each read once from the model itself. */
  const sides = new Map<string, number>();
  async function customSide(id: string): Promise<number | undefined> {
    const knownSide = sides.get(id);
    if (knownSide) return knownSide;
    const path = pathOf('custom');
    const answer = await pool.run('open', { model: { path, id, threads } }, { caller: server });
    if ('problem' in answer) return giveUp({ name: 'custom', id }, answer.problem);
    sides.set(id, answer.side);
    log.info({ path, ...answer }, 'the model of MODEL_PATH is open');
    return answer.side;
  }

  if (modelPath) {
    findOne('custom').catch((error: unknown) => log.error({ err: error }, 'the model of MODEL_PATH was not opened'));
  } else {
    const names = await Promise.all([findOne('isnet'), findOne('u2net')]);
    log.info({ folder, models: names.flatMap((model) => model?.name ?? []) }, 'models for backgrounds');
  }

  return {
    async find(name) {
      // The operator's own model has no substitute.
      if (modelPath) return findOne('custom');
      return (await findOne(name)) ?? findOne(name === 'u2net' ? 'isnet' : 'u2net');
    },
    async segment(model, { kind, square }, options) {
      const file = { path: pathOf(model.name), id: model.id, threads };
      const output = await pool.run('segment', { model: file, square, kind }, options);
      return 'problem' in output ? giveUp(model, output.problem) : output.masks;
    },
    close: (graceMs) => pool.close(graceMs),
  };
}

async function checkReadable(path: string): Promise<void> {
  const isFile = await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
  const canRead =
    isFile &&
    (await access(path, constants.R_OK).then(
      () => true,
      () => false,
    ));
  if (!canRead) throw new StartError(`MODEL_PATH names no file that can be read: ${path}.`);
}
