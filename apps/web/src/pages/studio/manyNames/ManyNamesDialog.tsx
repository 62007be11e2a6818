/** The dialog of many names: a list goes in, a file for each row comes out. */
import { Button, Field, HiddenFileInput, TextArea } from '@markwright/controls';
import { useEditorState } from '@markwright/editor';
import { placeholders, TableRefused } from '@markwright/scene/rows';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { BatchCard } from '../../../ui/BatchCard.tsx';
import { Modal } from '../../../ui/dialog.tsx';
import { ListView } from './ListView.tsx';
import { hasTexts, type NameList, readList } from './list.ts';
import { useBatches } from './useBatch.ts';
import { usePictures } from './usePictures.ts';

/** A larger file is no list of names. */
const MAX_FILE_BYTES = 16_000_000;

export default function ManyNamesDialog({ onClose }: { onClose(): void }) {
  const composition = useEditorState((state) => state.composition);
  const batches = useBatches();
  const pictures = usePictures(composition.machine);
  const [list, setList] = useState<NameList>();
  const columns = placeholders(composition).flatMap((template) => template.columns);
  return (
    <Modal
      isOpen
      size="table"
      title="Many names"
      description={
        columns.length > 0
          ? `The columns ${columns.map((name) => `{${name}}`).join(', ')} of your texts are filled from a list.`
          : hasTexts(composition)
            ? 'A file for each name of a list, in the place of your text.'
            : 'A file for each picture of a list, in the place of yours.'
      }
      onClose={onClose}
    >
      {batches.active ? (
        <div className="mt-4">
          <BatchCard
            batch={batches.active}
            onRemove={() => void batches.remove(batches.active!.id)}
            onLeave={() => {
              batches.leave();
              setList(undefined);
            }}
          />
        </div>
      ) : list ? (
        <ListView {...{ composition, list, batches, pictures, onClose }} onChange={setList} />
      ) : (
        <Start isOfPictures={!hasTexts(composition)} onList={setList} read={(source) => readList(source, composition)}>
          {batches.batches.length > 0 && (
            <section aria-label="Made before" className="mt-5">
              <h3 className="font-medium text-sm">Made before</h3>
              <ul className="divide-y divide-line">
                {batches.batches.map((batch) => (
                  <li key={batch.id}>
                    <BatchCard batch={batch} onRemove={() => void batches.remove(batch.id)} />
                  </li>
                ))}
              </ul>
            </section>
          )}
        </Start>
      )}
    </Modal>
  );
}

interface StartProps {
  /** True where the list names pictures alone. */
  readonly isOfPictures: boolean;
  readonly children: ReactNode;
  read(source: string | Uint8Array): NameList;
  onList(list: NameList): void;
}

/** Takes the list: words, typed or from a file. */
function Start({ isOfPictures, read, onList, children }: StartProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const file = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  const take = (source: string | Uint8Array) => {
    try {
      onList(read(source));
    } catch (error) {
      if (!(error instanceof TableRefused)) throw error;
      setProblem(error.message);
    }
  };
  const open = async ([first]: File[]) => {
    if (!first) return;
    if (first.size > MAX_FILE_BYTES) setProblem('This file is too large for a list of names.');
    else take(new Uint8Array(await first.arrayBuffer()));
  };
  return (
    <div className="mt-4">
      <Field
        label={`Paste the names${isOfPictures ? ' of the pictures' : ''}, or cells of a spreadsheet`}
        error={problem}
      >
        {(control) => (
          <TextArea
            {...control}
            ref={box}
            rows={8}
            value={text}
            placeholder={isOfPictures ? 'oak.png\nash.png\nelm.png' : 'Ada\nGrace\nKatherine'}
            spellCheck={false}
            onChange={(event) => setText(event.target.value)}
            onPaste={(event) => {
              // Into an empty box it is the list; into another one it is a change of it.
              const words = event.clipboardData.getData('text/plain');
              if (text !== '' || words.trim() === '') return;
              event.preventDefault();
              setText(words);
              take(words);
            }}
            className="resize-y font-mono text-sm!"
          />
        )}
      </Field>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button variant="primary" disabled={text.trim() === ''} onClick={() => take(text)}>
          Use this list
        </Button>
        <Button icon="upload" onClick={() => file.current?.click()}>
          Choose a CSV
        </Button>
        <HiddenFileInput
          ref={file}
          label="List of names"
          accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
          onChoose={(files) => void open(files)}
        />
      </div>
      <p className="mt-3 max-w-prose text-graphite text-xs">
        For several texts or a part of one, write the name of a column in braces into it: Captain {'{last name}'}.
      </p>
      {children}
    </div>
  );
}
