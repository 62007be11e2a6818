/** Reviews the production job of a scene, and remembers the review of the latest one. */
import { type JobReview, reviewRequest, type Scene } from '@markwright/scene';
import type { Ports } from '../ports.ts';

interface Review {
  readonly scene: Scene;
  /** Undefined where the job could not be reviewed. */
  readonly result: JobReview | undefined;
}

export interface ReviewCache {
  /** Returns the review of a scene; undefined while there is none. */
  find(scene: Scene): Review | undefined;
  /** Reviews a scene, unless it is the latest one. Stops without an error when it is aborted. */
  review(scene: Scene, signal: AbortSignal): Promise<void>;
}

export function createReviewCache({ reviewJob }: Pick<Ports, 'reviewJob'>): ReviewCache {
  let latest: Review | undefined;
  const find = (scene: Scene) => (latest && isSameScene(latest.scene, scene) ? latest : undefined);
  return {
    find,
    async review(scene, signal) {
      if (find(scene)) return;
      let result: JobReview | undefined;
      try {
        result = await reviewJob?.(reviewRequest(scene), signal);
      } catch {
        // Without a review the other checks still stand.
      }
      if (!signal.aborted) latest = { scene, result };
    },
  };
}

/** True for scenes with the same elements at the same places. */
const isSameScene = (a: Scene, b: Scene): boolean =>
  a === b ||
  (a.machine === b.machine &&
    a.widthMm === b.widthMm &&
    a.heightMm === b.heightMm &&
    a.area === b.area &&
    a.groups.length === b.groups.length &&
    a.groups.every((group, i) => group === b.groups[i]));
