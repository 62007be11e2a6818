/** The dialog “My library”: elements of the account that can be placed in the open design. */

import type { SavedElements } from '@markwright/contract/schemas';
import { LIBRARY_PAGE } from '@markwright/contract/words';
import { Button } from '@markwright/controls';
import { LIBRARY_ICON, useEditor, useEditorState, useSaveToLibrary } from '@markwright/editor';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { api } from '../../../api.ts';
import { Link } from '../../../navigation.tsx';
import { messageOf } from '../../../request.ts';
import type { Session } from '../../../session.tsx';
import { ask } from '../../../studioHost/ask.ts';
import { useIsOnline } from '../../../studioHost/environment.ts';
import { Modal } from '../../../ui/dialog.tsx';
import { DeletedNote, FailureNote, ListFailure, Search, Skeletons } from '../cardList/ListParts.tsx';
import { LibraryCard } from './LibraryCard.tsx';
import { placeEntry } from './placeEntry.ts';
import { LIBRARY } from './saveElements.ts';

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
          : 'Choose one to place it in the middle of this design, as large as it was saved.'
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
  const [search, setSearch] = useState('');
  const isOnline = useIsOnline();
  const list = useEntries(search);
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
    <div className="mt-4">
      <div className="flex flex-wrap items-center gap-2">
        <SaveSelection isOnline={isOnline} />
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
        <Empty search={search} />
      ) : (
        <ul
          ref={cards}
          aria-label="Saved elements"
          className="mt-5 grid grid-cols-2 gap-3 sm:grid-cols-3 md:grid-cols-5 md:gap-4"
        >
          {entries.map((entry, index) => (
            <LibraryCard
              key={entry.id}
              entry={entry}
              isBusy={actions.busyId === entry.id}
              canChange={isOnline}
              onPlace={() => actions.place(entry)}
              onRename={(name) => actions.rename(entry, name)}
              onDelete={() => actions.remove(entry, index)}
            />
          ))}
        </ul>
      )}
      {list.hasMore && isOnline && (
        <div className="mt-5 text-center">
          <Button onClick={list.loadMore} isBusy={list.isLoadingMore}>
            Show {LIBRARY_PAGE} more
          </Button>
        </div>
      )}
    </div>
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

function Empty({ search }: { search: string }) {
  const [title, text] =
    search === ''
      ? [
          'Nothing here yet',
          'Select a logo, a text or several elements on the product and choose “Save to library” in their menu.',
        ]
      : [`Nothing is called “${search}”`, 'The search looks at names.'];
  return (
    <div className="crop-marks mt-6 px-6 py-14 text-center">
      <h3 className="text-lg [overflow-wrap:anywhere]">{title}</h3>
      <p className="mx-auto mt-1 max-w-sm text-graphite text-sm">{text}</p>
    </div>
  );
}

function useEntries(search: string) {
  const query = useInfiniteQuery({
    queryKey: [LIBRARY, search],
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData, // what was there stays until the answer to the next letters is
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      api.library.list({ query: { before: pageParam, search: search || undefined } }, { signal }),
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
  function attempt(id: string, work: () => Promise<void>): void {
    setFailure(undefined);
    setBusyId(id);
    work()
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
    place: ({ id }: SavedElements) =>
      attempt(id, async () => {
        await placeEntry(editor, id);
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
