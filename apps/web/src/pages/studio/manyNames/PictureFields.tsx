/** Pictures by row: which artwork takes its picture from which column, and the files that the cells name. */
import { UPLOAD_ACCEPT } from '@markwright/contract/words';
import { Button, HiddenFileInput, Select } from '@markwright/controls';
import { artworkElementId, type Composition, toElementName } from '@markwright/scene';
import type { ColumnsById } from '@markwright/scene/rows';
import { useRef } from 'react';
import { hasTexts, pictureArtworks } from './list.ts';
import { Setting } from './Setting.tsx';
import type { ListPictures } from './usePictures.ts';

interface PictureFieldsProps {
  readonly composition: Composition;
  /** Of the list. */
  readonly columns: readonly string[];
  readonly picks: ColumnsById;
  readonly pictures: ListPictures;
  /** The pictures that no row names. */
  readonly unused: readonly string[];
  onChange(picks: ColumnsById): void;
}

const ON_STAGE = '';

export function PictureFields({ composition, columns, picks, pictures, unused, onChange }: PictureFieldsProps) {
  const artworks = pictureArtworks(composition);
  // The only column is that of the names.
  if (artworks.length === 0 || (columns.length < 2 && hasTexts(composition))) return null;
  const options = [
    { value: ON_STAGE, label: 'As designed' },
    ...columns.map((name) => ({ value: name, label: `Column “${name}”` })),
  ];
  const taker = artworks.find(({ id }) => artworkElementId(id) in picks);
  return (
    <>
      {artworks.map((artwork) => {
        const id = artworkElementId(artwork.id);
        const label = artworks.length === 1 ? 'Picture' : `Picture of ${toElementName(artwork)}`;
        return (
          <Setting key={id} label={label}>
            <Select
              label={label}
              value={picks[id] ?? ON_STAGE}
              options={options}
              onChange={(column) => {
                const { [id]: _, ...others } = picks;
                onChange(column === ON_STAGE ? others : { ...others, [id]: column });
              }}
              className="w-36"
            />
          </Setting>
        );
      })}
      {taker && <PictureFiles pictures={pictures} unused={unused} artworkId={taker.id} />}
    </>
  );
}

interface PictureFilesProps extends Pick<PictureFieldsProps, 'pictures' | 'unused'> {
  /** The artwork whose settings the pictures are traced with. */
  readonly artworkId: string;
}

function PictureFiles({ pictures, unused, artworkId }: PictureFilesProps) {
  const input = useRef<HTMLInputElement>(null);
  const { progress, isChosen, problems } = pictures;
  return (
    <section aria-label="Pictures of the rows" className="grid gap-2 rounded-control border border-line p-2.5 text-xs">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p role="status" className="min-w-0 flex-1 basis-28 text-graphite">
          {progress
            ? sayProgress(progress)
            : isChosen
              ? sayCount(pictures.pictures.size)
              : 'PNG, JPG, SVG, or a ZIP of them.'}
        </p>
        {progress ? (
          <Button size="sm" onClick={pictures.cancel}>
            Cancel
          </Button>
        ) : (
          <Button size="sm" icon="upload" onClick={() => input.current?.click()}>
            {isChosen ? 'Choose others' : 'Choose the pictures'}
          </Button>
        )}
        <HiddenFileInput
          ref={input}
          label="Pictures of the rows"
          accept={`${UPLOAD_ACCEPT},.zip,application/zip`}
          multiple
          onChoose={(files) => void pictures.choose(files, artworkId)}
        />
      </div>
      {progress && (
        <progress
          aria-label="Pictures that are traced"
          value={progress.done}
          max={Math.max(1, progress.total)}
          className="block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
        />
      )}
      {!progress && unused.length > 0 && <p className="text-graphite">In no row: {sayNames(unused)}.</p>}
      {!progress && problems.length > 0 && (
        <ul aria-label="Files that gave no picture" className="grid gap-1 text-danger">
          {problems.slice(0, MOST_NAMED).map((problem) => (
            <li key={problem} className="break-words">
              {problem}
            </li>
          ))}
          {problems.length > MOST_NAMED && <li>And {problems.length - MOST_NAMED} more.</li>}
        </ul>
      )}
    </section>
  );
}

/** So many files are named. */
const MOST_NAMED = 5;

const sayProgress = ({ done, total }: NonNullable<ListPictures['progress']>): string =>
  total === 0 ? 'Opening the files…' : `${done} of ${total} ${total === 1 ? 'picture' : 'pictures'} traced`;

const sayCount = (count: number): string => (count === 1 ? '1 picture.' : `${count} pictures.`);

function sayNames(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
