/** Pagination: long lists, newest first, a page at a time by a cursor. */
import { Button } from '@markwright/controls';
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '../request.ts';
import { Problem } from './Problem.tsx';
import { Skeleton, Unreadable } from './sections.tsx';

type Place = string | number | null;

/**
 * Reads a list page by page. `key` names the list and its filters; the previous list stays in view while the next one
 * loads. `read` puts the cursor into its query. The first page has no cursor.
 */
export function usePages<P extends { readonly next: Place }>(
  key: readonly unknown[],
  read: (cursor: { before?: string }, signal: AbortSignal) => Promise<P>,
) {
  return useInfiniteQuery<P, Error, InfiniteData<P>, readonly unknown[], Place>({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam === null ? {} : { before: String(pageParam) }, signal),
    initialPageParam: null,
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
    placeholderData: (before) => before,
  });
}

interface Props<P> {
  readonly query: UseInfiniteQueryResult<InfiniteData<P>, Error>;
  /** `The feedback could not be read.` */
  readonly failure: string;
  /** Stands in place of an empty list: a sentence, or an `EmptyState`. */
  readonly empty: ReactNode;
  readonly count: number;
  /** The length of the whole list, if the server counts it. By default `count`. */
  readonly total?: number;
  /** `account`, `accounts` */
  readonly noun: readonly [one: string, many: string];
  /** The rows, which are put in a card. */
  readonly children: ReactNode;
}

export function Listing<P>({ query, failure, empty, count, total = count, noun, children }: Props<P>) {
  return (
    <>
      <div className="overflow-clip rounded-card border border-line bg-paper" aria-busy={query.isFetching}>
        {query.isPending ? (
          <Skeleton lines={5} />
        ) : !query.data ? (
          <Unreadable what={failure} error={query.error} onRetry={() => void query.refetch()} />
        ) : count === 0 ? (
          <div className="[overflow-wrap:anywhere]">
            {typeof empty === 'string' ? <p className="px-5 py-14 text-center text-graphite">{empty}</p> : empty}
          </div>
        ) : (
          children
        )}
      </div>
      {query.data && count > 0 && (
        <div className="mt-3 flex min-h-8 flex-wrap items-center justify-between gap-3">
          <p role="status" className="text-graphite text-sm">
            {total > count && `${count} of `}
            {total} {noun[total === 1 ? 0 : 1]}
            {query.hasNextPage && total === count && ' loaded'}
          </p>
          {query.hasNextPage && (
            <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Load more
            </Button>
          )}
        </div>
      )}
      {query.data && query.error && <Problem className="mt-2">{messageOf(query.error)}</Problem>}
    </>
  );
}
