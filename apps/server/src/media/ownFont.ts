/** The job `ownFont`: reads a stranger's font and makes a new one of its outlines. */
import { FileRefused } from '@markwright/scene/production';
import { AppError } from '../platform/errors.ts';
import { loadOnce } from '../platform/loadOnce.ts';
import type { LimitStep, MediaJobs, StepLimit } from '../platform/ports/mediaJobs.ts';

/** An honest font of 5 MB takes about 4 s. The time between two readings of a process comes on top. */
const READING_LIMIT: StepLimit = {
  processorMs: 9_000,
  refusal: 'This font takes too long to read: it has more outlines than a text needs. Please choose a smaller one.',
};

// The parser is loaded with the first font.
const load = loadOnce(() => import('@markwright/scene/readFont'));

/** Throws tooLarge, and unprocessable for a file that is no font, is damaged, or takes too long. */
export async function readOwnFont(
  { bytes }: MediaJobs['ownFont']['input'],
  limitStep: LimitStep,
): Promise<MediaJobs['ownFont']['output']> {
  const { FONT_LIMITS, readFont } = await load();
  return limitStep(READING_LIMIT, async () => {
    try {
      return readFont(bytes);
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
      throw new AppError(bytes.length > FONT_LIMITS.bytes ? 'tooLarge' : 'unprocessable', error.message);
    }
  });
}
