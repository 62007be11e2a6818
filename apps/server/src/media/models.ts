/**
 * The segmentation models, which separate an object from its background, and the process that runs them: one of this
 * server, or of another one that shares the database and has the file.
 */
import { randomBytes } from 'node:crypto';
import { access, constants, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { StartError } from '../platform/errors.ts';
import type { BackgroundModel, BackgroundModels } from '../platform/ports/backgroundModels.ts';
import type { ModelJobs, ModelKey } from '../platform/ports/mediaJobs.ts';
import { type Caller, PoisonJobError } from '../platform/ports/mediaPool.ts';
import type { Meter } from './meteredPool.ts';
import { openModelFiles } from './modelFiles.ts';
import { OFFER_EVERY_MS, openModelOffers } from './modelOffers.ts';
import { createPool, type PoolSettings, type ProcessPool } from './pool.ts';
import { openSharedPool, type SharedPoolSettings } from './sharedPool.ts';

export interface ModelsSettings {
  /** The folder that may hold `isnet.onnx` and `u2net.onnx`. */
  readonly folder: string;
  /** The operator's own model, which replaces those. */
  readonly modelPath: string | undefined;
  /** The number of other processes that work on pictures. */
  readonly workers: number;
  readonly log: Logger;
  readonly meter: Meter;
  /** How its process is started; undefined on a server that runs none, and has no use for the files. */
  readonly pool: (Pick<PoolSettings, 'entry' | 'execArgv'> & Partial<PoolSettings>) | undefined;
  /** The queue, the files and the messages of all servers of a database. Absent for a server by itself. */
  readonly common?: Pick<SharedPoolSettings<QueuedJobs>, 'db' | 'files' | 'spans' | 'listen' | 'limits'> | undefined;
}
type QueuedJobs = ModelJobs<ModelKey>;

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
/** Of several servers together, as many times more than of one as for pictures. */
const SHARED_LIMITS = { queueLimit: 24, callerLimit: LIMITS.callerLimit };

/**
 * Starts no process for the models of the folder: the first picture that needs one does. The operator's own model is
 * opened at once, so that its errors show at the start. Throws a StartError when it cannot be read.
 */
export async function openBackgroundModels(settings: ModelsSettings): Promise<BackgroundModels> {
  const { folder, modelPath, log, workers, pool: program, common } = settings;
  if (modelPath && program) await checkReadable(modelPath);
  const files = openModelFiles({ folder, modelPath, log });
  const offers = common && openModelOffers(common.db, randomBytes(8).toString('hex'));
  let isClosing = false;
  // One core is left for answering and drawing.
  const threads = Math.max(1, Math.min(workers, availableParallelism(), MOST_THREADS + 1) - 1);

  /** Opens the pool of this server's process, which reads the file that this server has. */
  function openProcesses(limits: Partial<PoolSettings>): ProcessPool<QueuedJobs> {
    const execArgv = [...(program!.execArgv ?? []), '--expose-gc'];
    const processes = createPool<ModelJobs>({ ...LIMITS, log, ...program!, execArgv, ...limits });
    return {
      ...processes,
      async run(job, input, options) {
        const { name, id } = input.model;
        const model = { path: files.pathOf(name), id, threads };
        const output = await processes.run(job, { ...input, model } as ModelJobs[typeof job]['input'], options);
        if ('problem' in output) {
          files.giveUp({ name, id }, output.problem);
          await offerOwn(); // before the answer, so that whoever asked does not find it here again
        }
        return output;
      },
    };
  }
  const needs = {
    kind: 'models' as const,
    of: ({ model }: QueuedJobs[keyof QueuedJobs]['input']) => model.id,
    list: async () => (await files.list()).map(({ id }) => id),
  };
  const pool = settings.meter<QueuedJobs>(
    common
      ? openSharedPool({
          ...{ ...common, log, needs, limits: { ...SHARED_LIMITS, ...common.limits } },
          openProcesses: program && openProcesses,
        })
      : openProcesses({}),
  );

  /** The input sizes of the operator's own models, each read once from the model itself. */
  const sides = new Map<string, number>();
  async function readSide(model: ModelKey): Promise<number | undefined> {
    if (model.name !== 'custom') return SIDES[model.name];
    const knownSide = sides.get(model.id);
    if (knownSide) return knownSide;
    const answer = await pool.run('open', { model }, { caller: server }).catch((error: unknown) => {
      if (!(error instanceof PoisonJobError)) throw error;
      files.giveUp(model, error.message);
      return { problem: error.message };
    });
    if ('problem' in answer) return undefined;
    sides.set(model.id, answer.side);
    log.info({ path: files.pathOf(model.name), ...answer }, 'the model of MODEL_PATH is open');
    return answer.side;
  }

  async function listOwn(): Promise<BackgroundModel[]> {
    if (!program) return [];
    const models = await Promise.all(
      (await files.list()).map(async ({ name, id }) => ({ name, id, side: await readSide({ name, id }) })),
    );
    return models.flatMap(({ side, ...model }) => (side ? { ...model, side } : []));
  }

  /** Looks for the models of this server, and tells the others. Returns them. Does not throw. */
  async function offerOwn(): Promise<readonly BackgroundModel[]> {
    const models = await listOwn().catch((error: unknown) => {
      if (!isClosing) log.error({ err: error }, 'the model of MODEL_PATH was not opened');
      return [];
    });
    await offers?.offer(isClosing ? [] : models).catch((error: unknown) => {
      log.warn({ err: error }, 'other servers were not told which background models are here');
    });
    return models;
  }
  const timer = program && offers && setInterval(() => void offerOwn(), OFFER_EVERY_MS).unref();
  if (program) {
    void offerOwn().then((models) => {
      if (!modelPath) log.info({ folder, models: models.map(({ name }) => name) }, 'models for backgrounds');
    });
  }

  return {
    async find(name) {
      const models = [...(await listOwn()), ...((await offers?.list()) ?? [])];
      // The operator's own model has no substitute.
      const names = modelPath ? ['custom'] : ['custom', name, name === 'u2net' ? 'isnet' : 'u2net'];
      return names.flatMap((one) => models.find((model) => model.name === one) ?? [])[0];
    },
    async segment({ name, id }, { kind, square }, options) {
      const output = await pool.run('segment', { model: { name, id }, square, kind }, options);
      return 'problem' in output ? undefined : output.masks;
    },
    async close(graceMs) {
      isClosing = true;
      clearInterval(timer);
      if (timer) await offers?.offer([]).catch(() => {}); // it ends by itself within a minute
      await pool.close(graceMs);
    },
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
