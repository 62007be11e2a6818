/** The previews that came before the one on screen: at most five, newest last. */
import type { PreviewSettings, VectorizeSettings } from '@markwright/contract/schemas';
import type { Artwork } from '@markwright/scene';

const PREVIEW_HISTORY_LIMIT = 5;

export interface PreviewEntry {
  readonly artwork: Artwork;
  readonly settings: VectorizeSettings;
  readonly previewSettings: PreviewSettings;
}

export type PreviewHistory = readonly PreviewEntry[];

/** Remembers what is about to be replaced; the oldest entry goes when there are more than five. */
export function rememberPreview(history: PreviewHistory, entry: PreviewEntry): PreviewHistory {
  return [...history, entry].slice(-PREVIEW_HISTORY_LIMIT);
}

/** The latest entry, and the history without it. */
export function undoPreview(history: PreviewHistory): { latest: PreviewEntry | undefined; rest: PreviewHistory } {
  return { latest: history.at(-1), rest: history.slice(0, -1) };
}
