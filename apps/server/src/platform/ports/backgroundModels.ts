/** The port for the models that separate an object from its background. Adapter: `media/models.ts`. */
import type { BackgroundOptions, ModelUsed } from '@markwright/contract';
import type { KindOfBackground } from '@markwright/matting';
import type { Square } from './mediaJobs.ts';
import type { RunOptions } from './mediaPool.ts';

/** A model, as far as its file's name describes it. */
export interface BackgroundModel {
  readonly name: Exclude<ModelUsed, 'classical'>;
  /** Changes with the file. */
  readonly id: string;
  /** The side of the pictures that it takes, in px. */
  readonly side: number;
}

/** The models that segment a picture. */
export interface BackgroundModels {
  /**
   * Returns the model that answers a request for `name`; undefined when there is none. Looks for the files each time.
   */
  find(name: BackgroundOptions['model']): Promise<BackgroundModel | undefined>;
  /**
   * Returns one or two masks, deflated: 0..255, higher for a more certain object. Undefined when the model is unusable;
   * `find` then ignores it for ten minutes. Throws as `Pool.run` does.
   */
  segment(
    model: BackgroundModel,
    picture: { readonly kind: KindOfBackground; readonly square: Square },
    options: RunOptions,
  ): Promise<readonly Uint8Array[] | undefined>;
  close(graceMs?: number): Promise<void>;
}
