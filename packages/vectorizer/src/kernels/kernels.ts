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

type Numbers = Float64Array | Int32Array | Uint8Array;

/**
 * Copies arrays side by side into the memory of the kernels. Returns the address of each, a multiple of 16; undefined
 * when there is no room for them. They are valid until the next call.
 */
export function copyIn({ memory, memoryStart }: Kernels, arrays: readonly Numbers[]): number[] | undefined {
  const addresses: number[] = [];
  let end = memoryStart();
  for (const { byteLength } of arrays) {
    addresses.push(end);
    end += (byteLength + 15) & ~15;
  }
  if (end > MOST_BYTES) return undefined;
  const missing = end - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  arrays.forEach((array, k) => {
    const { buffer } = memory;
    if (array instanceof Float64Array) new Float64Array(buffer, addresses[k], array.length).set(array);
    else if (array instanceof Int32Array) new Int32Array(buffer, addresses[k], array.length).set(array);
    else new Uint8Array(buffer, addresses[k], array.length).set(array);
  });
  return addresses;
}
