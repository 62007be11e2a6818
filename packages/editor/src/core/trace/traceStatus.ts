/** The trace status of the artworks on the product. Exports, preflight and 'Design Ready!' wait for all traces. */
import { type ArtworkElement, artworksOf, type Composition, isEngraved, withoutHidden } from '@markwright/scene';
import type { EngravingState } from '../engraving/engravingFlow.ts';
import type { EngravingStates } from '../engraving/engravings.ts';
import type { DesignState } from './designStates.ts';

/**
 * `none`: no picture is shown. `tracing`: the picture is uploaded, loaded or traced now. `failed`: there is no trace of
 * it, or none of the settings on the panel. `engraving`: its picture is traced, and is engraved now. `traced`: stage,
 * panel and file show the same.
 */
export type TraceStatus = 'none' | 'tracing' | 'engraving' | 'failed' | 'traced';

/** True while a file would not show what the composition asks for. */
export const isUnfinished = (status: TraceStatus): status is 'tracing' | 'engraving' | 'failed' =>
  status === 'tracing' || status === 'engraving' || status === 'failed';

type Panel = Pick<DesignState, 'status' | 'job' | 'design' | 'isTraced' | 'isStale' | 'failure'>;

/**
 * Returns the status of all artworks together: that of the one that is furthest from a file. Without `engravings`,
 * nothing waits for pictures that are engraved.
 */
export function traceStatusOf(
  composition: Composition,
  panels: ReadonlyMap<string, Panel>,
  engravings?: EngravingStates,
): TraceStatus {
  const statuses = artworksOf(withoutHidden(composition)).map((artwork) => {
    const status = artworkStatus(artwork, panels.get(artwork.id));
    return status === 'traced' && isEngraved(artwork, composition.machine) && engravings
      ? engravingStatus(engravings.get(artwork.id)?.status)
      : status;
  });
  if (statuses.includes('failed')) return 'failed';
  const isUploading = [...panels.values()].some(({ status }) => status === 'uploading');
  if (isUploading || statuses.includes('tracing')) return 'tracing';
  if (statuses.includes('engraving')) return 'engraving';
  return statuses.length > 0 ? 'traced' : 'none';
}

/** Returns the status of a picture that is traced and engraved. */
const engravingStatus = (status: EngravingState['status'] | undefined): TraceStatus =>
  status === 'done' ? 'traced' : status === 'failed' ? 'failed' : 'engraving';

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
