/** The waitlist for the founding offer, newest first. The discount codes are only in the mails. */
import { calls } from '@markwright/contract/paths';
import { formatDay, formatTime } from '../../ui/dates.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Listing, usePages } from '../../ui/PagedList.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { adminApi } from './adminApi.ts';

export function Waitlist() {
  const query = usePages([calls.admin.waitlist.path], (query, signal) => adminApi.waitlist({ query }, { signal }));
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  const total = query.data?.pages[0]?.total ?? 0;
  return (
    <Listing
      query={query}
      failure="The waitlist could not be read."
      empty={
        <EmptyState
          title="Nobody on the waitlist yet"
          action={
            <TextLink to="/" hash="founding-plan">
              See the card
            </TextLink>
          }
        >
          Addresses come from the card “Founding Plan” on the landing page. Each gets a discount code by mail.
        </EmptyState>
      }
      count={entries.length}
      total={total}
      noun={['address', 'addresses']}
    >
      <ul className="divide-y divide-line">
        {entries.map(({ email, createdAt, redeemedAt }) => (
          <li key={email} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 px-5 py-3">
            <span className="font-medium [overflow-wrap:anywhere]">{email}</span>
            <span className="flex items-baseline gap-4 text-graphite text-sm">
              {redeemedAt && (
                <span className="text-success" title={formatTime(redeemedAt)}>
                  Code used
                </span>
              )}
              <time dateTime={createdAt} title={formatTime(createdAt)}>
                {formatDay(createdAt)}
              </time>
            </span>
          </li>
        ))}
      </ul>
    </Listing>
  );
}
