/** Returns the words for a stage of a trace; `Tracing` for a stage that has none. */
export const sayTraceStage = (stage: string): string => words[stage] ?? 'Tracing';

const words: Readonly<Record<string, string>> = {
  open: 'Reading the picture',
  read: 'Reading the picture',
  noise: 'Cleaning up',
  colors: 'Finding the colors',
  regions: 'Finding the shapes',
  boundary: 'Following the edges',
  curves: 'Drawing the curves',
  refine: 'Fitting the curves',
  stack: 'Putting it together',
  done: 'Drawing it',
};
