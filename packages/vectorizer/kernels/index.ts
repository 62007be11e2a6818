/**
 * The loops of the tracer that take most of its time, for WebAssembly. `npm run kernels` compiles them into
 * `src/kernels/bytes.ts`. Each has a twin in TypeScript, and makes its sums in the same order, so that both have the
 * same bits.
 */
export { cubicMemory, fitCubic, memoryStart, recallCubic } from './cubic';
export { solveStep } from './solve';
export { clearVotes, readVotes, voteBytes } from './votes';
export { averageBlocks, countTexture } from './blocks';
export { readNoise } from './noise';
export { findRuns } from './runs';
export { clearLabels, labelBytes, labelPure, rememberLabel } from './labels';
