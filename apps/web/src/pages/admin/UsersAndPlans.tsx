/** Users: numbers by plan, new sign-ups, and the list of accounts with a search by address. */
import { calls } from '@markwright/contract/paths';
import type { Overview, UserEntry } from '@markwright/contract/schemas';
import { messages, PLAN_IDS, plans } from '@markwright/contract/words';
import { Button } from '@markwright/controls';
import { useState } from 'react';
import { useSession } from '../../session.tsx';
import { Ago } from '../../ui/Ago.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { formatCount } from '../../ui/counts.ts';
import { formatDay, formatTime } from '../../ui/dates.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Listing, usePages } from '../../ui/PagedList.tsx';
import { useAttempt } from '../../ui/useAttempt.ts';
import { useDebounced } from '../../ui/useDebounced.ts';
import { AccountSearch } from './AccountSearch.tsx';
import { adminApi } from './adminApi.ts';
import { FiguresAndList } from './FiguresAndList.tsx';
import { SignUps } from './SignUps.tsx';

export const UsersAndPlans = () => (
  <FiguresAndList<Overview>
    path={calls.admin.overview.path}
    failure="The overview could not be read."
    list={<Accounts />}
  >
    {(overview) => <Figures overview={overview} />}
  </FiguresAndList>
);

function Figures({ overview }: { overview: Overview }) {
  const { usersByPlan, activeSubscriptions, signUps, exportsThisMonth } = overview;
  const total = Object.values(usersByPlan).reduce((sum, one) => sum + one, 0);
  return (
    <div className="overflow-clip rounded-card border border-line bg-paper">
      <dl className="-mr-px -mb-px grid grid-cols-2 md:grid-cols-4">
        <Figure name="Accounts, without yours" value={total} />
        <Figure name="Paid plans" value={activeSubscriptions} />
        <Figure name="Vector files this month" value={exportsThisMonth.vectors} />
        <Figure name="Mockups this month" value={exportsThisMonth.mockups} />
      </dl>
      <div className="grid border-line border-t lg:grid-cols-[minmax(0,1fr)_320px]">
        <SignUps days={signUps} />
        <section aria-label="Accounts by plan" className="border-line p-5 max-lg:border-t lg:border-l">
          <h2 className="font-semibold">By plan</h2>
          <dl className="mt-3 grid gap-2.5">
            {PLAN_IDS.map((plan) => (
              <div key={plan} className="grid grid-cols-[64px_minmax(0,1fr)_auto] items-center gap-3">
                <dt className="text-graphite">{plans[plan].name}</dt>
                <dd aria-hidden="true" className="h-1.5 rounded-full bg-line">
                  <div
                    className="h-full rounded-full bg-graphite"
                    style={{ width: `${total > 0 ? (100 * usersByPlan[plan]) / total : 0}%` }}
                  />
                </dd>
                <dd className="measure min-w-12 text-right">{formatCount(usersByPlan[plan])}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </div>
  );
}

function Figure({ name, value }: { name: string; value: number }) {
  return (
    <div className="flex flex-col-reverse justify-end border-line border-r border-b px-5 py-4">
      <dt className="text-graphite text-sm">{name}</dt>
      <dd className="font-semibold text-2xl tabular-nums">{formatCount(value)}</dd>
    </div>
  );
}

function Accounts() {
  const [search, setSearch] = useState('');
  const email = useDebounced(search.trim());
  const query = usePages([calls.admin.users.path, email], ({ before }, signal) =>
    adminApi.users({ query: { ...(email && { email }), ...(before && { before: Number(before) }) } }, { signal }),
  );
  const accounts = query.data?.pages.flatMap((page) => page.users) ?? [];
  const attempt = useAttempt();
  const session = useSession();
  const [accountToSignOut, setAccountToSignOut] = useState<UserEntry>();
  const isOwnAccount = accountToSignOut !== undefined && accountToSignOut.id === session.user?.id;
  const signOut = async ({ id, email }: UserEntry): Promise<boolean> => {
    const isDone = await attempt(messages.requestFailed, async () => {
      const { ended } = await adminApi.endSessions({ params: { id: String(id) } });
      return { title: ended === 1 ? '1 place is signed out' : `${ended} places are signed out`, description: email };
    });
    await query.refetch();
    return isDone;
  };
  return (
    <section aria-label="Accounts" className="min-w-0">
      <AccountSearch
        label="Find an account by the beginning of its address"
        value={search}
        size="large"
        onChange={setSearch}
        className="mb-3 block max-w-[400px]"
      />
      <Listing
        query={query}
        failure="The accounts could not be read."
        empty={
          email ? (
            `No address begins with “${email}”.`
          ) : (
            <EmptyState title="No account yet">
              Everybody who signs up comes here, with the plan and the day of the last visit.
            </EmptyState>
          )
        }
        count={accounts.length}
        noun={['account', 'accounts']}
      >
        <table className="w-full border-collapse text-left">
          <thead className="border-line border-b text-graphite text-sm">
            <tr className="*:px-3 max-md:*:px-2 *:py-2.5 *:font-medium">
              <th scope="col" className="w-16 pl-5! max-md:hidden">
                No.
              </th>
              <th scope="col" className="max-md:pl-5!">
                Address
              </th>
              <th scope="col" className="max-md:hidden">
                Plan
              </th>
              <th scope="col" className="max-md:hidden">
                Joined
              </th>
              <th scope="col" className="whitespace-nowrap pr-5! text-right md:pr-26!">
                Last seen
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {accounts.map((account) => (
              <Account key={account.id} account={account} onSignOut={() => setAccountToSignOut(account)} />
            ))}
          </tbody>
        </table>
      </Listing>
      <ConfirmDialog
        isOpen={accountToSignOut !== undefined}
        title={isOwnAccount ? 'Sign yourself out everywhere else?' : 'Sign this account out everywhere?'}
        description={
          isOwnAccount
            ? 'This place stays signed in.'
            : `${accountToSignOut?.email ?? ''} has to sign in again at each place.`
        }
        action="Sign out"
        cancel="Not now"
        onClose={() => setAccountToSignOut(undefined)}
        onConfirm={async () => accountToSignOut !== undefined && signOut(accountToSignOut)}
      />
    </section>
  );
}

const statusWords: Record<UserEntry['status'], string> = { active: '', past_due: 'past due', inactive: 'ended' };

function Account({ account, onSignOut }: { account: UserEntry; onSignOut(): void }) {
  const { id, email, plan, status, createdAt, lastSeenAt } = account;
  const note = plan === 'free' ? '' : statusWords[status];
  const planWords = (
    <>
      {plans[plan].name}
      {note && (
        <span className={`ml-2 text-sm ${status === 'past_due' ? 'text-danger' : 'text-graphite'}`}>{note}</span>
      )}
    </>
  );
  return (
    <tr className="align-baseline *:px-3 max-md:*:px-2 *:py-2.5">
      <td className="measure pl-5! text-graphite max-md:hidden">{id}</td>
      <td className="w-full max-md:pl-5!">
        <span className="font-medium [overflow-wrap:anywhere]">{email}</span>
        <span className="block text-sm md:hidden">{planWords}</span>
      </td>
      <td className="whitespace-nowrap max-md:hidden">{planWords}</td>
      <td className="whitespace-nowrap text-graphite max-md:hidden">
        <time dateTime={createdAt} title={formatTime(createdAt)}>
          {formatDay(createdAt)}
        </time>
      </td>
      <td className="whitespace-nowrap pr-5! text-right text-graphite">
        <span className="inline-grid items-baseline justify-items-end gap-x-3 gap-y-1 md:grid-cols-[auto_72px]">
          {lastSeenAt ? (
            <>
              <Ago time={lastSeenAt} />
              <Button size="sm" aria-label={`Sign out ${email} everywhere`} onClick={onSignOut}>
                Sign out
              </Button>
            </>
          ) : (
            <span title="Signed in nowhere">–</span>
          )}
        </span>
      </td>
    </tr>
  );
}
