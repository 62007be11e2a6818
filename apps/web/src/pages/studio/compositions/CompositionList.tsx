/** The dialog "My designs": every composition of the account, or of this device where nobody is signed in. */
import { findById } from '@markwright/contract/words';
import { Button } from '@markwright/controls';
import { useStore } from '@markwright/editor';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link } from '../../../navigation.tsx';
import { finderOf, shownProducts } from '../../../products/shownProducts.ts';
import { messageOf } from '../../../request.ts';
import { loadMe, type Session } from '../../../session.tsx';
import { useIsOnline } from '../../../studioHost/environment.ts';
import { Modal } from '../../../ui/dialog.tsx';
import { isUnreachable } from '../../../ui/Unreachable.tsx';
import { DeletedNote, FailureNote, ListFailure, Search, Skeletons } from '../cardList/ListParts.tsx';
import { CompositionCard } from './CompositionCard.tsx';
import { deviceCards, useAccountList, withUnsent } from './compositionCards.ts';
import type { CompositionSaving } from './compositionSaving.ts';
import { defaultName } from './defaultName.ts';
import { MAX_DEVICE_COMPOSITIONS } from './deviceCompositionList.ts';
import { useCardActions } from './useCardActions.ts';

interface CompositionListProps {
  readonly isOpen: boolean;
  readonly session: Session;
  readonly saving: CompositionSaving;
  onClose(): void;
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

function List({ session, saving, onClose }: Omit<CompositionListProps, 'isOpen'>) {
  const [search, setSearch] = useState('');
  const isOnline = useIsOnline();
  const { isAccount, allCards, account, products, isLoading, error, retry, actions } = useList(
    { session, saving, onClose },
    search,
    isOnline,
  );
  const { failure, busyKey, deletion, focusIndex, forgetFocus, isCurrent, titleOf } = actions;
  const cards = allCards.filter(({ key }) => key !== deletion?.key);
  const canChange = !isAccount || isOnline;
  // Once it is there it stays: it must not go while somebody types into it.
  const [hasSearch, setHasSearch] = useState(false);
  if (!hasSearch && (cards.length > SEARCH_FROM || account.hasMore)) setHasSearch(true);

  const list = useRef<HTMLUListElement>(null);
  const newDesign = useRef<HTMLButtonElement>(null);
  const moveFocus = useEffectEvent((index: number) => {
    forgetFocus();
    const left = list.current?.querySelectorAll<HTMLElement>('[data-open]') ?? [];
    (left[Math.min(index, left.length - 1)] ?? newDesign.current)?.focus();
  });
  useEffect(() => {
    if (focusIndex !== undefined) moveFocus(focusIndex);
  }, [focusIndex]);

  return (
    <div className="mt-4">
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" size="lg" icon="plus" ref={newDesign} onClick={() => void actions.startNew()}>
          New design
        </Button>
        {hasSearch && <Search label="Search designs" placeholder="Name or product" onSearch={setSearch} />}
      </div>
      {session.status === 'guest' && !isAccount && cards.length > 0 && <SignUpAdvice />}
      {!isOnline && <OfflineNote isAccount={isAccount} />}
      {failure && <FailureNote>{failure}</FailureNote>}
      <div role="status">
        {deletion && <DeletedNote title={deletion.title} onUndo={() => void actions.undo(deletion)} />}
      </div>
      {isLoading ? (
        <Skeletons label="Loading your designs" />
      ) : error ? (
        <ListFailure sentence={`${error} Your work is safe.`} onRetry={retry} />
      ) : cards.length === 0 ? (
        <Empty search={search} isOffline={isAccount && !isOnline} />
      ) : (
        <ul
          ref={list}
          aria-label="Designs"
          className="mt-5 grid grid-cols-2 gap-3 sm:grid-cols-3 md:grid-cols-4 md:gap-4"
        >
          {cards.map((card, index) => (
            <CompositionCard
              key={card.key}
              card={card}
              title={titleOf(card)}
              product={products && findById(products, card.productId)}
              isCurrent={isCurrent(card)}
              isBusy={busyKey === card.key}
              canChange={canChange}
              onOpen={() => void actions.openCard(card)}
              onRename={(name) => void actions.rename(card, name)}
              onDuplicate={() => void actions.duplicate(card)}
              onDelete={() => void actions.remove(card, index)}
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

/**
 * Reads the list from where it is: the account's from the server, a visitor's and an unconnected one's from this
 * device.
 */
function useList(
  { session, saving, onClose }: Omit<CompositionListProps, 'isOpen'>,
  search: string,
  isOnline: boolean,
) {
  const { autosave, thumbnails } = saving;
  const client = useQueryClient();
  const isAccount = session.status !== 'guest' || isUnreachable(session);
  const owner = session.user?.id ?? null;
  const open = useStore(autosave, (state) => state);
  const { data: products } = useQuery(shownProducts(client));
  const account = useAccountList(session.user !== undefined && isOnline, search, saving);
  // Their products name them, and may be none of those at hand.
  useEffect(() => {
    const ids = account.cards.flatMap(({ productId }) => productId ?? []);
    if (products)
      finderOf(client)
        ?.find([...new Set(ids)])
        .catch(() => undefined);
  }, [client, products, account.cards]);
  /** The device's copies are read with each drawing. */
  const [, setRedraws] = useState(0);
  useEffect(() => {
    if (!isAccount) void thumbnails.flush().then(() => setRedraws((count) => count + 1));
  }, [isAccount, thumbnails]);

  const actions = useCardActions({
    saving,
    owner,
    isCurrent: (card) => (card.savedId === undefined ? card.deviceId === open.id : card.savedId === open.savedId),
    titleOf: ({ name, productId }) => name || defaultName(productId, products),
    refetch: account.refetch,
    redraw: () => setRedraws((count) => count + 1),
    onClose,
  });
  const isCut = isUnreachable(session);
  const isLoading = isAccount && isOnline && !isCut && (session.status === 'loading' || account.isPending);
  const failure = isCut ? unreachable : account.error && messageOf(account.error, 'The list did not load.');
  return {
    isAccount,
    account,
    products,
    actions,
    isLoading,
    allCards: isAccount && isOnline ? withUnsent(account.cards, owner, search) : deviceCards(owner, search, products),
    error: isAccount && isOnline && !isLoading ? failure : undefined,
    retry: () => void (isCut ? loadMe(client) : account.refetch()),
  };
}

function SignUpAdvice() {
  return (
    <p className="mt-3 text-graphite text-sm">
      <Link to="/auth" search={{ next: '/studio', tab: 'signup' }} className="text-accent underline underline-offset-4">
        Create an account
      </Link>{' '}
      to keep them all and have them on every device.
    </p>
  );
}

function OfflineNote({ isAccount }: { isAccount: boolean }) {
  return (
    <p role="status" className="mt-3 rounded-control border border-line bg-bone px-3 py-2 text-sm">
      You are offline. {isAccount ? 'These are the designs on this device.' : 'Everything here still works.'}
    </p>
  );
}

function Empty({ search, isOffline }: { search: string; isOffline: boolean }) {
  const [title, text] =
    search !== ''
      ? [`Nothing is called “${search}”`, 'The search looks at names and products.']
      : isOffline
        ? ['No designs on this device', 'Your list comes back with the connection.']
        : ['Nothing here yet', 'Choose a product and place something on it: it is saved by itself and waits here.'];
  return (
    <div className="crop-marks mt-6 px-6 py-14 text-center">
      <h3 className="text-lg [overflow-wrap:anywhere]">{title}</h3>
      <p className="mx-auto mt-1 max-w-sm text-graphite text-sm">{text}</p>
    </div>
  );
}
