/** Says the stage of a trace in words for makers. */
export const sayTraceStage = (stage: string | undefined): string => words[stage ?? ''] ?? 'Tracing';

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
