/** The dialog "My designs": every composition of the account, or of this device where nobody is signed in. */
import type { CompositionSummary, Product } from '@markwright/contract/schemas';
import { Button, Icon, IconButton, Spinner } from '@markwright/controls';
import { useStore } from '@markwright/editor';
import { MAX_NAME_LENGTH } from '@markwright/scene';
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { api } from '../../../api.ts';
import { shownProducts } from '../../../products/shown.ts';
import { messageOf } from '../../../request.ts';
import { loadMe, type Session } from '../../../session.tsx';
import { ask } from '../../../studioHost/ask.ts';
import { useIsOnline } from '../../../studioHost/environment.ts';
import { formatAgo, formatTime } from '../../../ui/dates.ts';
import { Modal } from '../../../ui/dialog.tsx';
import { isUnreachable } from '../../../ui/Unreachable.tsx';
import { copyName } from './autosaveMachine.ts';
import type { CompositionSaving } from './compositionSaving.ts';
import { defaultName } from './defaultName.ts';
import {
  type DeviceComposition,
  newCompositionId,
  readDeviceComposition,
  writeDeviceComposition,
} from './deviceComposition.ts';
import {
  listDeviceCompositions,
  MAX_DEVICE_COMPOSITIONS,
  readThumbnail,
  removeDeviceComposition,
  writeThumbnail,
} from './deviceCompositionList.ts';

interface CompositionListProps {
  readonly isOpen: boolean;
  readonly session: Session;
  readonly saved: CompositionSaving;
  onClose(): void;
}

/** A composition as a card shows it, wherever it is stored. */
interface Card {
  readonly key: string;
  readonly savedId: string | undefined;
  readonly deviceId: string | undefined;
  readonly name: string;
  readonly productId: string | null;
  readonly updatedAt: string;
  readonly pictureUrl: string | undefined;
}

const unreachable = 'The server cannot be reached right now.';

/** From this many designs on, a search is quicker than looking. */
const SEARCH_FROM = 12;

export function CompositionList({ isOpen, onClose, ...props }: CompositionListProps) {
  return (
    <Modal isOpen={isOpen} size="page" title="My designs" description={describe(props.session)} onClose={onClose}>
      {isOpen && <List {...props} onClose={onClose} />}
    </Modal>
  );
}

const describe = ({ status }: Session): string =>
  status === 'guest'
    ? `Kept on this device, up to ${MAX_DEVICE_COMPOSITIONS}.`
    : 'Saved automatically while you work, and here on every device you sign in on.';

function List({ session, saved, onClose }: Omit<CompositionListProps, 'isOpen'>) {
  const { autosave, thumbnails } = saved;
  const client = useQueryClient();
  const isOnline = useIsOnline();
  const isAccount = session.status !== 'guest' || isUnreachable(session);
  const [search, setSearch] = useState('');
  const [failure, setFailure] = useState<string>();
  const [busyKey, setBusyKey] = useState<string>();
  const [deleted, setDeleted] = useState<Deleted>();
  /** Which card takes the focus over from one that went. */
  const [focusIndex, setFocusIndex] = useState<number>();
  const [, setTold] = useState(0);
  const redraw = () => setTold((count) => count + 1);
  const list = useRef<HTMLUListElement>(null);
  const newDesign = useRef<HTMLButtonElement>(null);
  const open = useStore(autosave, (state) => state);
  const { data: products } = useQuery(shownProducts(client));
  const owner = session.user?.id ?? null;
  const account = useAccountList(session.user !== undefined && isOnline, search, saved);
  useEffect(() => {
    if (!isAccount) void thumbnails.flush().then(() => setTold((count) => count + 1));
  }, [isAccount, thumbnails]);

  const listed =
    isAccount && isOnline ? withUnsent(account.cards, owner, search) : deviceCards(owner, search, products);
  const cards = listed.filter(({ key }) => key !== deleted?.key);
  useEffect(() => {
    if (focusIndex === undefined) return;
    setFocusIndex(undefined);
    const left = list.current?.querySelectorAll<HTMLElement>('[data-open]') ?? [];
    (left[Math.min(focusIndex, left.length - 1)] ?? newDesign.current)?.focus();
  }, [focusIndex]);
  const isCut = isUnreachable(session);
  const isLoading = isAccount && isOnline && !isCut && (session.status === 'loading' || account.isPending);
  const failed = isCut ? unreachable : account.error && messageOf(account.error, 'The list did not load.');
  const error = isAccount && isOnline && !isLoading ? failed : undefined;
  const retry = () => void (isCut ? loadMe(client) : account.refetch());
  const canChange = !isAccount || isOnline;
  // Once it is there it stays: it must not go while somebody types into it.
  const [hasSearch, setHasSearch] = useState(false);
  if (!hasSearch && (cards.length > SEARCH_FROM || account.hasMore)) setHasSearch(true);

  /** Does something with one card; what goes wrong is said above the list. */
  async function attempt(key: string | undefined, work: () => Promise<void> | void): Promise<void> {
    setFailure(undefined);
    setBusyKey(key);
    try {
      await work();
    } catch (caught) {
      setFailure(caught instanceof Error && caught.message ? caught.message : messageOf(caught));
    } finally {
      setBusyKey(undefined);
    }
  }
  const isCurrent = (card: Card) =>
    card.savedId === undefined ? card.deviceId === open.id : card.savedId === open.savedId;
  const titleOf = ({ name, productId }: Card) => name || defaultName(productId, products);

  const openCard = (card: Card) =>
    attempt(card.key, async () => {
      const { savedId, deviceId } = card;
      if (savedId !== undefined) await autosave.open({ savedId });
      else if (deviceId !== undefined) await autosave.open({ id: deviceId });
      onClose();
    });
  const startNew = () =>
    attempt(undefined, () => {
      autosave.startNew();
      onClose();
    });
  const rename = (card: Card, name: string) =>
    attempt(card.key, async () => {
      if (isCurrent(card)) autosave.rename(name);
      else if (card.savedId !== undefined) {
        await ask(api.compositions.rename({ params: { id: card.savedId }, body: { name } }));
        const here = listDeviceCompositions(owner).find(({ saved }) => saved?.id === card.savedId);
        if (here) writeDeviceComposition({ ...here, name });
      } else {
        const here = readDeviceComposition(card.deviceId ?? '');
        if (here) writeDeviceComposition({ ...here, name });
      }
      if (isCurrent(card)) await autosave.flush();
      await account.refetch();
      redraw();
    });
  const duplicate = (card: Card) =>
    attempt(card.key, async () => {
      if (isCurrent(card)) await autosave.flush();
      if (card.savedId !== undefined) {
        await ask(api.compositions.duplicate({ params: { id: card.savedId }, body: { key: newCompositionId() } }));
        await account.refetch();
      } else copyOnDevice(card, titleOf(card), owner);
      redraw();
    });
  const remove = (card: Card, index: number) =>
    attempt(card.key, async () => {
      const wasCurrent = isCurrent(card);
      if (wasCurrent) await autosave.flush();
      const here = card.deviceId
        ? readDeviceComposition(card.deviceId)
        : listDeviceCompositions(owner).find((work) => work.saved?.id === card.savedId);
      const picture = here && readThumbnail(here.id);
      if (card.savedId !== undefined) await ask(api.compositions.remove({ params: { id: card.savedId } }));
      if (here) removeDeviceComposition(here.id);
      if (wasCurrent) autosave.leaveDeleted();
      setDeleted({ key: card.key, title: titleOf(card), savedId: card.savedId, here, picture, wasCurrent });
      setFocusIndex(index);
      await account.refetch();
      redraw();
    });
  const undo = ({ savedId, here, picture, wasCurrent }: Deleted) =>
    attempt(undefined, async () => {
      if (savedId !== undefined) await ask(api.compositions.restore({ params: { id: savedId } }));
      else if (here) {
        writeDeviceComposition(here);
        if (picture) writeThumbnail(here.id, picture);
      }
      setDeleted(undefined);
      if (wasCurrent && savedId !== undefined) await autosave.open({ savedId });
      else if (wasCurrent && here) await autosave.open({ id: here.id });
      await account.refetch();
      redraw();
    });

  return (
    <div className="mt-4">
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" size="lg" icon="plus" ref={newDesign} onClick={() => void startNew()}>
          New design
        </Button>
        {hasSearch && <Search onSearch={setSearch} />}
      </div>
      {session.status === 'guest' && !isAccount && cards.length > 0 && (
        <p className="mt-3 text-graphite text-sm">
          <Link
            to="/auth"
            search={{ next: '/studio', tab: 'signup' }}
            className="text-accent underline underline-offset-4"
          >
            Create an account
          </Link>{' '}
          to keep them all and have them on every device.
        </p>
      )}
      {!isOnline && (
        <p role="status" className="mt-3 rounded-control border border-line bg-bone px-3 py-2 text-sm">
          You are offline. {isAccount ? 'These are the designs on this device.' : 'Everything here still autosave.'}
        </p>
      )}
      {failure && (
        <p role="alert" className="mt-3 flex gap-2 rounded-control border border-danger px-3 py-2 text-danger text-sm">
          <Icon name="warning" className="size-5 shrink-0" />
          {failure}
        </p>
      )}
      <div role="status">
        {deleted && (
          <p className="mt-3 flex items-center gap-3 rounded-control bg-ink py-1.5 pr-1.5 pl-3 text-bone text-sm">
            <span className="min-w-0 flex-1 truncate">“{deleted.title}” was deleted.</span>
            <button
              type="button"
              onClick={() => void undo(deleted)}
              className="inline-flex h-8 items-center gap-1.5 rounded-control px-3 font-medium hover:bg-bone/15 focus-visible:outline-2 focus-visible:outline-bone"
            >
              <Icon name="undo" className="size-4" />
              Undo
            </button>
          </p>
        )}
      </div>
      {isLoading ? (
        <Skeletons />
      ) : error ? (
        <Failed sentence={error} onRetry={retry} />
      ) : cards.length === 0 ? (
        <Empty search={search} isOffline={isAccount && !isOnline} />
      ) : (
        <ul
          ref={list}
          aria-label="Designs"
          className="mt-5 grid grid-cols-2 gap-3 sm:grid-cols-3 md:grid-cols-4 md:gap-4"
        >
          {cards.map((card, index) => (
            <DesignCard
              key={card.key}
              card={card}
              title={titleOf(card)}
              product={products?.find(({ id, productId }) => card.productId === productId || card.productId === id)}
              isCurrent={isCurrent(card)}
              isBusy={busyKey === card.key}
              canChange={canChange}
              onOpen={() => void openCard(card)}
              onRename={(name) => void rename(card, name)}
              onDuplicate={() => void duplicate(card)}
              onDelete={() => void remove(card, index)}
            />
          ))}
        </ul>
      )}
      {account.hasMore && isOnline && (
        <div className="mt-5 text-center">
          <Button onClick={account.loadMore} isBusy={account.isLoadingMore}>
            Show older designs
          </Button>
        </div>
      )}
    </div>
  );
}

interface Deleted {
  readonly key: string;
  readonly title: string;
  readonly savedId: string | undefined;
  readonly here: DeviceComposition | undefined;
  readonly picture: string | undefined;
  readonly wasCurrent: boolean;
}

/** The account's list from the server, after what waits here was sent to it. */
function useAccountList(isEnabled: boolean, search: string, { autosave, thumbnails }: CompositionSaving) {
  const query = useInfiniteQuery({
    queryKey: ['my designs', search],
    enabled: isEnabled,
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData, // what was there stays until the answer to the next letters is
    initialPageParam: undefined as string | undefined,
    async queryFn({ pageParam, signal }) {
      if (pageParam === undefined && search === '') {
        await autosave.flush();
        await thumbnails.flush();
      }
      return api.compositions.list({ query: { before: pageParam, search: search || undefined } }, { signal });
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  return {
    cards: query.data?.pages.flatMap(({ compositions }) => compositions.map(toCard)) ?? [],
    isPending: query.isPending,
    error: query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    refetch: async () => {
      if (isEnabled) await query.refetch();
    },
  };
}

const toCard = ({ id, name, productId, updatedAt, pictureUrl }: CompositionSummary): Card => ({
  key: id,
  savedId: id,
  deviceId: undefined,
  name,
  productId,
  updatedAt,
  pictureUrl: pictureUrl ?? undefined,
});

const toDeviceCard = ({ id, name, composition, updatedAt, saved }: DeviceComposition): Card => ({
  key: id,
  savedId: saved?.id,
  deviceId: id,
  name,
  productId: composition.productId ?? null,
  updatedAt,
  pictureUrl: readThumbnail(id),
});

function deviceCards(owner: number | null, search: string, products: readonly Product[] | undefined): Card[] {
  const wanted = search.trim().toLowerCase();
  return listDeviceCompositions(owner)
    .map(toDeviceCard)
    .filter(({ name, productId }) => (name || defaultName(productId, products)).toLowerCase().includes(wanted));
}

/** With those the server does not have yet on top. */
function withUnsent(cards: readonly Card[], owner: number | null, search: string): readonly Card[] {
  if (owner === null || search !== '') return cards;
  const unsent = listDeviceCompositions(owner).filter(({ saved }) => saved === null);
  return [...unsent.map(toDeviceCard), ...cards];
}

function copyOnDevice(card: Card, title: string, owner: number | null): void {
  const original = readDeviceComposition(card.deviceId ?? '');
  if (!original) throw new Error('This design is not on this device any more.');
  if (owner === null && listDeviceCompositions(null).length >= MAX_DEVICE_COMPOSITIONS) {
    throw new Error(
      `This device keeps ${MAX_DEVICE_COMPOSITIONS} designs. Delete one, or create an account to keep them all.`,
    );
  }
  const id = newCompositionId();
  const updatedAt = new Date().toISOString();
  const isKept = writeDeviceComposition({
    ...original,
    id,
    name: copyName(title),
    updatedAt,
    saved: null,
    isUnsaved: true,
    pending: [],
  });
  if (!isKept) throw new Error('This browser stores no more. Delete a design first.');
  const picture = readThumbnail(original.id);
  if (picture) writeThumbnail(id, picture);
}

interface DesignCardProps {
  readonly card: Card;
  readonly title: string;
  readonly product: Product | undefined;
  readonly isCurrent: boolean;
  readonly isBusy: boolean;
  readonly canChange: boolean;
  onOpen(): void;
  onRename(name: string): void;
  onDuplicate(): void;
  onDelete(): void;
}

function DesignCard({ card, title, product, isCurrent, isBusy, canChange, ...on }: DesignCardProps) {
  const [isRenaming, setIsRenaming] = useState(false);
  const item = useRef<HTMLLIElement>(null);
  const picture = card.pictureUrl ?? product?.mockupImageUrl;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!canChange || isRenaming || !(event.target instanceof HTMLElement) || !event.target.matches('[data-open]'))
      return;
    if (event.key === 'F2') setIsRenaming(true);
    else if (event.key === 'Delete') on.onDelete();
    else return;
    event.preventDefault();
  };
  const endRename = (name: string | undefined) => {
    setIsRenaming(false);
    if (name !== undefined && name !== card.name) on.onRename(name);
    requestAnimationFrame(() => item.current?.querySelector<HTMLElement>('[data-open]')?.focus());
  };
  return (
    <li
      ref={item}
      onKeyDown={onKeyDown}
      className={`group relative flex min-w-0 flex-col rounded-card border bg-paper ${isCurrent ? 'border-accent' : 'border-line hover:border-edge'}`}
    >
      <button
        type="button"
        data-open=""
        onClick={on.onOpen}
        aria-label={isCurrent ? `${title}, open now` : `Open ${title}`}
        className="relative grid aspect-4/3 place-items-center overflow-hidden rounded-t-card bg-bone p-3 focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent"
      >
        {picture ? (
          <img src={picture} alt="" className="absolute inset-3 size-[calc(100%-24px)] object-contain" loading="lazy" />
        ) : (
          <Icon name="text" className="size-8 text-edge" />
        )}
        {isBusy && (
          <span className="absolute inset-0 grid place-items-center bg-paper/70">
            <Spinner className="size-6" />
          </span>
        )}
        {isCurrent && (
          <span className="absolute top-2 left-2 rounded-control bg-accent px-1.5 py-0.5 font-medium text-on-accent text-xs">
            Open now
          </span>
        )}
      </button>
      <div className="min-w-0 px-3 pt-2.5">
        {isRenaming ? (
          <NameField name={card.name} placeholder={title} onEnd={endRename} />
        ) : (
          <p className="truncate font-medium text-sm" title={title}>
            {title}
          </p>
        )}
        <p className="mt-0.5 truncate text-graphite text-xs">
          <time dateTime={card.updatedAt} title={formatTime(card.updatedAt)}>
            {formatAgo(card.updatedAt, new Date())}
          </time>
          {product && card.name && <> · {product.name.split(',')[0]}</>}
        </p>
      </div>
      <div className="mt-auto flex h-10 items-center gap-0.5 px-1.5 pointer-coarse:h-11">
        {canChange && (
          <>
            <IconButton icon="pencil" size="sm" label={`Rename ${title}`} onClick={() => setIsRenaming(true)} />
            <IconButton icon="duplicate" size="sm" label={`Duplicate ${title}`} onClick={on.onDuplicate} />
            <IconButton icon="trash" size="sm" label={`Delete ${title}`} className="ml-auto" onClick={on.onDelete} />
          </>
        )}
      </div>
    </li>
  );
}

function NameField({
  name,
  placeholder,
  onEnd,
}: {
  name: string;
  placeholder: string;
  onEnd(name: string | undefined): void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useEffect(() => input.current?.select(), []);
  const end = (kept: string | undefined) => {
    if (isOver.current) return;
    isOver.current = true;
    onEnd(kept);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') end(event.currentTarget.value.trim());
    if (event.key !== 'Escape') return;
    // The window would close on it too.
    event.preventDefault();
    event.stopPropagation();
    end(undefined);
  };
  return (
    <input
      ref={input}
      aria-label="Name"
      defaultValue={name}
      placeholder={placeholder}
      maxLength={MAX_NAME_LENGTH}
      onKeyDown={onKeyDown}
      onBlur={(event) => end(event.currentTarget.value.trim())}
      className="-mx-1.5 -my-1 h-7 w-[calc(100%+12px)] rounded-control border border-edge bg-paper px-1.5 font-medium text-sm"
    />
  );
}

const SEARCH_PAUSE_MS = 250;

function Search({ onSearch }: { onSearch(text: string): void }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onInput = (event: FormEvent<HTMLInputElement>) => {
    const { value } = event.currentTarget;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onSearch(value.trim()), SEARCH_PAUSE_MS);
  };
  return (
    <label className="flex h-10 min-w-0 flex-1 basis-48 items-center gap-2 rounded-control border border-edge bg-paper px-3 focus-within:outline-2 focus-within:outline-accent">
      <Icon name="search" className="size-4 text-graphite" />
      <input
        type="search"
        aria-label="Search designs"
        placeholder="Name or product"
        maxLength={100}
        onInput={onInput}
        className="min-w-0 flex-1 bg-transparent outline-none"
      />
    </label>
  );
}

function Skeletons() {
  return (
    <div role="status" className="mt-5 grid grid-cols-2 gap-3 sm:grid-cols-3 md:grid-cols-4 md:gap-4">
      <span className="sr-only">Loading your designs</span>
      {[1, 2, 3, 4].map((key) => (
        <span key={key} className="overflow-hidden rounded-card border border-line">
          <span className="block aspect-4/3 animate-pulse bg-ink/6" />
          <span className="m-3 block h-4 w-2/3 animate-pulse rounded-control bg-ink/6" />
          <span className="mx-3 mb-6 block h-3 w-1/3 animate-pulse rounded-control bg-ink/6" />
        </span>
      ))}
    </div>
  );
}

function Failed({ sentence, onRetry }: { sentence: string; onRetry(): void }) {
  return (
    <div
      role="alert"
      className="mt-5 grid justify-items-center rounded-card border border-line border-dashed px-6 py-12 text-center"
    >
      <h3 className="text-lg">The list did not load</h3>
      <p className="mt-1 text-graphite text-sm">{sentence} Your work is safe.</p>
      <Button className="mt-5" icon="refresh" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}

function Empty({ search, isOffline }: { search: string; isOffline: boolean }) {
  const [title, text] =
    search !== ''
      ? [`Nothing is called “${search}”`, 'Names and products are searched.']
      : isOffline
        ? ['No design is on this device', 'The list is back with the connection.']
        : ['Nothing here yet', 'Choose a product and place something on it: it is saved by itself and waits here.'];
  return (
    <div className="crop-marks mt-6 px-6 py-14 text-center">
      <h3 className="text-lg [overflow-wrap:anywhere]">{title}</h3>
      <p className="mx-auto mt-1 max-w-sm text-graphite text-sm">{text}</p>
    </div>
  );
}
