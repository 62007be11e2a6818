/** The port for the models that separate an object from its background. Adapter: `media/models.ts`. */
import type { BackgroundOptions } from '@markwright/contract';
import type { KindOfBackground } from '@markwright/matting';
import type { ModelKey, Square } from './mediaJobs.ts';
import type { RunOptions } from './mediaPool.ts';

/** A model that this server or another one runs. */
export interface BackgroundModel extends ModelKey {
  /** The side of the pictures that it takes, in px. */
  readonly side: number;
}

/** The models that segment a picture. */
export interface BackgroundModels {
  /**
   * Returns the model that answers a request for `name`; undefined when no server has one. Looks each time. The first
   * look at a file reads all of it.
   */
  find(name: BackgroundOptions['model']): Promise<BackgroundModel | undefined>;
  /**
   * Returns one or two masks, deflated: 0..255, higher for a more certain object. Undefined when the server that tried
   * cannot use the model; `find` then ignores that server's for ten minutes. Throws as `Pool.run` does.
   */
  segment(
    model: BackgroundModel,
    picture: { readonly kind: KindOfBackground; readonly square: Square },
    options: RunOptions,
  ): Promise<readonly Uint8Array[] | undefined>;
  close(graceMs?: number): Promise<void>;
}
