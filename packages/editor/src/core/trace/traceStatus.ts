/** The trace status of the artworks on the product. Exports, preflight and 'Design Ready!' wait for all traces. */
import { type ArtworkElement, artworksOf, type Composition, withoutHidden } from '@markwright/scene';
import type { DesignState } from './designStates.ts';

/**
 * `none`: no picture is shown. `tracing`: the picture is uploaded, loaded or traced now. `failed`: there is no trace of
 * it, or none of the settings on the panel. `traced`: stage, panel and file show the same.
 */
export type TraceStatus = 'none' | 'tracing' | 'failed' | 'traced';

type Panel = Pick<DesignState, 'status' | 'job' | 'design' | 'isTraced' | 'isStale' | 'failure'>;

/** Returns the status of all artworks together: that of the one that is furthest from a file. */
export function traceStatusOf(composition: Composition, panels: ReadonlyMap<string, Panel>): TraceStatus {
  const statuses = artworksOf(withoutHidden(composition)).map((artwork) =>
    artworkStatus(artwork, panels.get(artwork.id)),
  );
  if (statuses.includes('failed')) return 'failed';
  const isUploading = [...panels.values()].some(({ status }) => status === 'uploading');
  if (isUploading || statuses.includes('tracing')) return 'tracing';
  return statuses.length > 0 ? 'traced' : 'none';
}

/** Returns the status of one artwork. `panel` is the state of its design flow. */
export function artworkStatus({ designId }: Pick<ArtworkElement, 'designId'>, panel: Panel | undefined): TraceStatus {
  if (!panel) return 'failed';
  const { status, job, isTraced, isStale, failure } = panel;
  // A trace of settings that are moved is stored while the stage shows it, and an export waits for that.
  const isWorking = job === 'vectorize' || job === 'preview' || job === 'load';
  if (status === 'uploading' || isWorking) return 'tracing';
  const isOther = panel.design?.id !== designId;
  if (isOther || !isTraced || (isStale && failure !== undefined)) return 'failed';
  return 'traced';
}
