/** The cards of the list "My designs": from the account on the server, and from this device. */
import type { CompositionSummary, Product } from '@markwright/contract/schemas';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../../../api.ts';
import type { DeviceComposition } from './blankCopy.ts';
import type { CompositionSaving } from './compositionSaving.ts';
import { defaultName } from './defaultName.ts';
import { listDeviceCompositions, readThumbnail } from './deviceCompositionList.ts';

/** A composition as a card shows it, wherever it is stored. */
export interface Card {
  readonly key: string;
  readonly savedId: string | undefined;
  readonly deviceId: string | undefined;
  readonly name: string;
  readonly productId: string | null;
  readonly updatedAt: string;
  readonly pictureUrl: string | undefined;
}

/** Reads the account's list from the server, page by page, after what waits here was sent to it. */
export function useAccountList(isEnabled: boolean, search: string, { autosave, thumbnails }: CompositionSaving) {
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

/** Returns the cards of the owner's copies on this device whose name contains the search. */
export function deviceCards(owner: number | null, search: string, products: readonly Product[] | undefined): Card[] {
  const query = search.trim().toLowerCase();
  return listDeviceCompositions(owner)
    .map(toDeviceCard)
    .filter(({ name, productId }) => (name || defaultName(productId, products)).toLowerCase().includes(query));
}

/** Returns the cards with those the server does not have yet on top. */
export function withUnsent(cards: readonly Card[], owner: number | null, search: string): readonly Card[] {
  if (owner === null || search !== '') return cards;
  const unsent = listDeviceCompositions(owner).filter(({ saved }) => saved === null);
  return [...unsent.map(toDeviceCard), ...cards];
}
