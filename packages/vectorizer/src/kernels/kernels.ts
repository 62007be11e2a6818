import { BYTES } from './bytes.ts';

/**
 * The loops of `packages/vectorizer/kernels`, compiled to WebAssembly. Each has a twin in TypeScript with the same
 * bits, which runs where there is no WebAssembly or a page's policy forbids it.
 */
export interface Kernels {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** See `kernels/cubic.ts`. */
  cubicMemory(): number;
  memoryStart(): number;
  recallCubic(
    version: number,
    first: number,
    last: number,
    stride: number,
    x0: number,
    y0: number,
    tx0: number,
    ty0: number,
    x3: number,
    y3: number,
    tx3: number,
    ty3: number,
    rounds: number,
    enough: number,
  ): number;
  fitCubic(
    count: number,
    stride: number,
    x0: number,
    y0: number,
    tx0: number,
    ty0: number,
    x3: number,
    y3: number,
    tx3: number,
    ty3: number,
    length: number,
    chord: number,
    rounds: number,
    enough: number,
    tolerance: number,
    variance: number,
    nodeCost: number,
  ): void;
  /** See `kernels/solve.ts`. */
  solveStep(problem: number, damping: number, innerSteps: number, enough: number): void;
  /** See `kernels/votes.ts`. */
  voteBytes(): number;
  clearVotes(tables: number): void;
  readVotes(
    data: number,
    top: number,
    from: number,
    to: number,
    width: number,
    height: number,
    noise: number,
    kinds: number,
    tables: number,
  ): number;
  /** See `kernels/noise.ts`. */
  readNoise(
    data: number,
    top: number,
    from: number,
    to: number,
    width: number,
    height: number,
    step: number,
    edges: number,
  ): void;
  /** See `kernels/blocks.ts`. */
  averageBlocks(
    data: number,
    width: number,
    across: number,
    side: number,
    step: number,
    means: number,
    roughness: number,
  ): number;
  countTexture(means: number, across: number, down: number, edgeStep: number, textureStep: number, out: number): void;
  /** See `kernels/labels.ts`. */
  labelBytes(): number;
  clearLabels(table: number): void;
  rememberLabel(table: number, at: number, label: number): void;
  labelPure(
    data: number,
    from: number,
    count: number,
    kinds: number,
    labels: number,
    state: number,
    table: number,
    palette: number,
    near: number,
  ): number;
  /** See `kernels/runs.ts`. */
  findRuns(labels: number, width: number, rows: number, first: number, starts: number): number;
}

/** The parts of a host that are used here, which the language's own types leave out. */
interface Host {
  WebAssembly?: {
    Module: new (bytes: Uint8Array) => object;
    Instance: new (module: object) => { exports: unknown };
  };
  atob?: (text: string) => string;
}

const host = globalThis as unknown as Host;
let kernels: Kernels | null | undefined;

/** Returns the kernels; null where they cannot run. The first call compiles them, in about a millisecond. */
export function loadKernels(): Kernels | null {
  if (!host.WebAssembly) return null;
  if (kernels === undefined) kernels = instantiate(host);
  return kernels;
}

function instantiate({ WebAssembly, atob }: Host): Kernels | null {
  if (!WebAssembly || !atob) return null;
  try {
    const bytes = Uint8Array.from(atob(BYTES), (character) => character.charCodeAt(0));
    return new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as Kernels;
  } catch {
    return null; // an engine without SIMD, or a policy without 'wasm-unsafe-eval'
  }
}

const PAGE = 65_536;
/** The memory never shrinks, so larger problems are solved in TypeScript. */
const MOST_BYTES = 64 << 20;

type Numbers = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array;

/**
 * Returns the address of so many bytes in the memory of the kernels, a multiple of 16; undefined when there is no room.
 * They are the caller's until the next call, and not zero.
 */
export function reserve({ memory, memoryStart }: Kernels, bytes: number): number | undefined {
  const start = memoryStart();
  if (start + bytes > MOST_BYTES) return undefined;
  const missing = start + bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  return start;
}

/**
 * Copies arrays side by side into the memory of the kernels. Returns the address of each, a multiple of 16; undefined
 * when there is no room for them. They are valid until the next call.
 */
export function copyIn(kernels: Kernels, arrays: readonly Numbers[]): number[] | undefined {
  const places: number[] = [];
  let bytes = 0;
  for (const { byteLength } of arrays) {
    places.push(bytes);
    bytes += (byteLength + 15) & ~15;
  }
  const start = reserve(kernels, bytes);
  if (start === undefined) return undefined;
  const addresses = places.map((place) => start + place);
  const { buffer } = kernels.memory;
  arrays.forEach((array, k) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    new Uint8Array(buffer, addresses[k], array.byteLength).set(bytes);
  });
  return addresses;
}
