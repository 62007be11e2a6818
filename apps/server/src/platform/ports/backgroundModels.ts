/** The port for the models that tell an object from its background. Adapter: `media/models.ts`. */
import type { BackgroundOptions, ModelUsed } from '@markwright/contract';
import type { KindOfBackground } from '@markwright/matting';
import type { Square } from './mediaJobs.ts';
import type { RunOptions } from './mediaPool.ts';

/** A model, as far as its file's name says what it is. */
export interface BackgroundModel {
  readonly name: Exclude<ModelUsed, 'classical'>;
  /** Another text for another file. */
  readonly id: string;
  /** Of the pictures it takes. */
  readonly side: number;
}

export interface BackgroundModels {
  /** The one that answers where one was asked for; undefined when there is none. Files are looked for each time. */
  find(name: BackgroundOptions['model']): Promise<BackgroundModel | undefined>;
  /**
   * The masks of one or two looks, deflated: 0..255, the higher the surer that there is the object. Undefined when the
   * model turns out to be unusable: it is not found again for ten minutes. Throws as `Pool.run` does.
   */
  segment(
    model: BackgroundModel,
    picture: { readonly kind: KindOfBackground; readonly square: Square },
    options: RunOptions,
  ): Promise<readonly Uint8Array[] | undefined>;
  close(graceMs?: number): Promise<void>;
}
