/** The favorite icons and those used last, kept on this device. */
import type { Icons } from '@markwright/editor';
import { readTexts, writeRecord } from './deviceRecord.ts';

const FAVORITES = 'markwright-favorite-icons';
const RECENT = 'markwright-recent-icons';
/** More are no favorites. */
const MOST_FAVORITES = 100;
const MOST_RECENT = 8;

export const iconMarks: Icons['marks'] = {
  readFavorites: () => readTexts(FAVORITES, MOST_FAVORITES),
  writeFavorites: (ids) => writeRecord(FAVORITES, ids.slice(-MOST_FAVORITES)),
  readRecent: () => readTexts(RECENT, MOST_RECENT),
  remember: (id) =>
    writeRecord(RECENT, [id, ...iconMarks.readRecent().filter((other) => other !== id)].slice(0, MOST_RECENT)),
};
