import { Button, IconButton } from '@markwright/controls';
import { type ArtworkElement, artworkElementId, artworksOf, MAX_ARTWORKS, toElementName } from '@markwright/scene';
import { useDeferredValue } from 'react';
import { useEditor, useEditorState } from '../EditorProvider.tsx';
import { thumbnailHref } from './thumbnailHref.ts';

/**
 * Goes with what makes room for the settings once they are unfolded, so that the step stays whole beside the stage. The
 * panel is the group `picture`.
 */
export const AWAY_FROM_SETTINGS = 'lg:group-has-[[data-settings]]/picture:hidden';

/** Makes room for the tiles of the four ways in a low window, until the settings are unfolded. */
export const AWAY_FROM_WAYS_IF_LOW = 'lg:low:group-[:has([data-ways]):not(:has([data-settings]))]/picture:hidden';

/** The other pictures on the product, to switch between, and the button that adds one. */
export function ArtworkSwitch({ onAdd }: { onAdd(): void }) {
  const artworks = useEditorState(({ composition }) => artworksOf(composition), isSameList);
  const activeId = useEditorState((state) => state.activeArtworkId);
  const others = artworks.filter(({ id }) => id !== activeId);
  return (
    <div
      className={`flex flex-wrap items-center gap-2 ${others.length === 0 ? `low:hidden lg:group-has-[[data-ways]]/picture:hidden ${AWAY_FROM_SETTINGS}` : ''}`}
    >
      {others.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own layout
        <div role="group" aria-label="Other pictures" className="flex flex-wrap gap-2">
          {others.map((artwork) => (
            <OtherArtwork key={artwork.id} artwork={artwork} />
          ))}
        </div>
      )}
      {artworks.length < MAX_ARTWORKS && (
        <Button data-add="" icon="plus" size="sm" variant="ghost" className="low:hidden" onClick={onAdd}>
          Add another
        </Button>
      )}
    </div>
  );
}

/** Stands for the button in a low window, which has no line for it. */
export function AddIcon({ onAdd }: { onAdd(): void }) {
  const count = useEditorState(({ composition }) => artworksOf(composition).length);
  if (count >= MAX_ARTWORKS) return null;
  return (
    <IconButton
      data-add=""
      icon="plus"
      label="Add another"
      className="hidden! low:inline-flex! lg:group-has-[[data-ways]]/picture:inline-flex!"
      onClick={onAdd}
    />
  );
}

function OtherArtwork({ artwork }: { artwork: ArtworkElement }) {
  const editor = useEditor();
  const picture = useDeferredValue(useEditorState(({ assets }) => assets.artworks.get(artwork.id)));
  const name = toElementName(artwork);
  return (
    <button
      type="button"
      aria-label={`Show ${name}`}
      title={name}
      onClick={() => editor.select(artworkElementId(artwork.id))}
      className="grid size-10 place-items-center overflow-hidden rounded-control border border-line bg-white p-0.5 hover:border-edge focus-visible:outline-2 focus-visible:outline-accent"
    >
      {picture && <img src={thumbnailHref(picture)} alt="" className="max-h-full max-w-full object-contain" />}
    </button>
  );
}

/** Places do not count: a drag changes them with every frame. */
const isSameList = (a: readonly ArtworkElement[], b: readonly ArtworkElement[]) =>
  a.length === b.length &&
  a.every((artwork, i) => artwork.id === b[i]!.id && toElementName(artwork) === toElementName(b[i]!));
