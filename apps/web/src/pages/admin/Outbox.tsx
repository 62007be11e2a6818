/** The outbox: every mail, newest first, with its state and its text. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { Mail, SiteInfo } from '@markwright/contract/schemas';
import { Button, Icon, SearchInput } from '@markwright/controls';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Ago } from '../../ui/Ago.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Listing, usePages } from '../../ui/PagedList.tsx';
import { TabLoading } from '../../ui/pageStates.tsx';
import { adminApi } from './adminApi.ts';
import { MailDetails } from './MailDetails.tsx';
import { MAILS, MailState } from './mails.tsx';

export function Outbox() {
  const site = useQuery<SiteInfo>({ queryKey: [siteCalls.site.info.path] });
  const query = usePages(MAILS, (query, signal) => adminApi.mails({ query }, { signal }));
  const [address, setAddress] = useState('');
  const [openId, setOpenId] = useState<string>();
  const mails = query.data?.pages.flatMap((page) => page.mails) ?? [];
  const addressPart = address.trim().toLowerCase();
  const matches = mails.filter(({ to }) => to.toLowerCase().includes(addressPart));
  // The note about the mail server stands above everything else, and would push it down.
  if (site.isPending) return <TabLoading />;

  return (
    <>
      {site.data?.mail === 'outbox' && (
        <p className="mb-4 flex gap-2.5 rounded-control border border-edge border-dashed px-3 py-2.5">
          <Icon name="warning" className="mt-px size-[18px] shrink-0 text-accent" />
          <span>
            No mail server is set up: mails are kept here and not sent.{' '}
            <span className="text-graphite">
              Set <code className="font-mono text-sm">SMTP_URL</code> to send them.
            </span>
          </span>
        </p>
      )}
      <div className="grid gap-6 lg:grid-cols-[minmax(320px,400px)_minmax(0,1fr)] lg:items-start">
        <section aria-label="Mails" className={`min-w-0 ${openId ? 'max-lg:hidden' : ''}`}>
          <div className="flex gap-2">
            <SearchInput
              label="Find by address"
              value={address}
              size="large"
              onChange={setAddress}
              autoComplete="off"
              spellCheck={false}
              className="min-w-0 flex-1"
            />
            <Button
              size="lg"
              icon="refresh"
              isBusy={query.isFetching && !query.isFetchingNextPage && !query.isPending}
              onClick={() => void query.refetch()}
            >
              Refresh
            </Button>
          </div>

          <div className="mt-3">
            <Listing
              query={query}
              failure="The mails could not be read."
              empty={
                mails.length === 0 ? (
                  <EmptyState title="No mail yet">
                    Confirmations, password resets, receipts and news of orders: every mail that this site writes comes
                    here.
                  </EmptyState>
                ) : (
                  `No mail to “${address.trim()}” among these.`
                )
              }
              count={matches.length}
              total={mails.length}
              noun={['mail', 'mails']}
            >
              <ul>
                {matches.map((mail) => (
                  <li key={mail.id} className="border-line not-first:border-t">
                    <Line mail={mail} isOpen={mail.id === openId} onOpen={() => setOpenId(mail.id)} />
                  </li>
                ))}
              </ul>
            </Listing>
          </div>
        </section>

        {openId ? (
          <MailDetails key={openId} id={openId} onClose={() => setOpenId(undefined)} />
        ) : (
          <div className="grid min-h-[420px] place-items-center rounded-card border border-line border-dashed p-8 text-center text-graphite max-lg:hidden">
            Choose a mail to read it.
          </div>
        )}
      </div>
    </>
  );
}

function Line({ mail, isOpen, onOpen }: { mail: Mail; isOpen: boolean; onOpen(): void }) {
  return (
    <button
      type="button"
      aria-current={isOpen || undefined}
      onClick={onOpen}
      className="grid w-full grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 px-4 py-3 text-left hover:bg-ink/4 focus-visible:-outline-offset-2 aria-[current]:bg-accent-soft"
    >
      <span className="truncate font-medium" title={mail.to}>
        {mail.to}
      </span>
      <MailState state={mail.state} />
      <span className="truncate text-graphite text-sm" title={mail.subject}>
        {mail.subject}
      </span>
      <Ago time={mail.createdAt} className="text-right text-graphite text-sm" />
    </button>
  );
}
