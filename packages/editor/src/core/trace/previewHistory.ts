/** The traces that were on the stage before the present one: at most five, the newest last. */
import type { Artwork } from '@markwright/scene';
import type { TraceSettings } from './traceSettings.ts';

const PREVIEW_HISTORY_LIMIT = 5;

/** A trace and the settings it was made with. */
export interface PreviewEntry {
  readonly artwork: Artwork;
  readonly settings: TraceSettings;
}

export type PreviewHistory = readonly PreviewEntry[];

/** Adds a trace that is about to be replaced; drops the oldest when there are more than five. */
export function rememberPreview(history: PreviewHistory, entry: PreviewEntry): PreviewHistory {
  return [...history, entry].slice(-PREVIEW_HISTORY_LIMIT);
}

/** Returns the latest entry, and the history without it. */
export function undoPreview(history: PreviewHistory): { latest: PreviewEntry | undefined; rest: PreviewHistory } {
  return { latest: history.at(-1), rest: history.slice(0, -1) };
}
