/** The trace status of the design on the product. Exports, preflight and 'Design Ready!' wait for a finished trace. */
import { artworksOf, type Composition, withoutHidden } from '@markwright/scene';
import type { DesignState } from './designStates.ts';

/**
 * `none`: no picture is shown. `tracing`: the picture is uploaded, loaded or traced now. `failed`: there is no trace of
 * it, or none of the settings on the panel. `traced`: stage, panel and file show the same.
 */
export type TraceStatus = 'none' | 'tracing' | 'failed' | 'traced';

/** Returns the status of the composition's design. `panel` is the state of its design flow. */
export function traceStatusOf(
  composition: Composition,
  panel: Pick<DesignState, 'status' | 'job' | 'design' | 'isTraced' | 'isStale' | 'failure'>,
): TraceStatus {
  const [design] = artworksOf(withoutHidden(composition));
  const { status, job, isTraced, isStale, failure } = panel;
  if (!design) return status === 'uploading' ? 'tracing' : 'none';
  // A trace of settings that are moved is stored while the stage shows it, and an export waits for that.
  const isWorking = job === 'vectorize' || job === 'preview' || job === 'load';
  if (status === 'uploading' || isWorking) return 'tracing';
  const isOther = panel.design?.id !== design.designId;
  if (isOther || !isTraced || (isStale && failure !== undefined)) return 'failed';
  return 'traced';
}
