/** Loads what draws codes and shapes. */
import type { FigureSource } from '@markwright/scene';
import { loadOnce } from '../platform/loadOnce.ts';

/** Returns the source of a process. It is loaded with the first code or shape, for its tables are large. */
export const loadFigures: () => Promise<FigureSource> = loadOnce(() =>
  import('@markwright/scene/figures').then(({ createFigures }) => createFigures()),
);
