/** Segments a picture with a model. Runs in a process of its own, with one model open at a time. */
import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { isSecondLookWorth } from '@markwright/matting';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { ModelFile, ModelJobs, ReportProgress, Square } from '../platform/ports/mediaJobs.ts';
import { halveModel } from './halveModel.ts';
import { simplifyModel } from './simplifyModel.ts';

/** The known model families, by input size, with the scaling of their training. */
const FAMILIES = [
  // U²-Net: scaled to the brightest pixel, then by ImageNet's mean and deviation; its output is stretched to 0..1.
  {
    side: 320,
    mean: [0.485, 0.456, 0.406],
    deviation: [0.229, 0.224, 0.225],
    fromBrightest: true,
    stretch: true,
    hasFar: false,
  },
  // ISNet: centered on zero; its output is a share already.
  { side: 1024, mean: [0.5, 0.5, 0.5], deviation: [1, 1, 1], fromBrightest: false, stretch: false, hasFar: true },
] as const;
type Family = (typeof FAMILIES)[number];

/** The assumed input size of a model that accepts any. */
const USUAL_SIDE = 1024;

let modelSession:
  | { readonly id: string; readonly session: InferenceSession; farther: InferenceSession | null | undefined }
  | undefined;

/**
 * Loads a model and returns the side of its input in px. Cost: two CPU-seconds and a gigabyte for ISNet, of which 300
 * MB stay until the process ends.
 */
export async function open({ model }: ModelJobs['open']['input']): Promise<ModelJobs['open']['output']> {
  try {
    return { side: findFamily(await openModel(model), USUAL_SIDE).side };
  } catch (error) {
    return toProblem(error);
  }
}

/**
 * Runs the model on a square picture. Cost for 1024 pixels a side: three to four CPU-seconds, and a gigabyte while it
 * runs.
 */
export async function segment(
  { model, square, kind }: ModelJobs['segment']['input'],
  report: ReportProgress,
): Promise<ModelJobs['segment']['output']> {
  try {
    const session = await openModel(model);
    const family = findFamily(session, square.side);
    report({ stage: 'looking', fraction: 0 });
    const near = await look(session, square, family);
    const isVague = family.hasFar && isSecondLookWorth(kind, { width: square.side, height: square.side, data: near });
    const farther = isVague ? await openFarther(model, square.side) : undefined;
    const half = farther && halve(square);
    const far = half && (await look(farther, half, family));
    return { masks: [near, ...(far ? [far] : [])].map((mask) => deflateSync(mask, { level: 4 })) };
  } catch (error) {
    // The pixels are always valid numbers, so any failure here is the model's.
    return toProblem(error);
  } finally {
    // Pixels lie outside the heap, where the garbage collector hardly counts them.
    globalThis.gc?.();
  }
}

/** Runs the model once. Returns the share of the object for each pixel, 0..255. */
async function look(session: InferenceSession, square: Square, family: Family): Promise<Uint8Array> {
  const { side } = square;
  const output = session.outputNames[0]!; // the further outputs are those of deeper layers
  const input = new Tensor('float32', toInput(square, family), [1, 3, side, side]);
  const result = (await session.run({ [session.inputNames[0]!]: input }, [output]))[output]!;
  const shares = toShares(result.data as Float32Array, side, family);
  result.dispose();
  return shares;
}

/**
 * Opens the same model for pictures of half the size, where its file allows the change. Cost: 0.7 CPU-seconds once,
 * then 0.8 for each run.
 */
async function openFarther({ path, id, threads }: ModelFile, side: number): Promise<InferenceSession | undefined> {
  if (modelSession?.id !== id) return undefined;
  if (modelSession.farther === undefined) {
    try {
      const bytes = simplifyModel(await readFile(path));
      halveModel(bytes, side);
      modelSession.farther = await InferenceSession.create(bytes, optionsFor(threads));
    } catch {
      modelSession.farther = null; // a model of another structure runs only once
    }
    globalThis.gc?.();
  }
  return modelSession.farther ?? undefined;
}

/** Returns a square of half the side, each pixel the mean of four. */
function halve({ side, rgb }: Square): Square {
  const half = side / 2;
  const small = new Uint8Array(3 * half * half);
  for (let y = 0, to = 0; y < half; y++) {
    for (let x = 0; x < half; x++) {
      const from = 3 * (2 * y * side + 2 * x);
      for (let channel = 0; channel < 3; channel++, to++) {
        const at = from + channel;
        small[to] = (rgb[at]! + rgb[at + 3]! + rgb[at + 3 * side]! + rgb[at + 3 * side + 3]! + 2) >> 2;
      }
    }
  }
  return { side: half, rgb: small };
}

const toProblem = (error: unknown) => ({ problem: error instanceof Error ? error.message : String(error) });

async function openModel({ path, id, threads }: ModelFile): Promise<InferenceSession> {
  if (modelSession?.id === id) return modelSession.session;
  await modelSession?.session.release();
  await modelSession?.farther?.release();
  modelSession = undefined;
  const session = await createSimplified(path, threads).catch(() => InferenceSession.create(path, optionsFor(threads)));
  modelSession = { id, session, farther: undefined };
  globalThis.gc?.(); // of the file's bytes
  return session;
}

/** Opens a model without what its first output does not need. Throws for a model that cannot be read in this way. */
async function createSimplified(path: string, threads: number): Promise<InferenceSession> {
  return InferenceSession.create(simplifyModel(await readFile(path)), optionsFor(threads));
}

const optionsFor = (threads: number): InferenceSession.SessionOptions => ({
  executionProviders: ['cpu'],
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  // Idle threads sleep and do not spin, which would take a core from the processes that answer calls.
  extra: { session: { intra_op: { allow_spinning: '0' } } },
  // With the arena the same work takes twice the memory.
  enableCpuMemArena: false,
  enableMemPattern: false,
  logSeverityLevel: 3,
});

/**
 * Returns the family of a model by its input size, or by the given one where it accepts any. Throws for a model with
 * other inputs or outputs.
 */
function findFamily(session: InferenceSession, anySide: number): Family {
  const [input, output] = [session.inputMetadata[0], session.outputMetadata[0]];
  if (!input?.isTensor || !output?.isTensor || session.inputNames.length !== 1) {
    throw new Error('It does not take one picture.');
  }
  if (input.type !== 'float32' || output.type !== 'float32') throw new Error('It does not work on float32 numbers.');
  const [, channels, height, width] = input.shape;
  if (input.shape.length !== 4 || channels !== 3) throw new Error('It does not take pictures of three channels.');
  const side = typeof width === 'number' && width > 0 ? width : anySide;
  const family = FAMILIES.find((candidate) => candidate.side === side);
  if (!family || (typeof height === 'number' && height > 0 && height !== side)) {
    throw new Error(`It takes pictures of ${width} x ${height}; known are 320 x 320 and 1024 x 1024.`);
  }
  return family;
}

function toInput({ side, rgb }: Square, { mean, deviation, fromBrightest }: Family): Float32Array {
  const size = side * side;
  const white = fromBrightest
    ? Math.max(
        1,
        rgb.reduce((most, value) => Math.max(most, value), 0),
      )
    : 255;
  const planes = new Float32Array(3 * size);
  for (let channel = 0; channel < 3; channel++) {
    const [middle, spread] = [mean[channel]!, deviation[channel]!];
    for (let i = 0; i < size; i++) planes[channel * size + i] = (rgb[3 * i + channel]! / white - middle) / spread;
  }
  return planes;
}

/** Converts a model's output to shares, 0..255. A uniform output means that there is no object. */
function toShares(output: Float32Array, side: number, { stretch }: Family): Uint8Array {
  const size = side * side;
  if (output.length !== size)
    throw new RangeError(`${output.length} numbers are no opinion on ${side} x ${side} pixels.`);
  let [low, high] = [0, 1];
  if (stretch) {
    [low, high] = [Infinity, -Infinity];
    for (const value of output) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  const scale = high - low > 1e-6 ? 255 / (high - low) : 0;
  const shares = new Uint8Array(size);
  for (let i = 0; i < size; i++) shares[i] = Math.max(0, Math.min(255, Math.round((output[i]! - low) * scale)));
  return shares;
}
