/** The account's own fonts: added, renamed and deleted here, and chosen in the studio. */
import type { OwnFont } from '@markwright/contract/schemas';
import { FONT_RIGHT, messages, OWN_FONT_LIMITS } from '@markwright/contract/words';
import { Button, HiddenFileInput, IconButton, TextInput } from '@markwright/controls';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { api } from '../../../api.ts';
import { messageOf } from '../../../request.ts';
import { addOwnFont, OWN_FONTS, refuseFontFile } from '../../../studioHost/ownFonts.ts';
import { formatBytes } from '../../../ui/bytes.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { formatDay } from '../../../ui/dates.ts';
import { Problem } from '../../../ui/Problem.tsx';
import { Unreadable } from '../../../ui/sections.tsx';
import { useAttempt } from '../../../ui/useAttempt.ts';
import { NamedLine } from './NamedLine.tsx';

export const useFonts = () => useQuery<OwnFont[]>({ queryKey: OWN_FONTS, refetchOnMount: 'always' });

export function Fonts({ query }: { query: UseQueryResult<OwnFont[]> }) {
  const attempt = useAttempt();
  const [fontToDelete, setFontToDelete] = useState<OwnFont>();
  const [fontToRename, setFontToRename] = useState<string>();
  if (!query.data) {
    return <Unreadable what="Your fonts could not be read." error={query.error} onRetry={() => void query.refetch()} />;
  }
  return (
    <>
      {query.data.length > 0 && (
        <ul aria-label="Fonts">
          {query.data.map((font) =>
            font.id === fontToRename ? (
              <li key={font.id} className="border-line border-t px-5 py-3 first:border-t-0">
                <RenameForm
                  font={font}
                  onEnd={async (isChanged) => {
                    if (isChanged) await query.refetch();
                    setFontToRename(undefined);
                  }}
                />
              </li>
            ) : (
              <NamedLine
                key={font.id}
                name={font.name}
                text={`${font.letters.toLocaleString('en-US')} letters, ${formatBytes(font.sizeBytes)}, added ${formatDay(font.createdAt)}`}
              >
                <IconButton icon="pencil" label={`Rename ${font.name}`} onClick={() => setFontToRename(font.id)} />
                <IconButton icon="trash" label={`Delete ${font.name}`} onClick={() => setFontToDelete(font)} />
              </NamedLine>
            ),
          )}
        </ul>
      )}
      <AddForm onAdd={() => void query.refetch()} />
      <ConfirmDialog
        isOpen={fontToDelete !== undefined}
        title={`Delete ${fontToDelete?.name ?? ''}?`}
        description="Texts in it need another font before files are made again. Files that were made stay as they are."
        action="Delete it"
        onClose={() => setFontToDelete(undefined)}
        onConfirm={async () => {
          const isDone = await attempt(messages.requestFailed, async () => {
            await api.ownFonts.remove({ params: { id: fontToDelete!.id } });
            return { title: `${fontToDelete!.name} is deleted`, description: 'Files that were made with it stay.' };
          });
          await query.refetch();
          return isDone;
        }}
      />
    </>
  );
}

function RenameForm({ font, onEnd }: { font: OwnFont; onEnd(isChanged: boolean): Promise<void> }) {
  const [name, setName] = useState(font.name);
  const [problem, setProblem] = useState<string>();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await api.ownFonts.rename({ params: { id: font.id }, body: { name } });
      await onEnd(true);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <form onSubmit={(event) => void save(event)} className="flex flex-wrap items-center gap-2">
      <TextInput
        autoFocus
        aria-label={`New name of ${font.name}`}
        value={name}
        maxLength={OWN_FONT_LIMITS.nameLength}
        aria-invalid={problem ? true : undefined}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && void onEnd(false)}
        className="min-w-0 flex-[1_1_200px]"
      />
      <Button type="submit" variant="primary">
        Save
      </Button>
      <Button variant="ghost" onClick={() => void onEnd(false)}>
        Cancel
      </Button>
      <Problem className="w-full">{problem}</Problem>
    </form>
  );
}

function AddForm({ onAdd }: { onAdd(): void }) {
  const input = useRef<HTMLInputElement>(null);
  const [isSending, setSending] = useState(false);
  const [hasRight, setHasRight] = useState(false);
  const [problem, setProblem] = useState<string>();
  async function send(file: File | undefined) {
    if (!file) return;
    const refusal = refuseFontFile(file);
    setProblem(refusal);
    if (refusal !== undefined) return;
    setSending(true);
    try {
      await addOwnFont(file);
      setHasRight(false);
      onAdd();
    } catch (error) {
      setProblem(messageOf(error));
    }
    setSending(false);
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t px-5 py-4 first:border-t-0">
      <HiddenFileInput ref={input} label="Font file" accept=".ttf,.otf,.woff2" onChoose={([file]) => void send(file)} />
      <label className="flex min-h-6 w-full items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={hasRight}
          onChange={(event) => setHasRight(event.target.checked)}
          className="size-4 accent-(--accent)"
        />
        {FONT_RIGHT}
      </label>
      <Button icon="upload" disabled={!hasRight} isBusy={isSending} onClick={() => input.current?.click()}>
        Add a font
      </Button>
      <p
        role={problem ? 'alert' : undefined}
        className={`min-w-0 flex-[1_1_240px] text-sm ${problem ? 'text-danger' : 'text-graphite'}`}
      >
        {problem ?? 'TTF, OTF or WOFF2, up to 5 MB. Only the outlines of its letters are kept.'}
      </p>
    </div>
  );
}
