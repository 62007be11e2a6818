/** Security events: sign-ins, refusals and changes of accounts, with time, account and network address. */
import { calls } from '@markwright/contract/paths';
import type { SecurityEventEntry } from '@markwright/contract/schemas';
import { SECURITY_EVENT_DAYS, SECURITY_EVENT_KINDS, type SecurityEventKind } from '@markwright/contract/words';
import { Select } from '@markwright/controls';
import { useState } from 'react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Listing, usePages } from '../../ui/PagedList.tsx';
import { useDebounced } from '../../ui/useDebounced.ts';
import { AccountSearch } from './AccountSearch.tsx';
import { adminApi } from './adminApi.ts';
import { EventLine } from './EventLine.tsx';

const ALL = 'all';
const kindNames = Object.keys(SECURITY_EVENT_KINDS) as SecurityEventKind[];

export function SecurityEvents() {
  const [kindFilter, setKindFilter] = useState<string>(ALL);
  const kind = kindNames.find((name) => name === kindFilter);
  const [search, setSearch] = useState('');
  const account = useDebounced(search.trim());
  const query = usePages([calls.admin.securityEvents.path, kindFilter, account], (cursor, signal) =>
    adminApi.securityEvents(
      {
        query: {
          ...cursor,
          ...(kind && { kind }),
          ...(account && { account }),
        },
      },
      { signal },
    ),
  );
  const events = query.data?.pages.flatMap((page) => page.events) ?? [];
  const isFiltered = kind !== undefined || account !== '';
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <AccountSearch
          label="Find events by the beginning of an account’s address"
          value={search}
          onChange={setSearch}
          className="block w-full max-w-[400px]"
        />
        <Select
          label="Kind of event"
          value={kindFilter}
          onChange={setKindFilter}
          options={[
            { value: ALL, label: 'Everything' },
            ...kindNames.map((value) => ({ value, label: SECURITY_EVENT_KINDS[value] })),
          ]}
          className="w-44"
        />
      </div>
      <Listing
        query={query}
        failure="The security events could not be read."
        empty={
          isFiltered ? (
            `Nothing like this in the last ${SECURITY_EVENT_DAYS} days.`
          ) : (
            <EmptyState title="No event yet">
              Sign-ins, refused attempts and changes of accounts come here, and stay for {SECURITY_EVENT_DAYS} days.
            </EmptyState>
          )
        }
        count={events.length}
        noun={['event', 'events']}
      >
        <ol className="divide-y divide-line">
          {events.map((event) => (
            <Line key={event.id} event={event} />
          ))}
        </ol>
      </Listing>
    </>
  );
}

function Line({ event }: { event: SecurityEventEntry }) {
  const { kind, action, email, address, detail, createdAt } = event;
  return (
    <EventLine
      columns="md:grid-cols-[240px_minmax(0,1fr)_auto]"
      what={
        <span className={kind === 'refusal' ? 'text-danger' : 'text-graphite'}>
          {SECURITY_EVENT_KINDS[kind]} <span aria-hidden="true">·</span> {actionNames[action] ?? action}
        </span>
      }
      subject={email}
      from={<span className="[overflow-wrap:anywhere]">{address || 'from the server'}</span>}
      {...{ detail, createdAt }}
    />
  );
}

const actionNames: Readonly<Record<string, string>> = {
  password: 'by password',
  wrongPassword: 'wrong password',
  secondFactor: 'by password and code',
  recoveryCode: 'by password and recovery code',
  wrongCode: 'wrong code',
  portal: 'admin portal',
  invited: 'invited',
  invitationWithdrawn: 'invitation taken back',
  accepted: 'invitation accepted',
  removed: 'removed',
  on: 'turned on',
  off: 'turned off',
  recoveryCodesRenewed: 'new recovery codes',
  removedByOperator: 'turned off by the operator',
  wrongCurrentPassword: 'wrong current password',
  tooManyTries: 'too many tries',
  changed: 'changed',
  reset: 'reset by mail',
  setByOperator: 'set by the operator',
  unlocked: 'unlocked by the operator',
  embedKeyRenewed: 'embed key renewed',
  webhookSecretRenewed: 'webhook secret renewed',
  signUp: 'signed up',
  deleted: 'deleted',
  sessionsEnded: 'signed out by an administrator',
};
