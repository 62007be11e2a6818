import type { IconName } from '@markwright/controls';
import type { CompositionElement } from '@markwright/scene';

/** The icon of each kind of element. */
export const kindIcons: Readonly<Record<CompositionElement['kind'], IconName>> = {
  artwork: 'image',
  text: 'text',
  code: 'M3.5 3.5h5v5h-5zM11.5 3.5h5v5h-5zM3.5 11.5h5v5h-5zM11.5 11.5h2v2h-2zM16.5 11.5v2M14.5 16.5h2v-1M11.5 16.5v.01',
  shape: 'M7.25 3.5l4.25 7.5H3zM13.25 9.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7',
};
