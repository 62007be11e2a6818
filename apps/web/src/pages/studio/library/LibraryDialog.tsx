/** The dialog “My library”: elements of the account to be placed in the open design, and templates to begin with. */
import type { SavedElements } from '@markwright/contract/schemas';
import { LIST_PAGE, type LibraryKind } from '@markwright/contract/words';
import { Button, SegmentedControl, TextInput } from '@markwright/controls';
import { LIBRARY_ICON, useEditor, useEditorState, useSaveToLibrary } from '@markwright/editor';
import { hasContent, MAX_NAME_LENGTH, toElementName, withoutHidden } from '@markwright/scene';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { api } from '../../../api.ts';
import { Link } from '../../../navigation.tsx';
import { messageOf } from '../../../request.ts';
import type { Session } from '../../../session.tsx';
import { ask } from '../../../studioHost/ask.ts';
import { useIsOnline } from '../../../studioHost/environment.ts';
import { Modal } from '../../../ui/dialog.tsx';
import { DeletedNote, FailureNote, ListFailure, Search, Skeletons } from '../cardList/ListParts.tsx';
import { LibraryCard } from './LibraryCard.tsx';
import { applyTemplate, placeEntry } from './placeEntry.ts';
import { LIBRARY, saveTemplate } from './saveElements.ts';

interface LibraryDialogProps {
  readonly isOpen: boolean;
  readonly session: Session;
  onClose(): void;
}

/** From this many entries on, a search is quicker than looking. */
const SEARCH_FROM = 12;

export default function LibraryDialog({ isOpen, session, onClose }: LibraryDialogProps) {
  const isGuest = session.status === 'guest';
  return (
    <Modal
      isOpen={isOpen}
      size={isGuest ? 'question' : 'page'}
      title="My library"
      description={
        isGuest
          ? 'Logos, names and frames that you use again and again: in every design, on every device of your account.'
          : 'Elements are placed in the middle of this design, as large as they were saved. A template takes its place.'
      }
      onClose={onClose}
    >
      {isOpen && (isGuest ? <SignInAdvice /> : <Library onClose={onClose} />)}
    </Modal>
  );
}

function SignInAdvice() {
  const link = 'text-accent underline underline-offset-4';
  const target = { next: '/studio' };
  return (
    <p className="mt-4">
      <Link to="/auth" search={{ ...target, tab: 'signup' }} className={link}>
        Create an account
      </Link>{' '}
      or{' '}
      <Link to="/auth" search={target} className={link}>
        sign in
      </Link>{' '}
      to keep them. Your design stays as it is.
    </p>
  );
}

function Library({ onClose }: { onClose(): void }) {
  const [kind, setKind] = useState<LibraryKind>('elements');
  return (
    <div className="mt-4">
      <SegmentedControl<LibraryKind>
        label="What is kept"
        value={kind}
        options={kinds}
        onChange={setKind}
        className="max-w-72"
      />
      <Entries key={kind} kind={kind} onClose={onClose} />
    </div>
  );
}

function Entries({ kind, onClose }: { kind: LibraryKind; onClose(): void }) {
  const [search, setSearch] = useState('');
  const isOnline = useIsOnline();
  const list = useEntries(kind, search);
  const actions = useEntryActions({ refetch: list.refetch, onClose });
  const entries = list.entries.filter(({ id }) => id !== actions.deletion?.id);
  // Once it is there it stays: it must not go while somebody types into it.
  const [hasSearch, setHasSearch] = useState(false);
  if (!hasSearch && (entries.length > SEARCH_FROM || list.hasMore)) setHasSearch(true);

  const cards = useRef<HTMLUListElement>(null);
  const undo = useRef<HTMLDivElement>(null);
  const moveFocus = useEffectEvent((index: number) => {
    actions.forgetFocus();
    const left = cards.current?.querySelectorAll<HTMLElement>('[data-open]') ?? [];
    (left[Math.min(index, left.length - 1)] ?? undo.current?.querySelector('button'))?.focus();
  });
  useEffect(() => {
    if (actions.focusIndex !== undefined) moveFocus(actions.focusIndex);
  }, [actions.focusIndex]);

  const failure = list.error && messageOf(list.error, 'The list did not load.');
  return (
    <div className="mt-3">
      <div className="flex flex-wrap items-center gap-2">
        {kind === 'elements' ? (
          <SaveSelection isOnline={isOnline} />
        ) : (
          <SaveTemplate isOnline={isOnline} attempt={(work) => actions.attempt('new', work)} />
        )}
        {hasSearch && <Search label="Search my library" placeholder="Name" onSearch={setSearch} />}
      </div>
      {!isOnline && (
        <p role="status" className="mt-3 rounded-control border border-line bg-bone px-3 py-2 text-sm">
          You are offline. The library comes back with the connection.
        </p>
      )}
      {actions.failure && <FailureNote>{actions.failure}</FailureNote>}
      <div role="status" ref={undo}>
        {actions.deletion && <DeletedNote title={actions.deletion.name} onUndo={actions.undo} />}
      </div>
      {list.isLoading && isOnline ? (
        <Skeletons label="Loading your library" />
      ) : failure ? (
        <ListFailure sentence={failure} onRetry={() => void list.refetch()} />
      ) : entries.length === 0 ? (
        <Empty kind={kind} search={search} />
      ) : (
        <ul
          ref={cards}
          aria-label={kind === 'elements' ? 'Saved elements' : 'Templates'}
          className="mt-5 grid grid-cols-2 gap-3 sm:grid-cols-3 md:grid-cols-5 md:gap-4"
        >
          {entries.map((entry, index) => (
            <LibraryCard
              key={entry.id}
              entry={entry}
              isBusy={actions.busyId === entry.id}
              canChange={isOnline}
              onPlace={() => actions.choose(entry)}
              onRename={(name) => actions.rename(entry, name)}
              onDelete={() => actions.remove(entry, index)}
            />
          ))}
        </ul>
      )}
      {list.hasMore && isOnline && (
        <div className="mt-5 text-center">
          <Button onClick={list.loadMore} isBusy={list.isLoadingMore}>
            Show {LIST_PAGE} more
          </Button>
        </div>
      )}
    </div>
  );
}

const kinds = [
  { value: 'elements', label: 'Elements' },
  { value: 'template', label: 'Templates' },
] as const;

/** Saves all that is on the stage behind the dialog. */
function SaveTemplate({ isOnline, attempt }: { isOnline: boolean; attempt(work: () => Promise<void>): Promise<void> }) {
  const editor = useEditor();
  const queryClient = useQueryClient();
  const composition = useEditorState((state) => state.composition);
  const [isSaving, setSaving] = useState(false);
  const names = withoutHidden(composition).elements.map(toElementName);
  const [name, setName] = useState(() => [...new Set(names)].join(', ').slice(0, MAX_NAME_LENGTH));
  if (!hasContent(composition)) {
    return (
      <p className="flex min-h-10 items-center text-graphite text-sm">
        To keep a template, put something on the product first.
      </p>
    );
  }
  const save = (event: FormEvent) => {
    event.preventDefault();
    setSaving(true);
    void attempt(() => saveTemplate(queryClient, editor, name.trim())).finally(() => setSaving(false));
  };
  return (
    <form onSubmit={save} className="flex min-w-0 flex-1 basis-80 flex-wrap items-center gap-2">
      <TextInput
        aria-label="Name of the template"
        required
        maxLength={MAX_NAME_LENGTH}
        value={name}
        onChange={(event) => setName(event.target.value)}
        className="min-w-0 flex-1 basis-40 sm:max-w-80"
      />
      <Button type="submit" variant="primary" size="lg" icon={LIBRARY_ICON} disabled={!isOnline} isBusy={isSaving}>
        Save as template
      </Button>
    </form>
  );
}

/** Saves what is selected behind the dialog. */
function SaveSelection({ isOnline }: { isOnline: boolean }) {
  const save = useSaveToLibrary();
  const count = useEditorState(({ selectedIds }) => selectedIds.length);
  if (!save) return null;
  if (count === 0) {
    return (
      <p className="flex min-h-10 items-center text-graphite text-sm">
        To save something here, select it on the product first.
      </p>
    );
  }
  return (
    <Button variant="primary" size="lg" icon={LIBRARY_ICON} disabled={!isOnline} onClick={save}>
      {count === 1 ? 'Save what is selected' : `Save the ${count} selected elements`}
    </Button>
  );
}

const advice: Readonly<Record<LibraryKind, string>> = {
  elements: 'Select a logo, a text or several elements on the product and choose “Save to library” in their menu.',
  template:
    'A template keeps the whole design with its product. Say in “Customer may change”, beside the list of elements, ' +
    'what is open in it: a product of your shop can start with it.',
};

function Empty({ kind, search }: { kind: LibraryKind; search: string }) {
  const [title, text] =
    search === ''
      ? ['Nothing here yet', advice[kind]]
      : [`Nothing is called “${search}”`, 'The search looks at names.'];
  return (
    <div className="crop-marks mt-6 px-6 py-14 text-center">
      <h3 className="text-lg [overflow-wrap:anywhere]">{title}</h3>
      <p className="mx-auto mt-1 max-w-sm text-graphite text-sm">{text}</p>
    </div>
  );
}

function useEntries(kind: LibraryKind, search: string) {
  const query = useInfiniteQuery({
    queryKey: [LIBRARY, kind, search],
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData, // what was there stays until the answer to the next letters is
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      api.library.list({ query: { kind, before: pageParam, search: search || undefined } }, { signal }),
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  return {
    entries: query.data?.pages.flatMap(({ entries }) => entries) ?? [],
    isLoading: query.isPending,
    error: query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    refetch: async () => void (await query.refetch()),
  };
}

function useEntryActions({ refetch, onClose }: { refetch(): Promise<void>; onClose(): void }) {
  const editor = useEditor();
  const [failure, setFailure] = useState<string>();
  const [busyId, setBusyId] = useState<string>();
  const [deletion, setDeletion] = useState<SavedElements>();
  /** The place of the card that went: the one that takes it gets the focus. */
  const [focusIndex, setFocusIndex] = useState<number>();

  /** Does something with one entry. What goes wrong is shown above the list. */
  function attempt(id: string, work: () => Promise<void>): Promise<void> {
    setFailure(undefined);
    setBusyId(id);
    return work()
      .catch((reason: unknown) => {
        setFailure(reason instanceof Error && reason.message ? reason.message : messageOf(reason));
      })
      .finally(() => setBusyId(undefined));
  }

  return {
    failure,
    busyId,
    deletion,
    focusIndex,
    forgetFocus: () => setFocusIndex(undefined),
    attempt,
    /** Places elements; a template takes the place of the design. */
    choose: ({ id, kind }: SavedElements) =>
      attempt(id, async () => {
        await (kind === 'template' ? applyTemplate : placeEntry)(editor, id);
        onClose();
      }),
    rename: ({ id }: SavedElements, name: string) =>
      attempt(id, async () => {
        await ask(api.library.rename({ params: { id }, body: { name } }));
        await refetch();
      }),
    remove: (entry: SavedElements, index: number) =>
      attempt(entry.id, async () => {
        await ask(api.library.remove({ params: { id: entry.id } }));
        setDeletion(entry);
        setFocusIndex(index);
        await refetch();
      }),
    undo: () =>
      deletion &&
      attempt(deletion.id, async () => {
        await ask(api.library.restore({ params: { id: deletion.id } }));
        setDeletion(undefined);
        await refetch();
      }),
  };
}
