/** The account's part of the top bar: name, own pages, Logout. */
import { orderCount } from '@markwright/contract/paths/orderCount';
import type { User } from '@markwright/contract/schemas';
import { Icon } from '@markwright/controls';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { Link } from '../navigation.tsx';
import { type AccountHint, forgetAccountHint, keepAccountHint, readAccountHint } from './accountHint.ts';
import { barLink } from './barLink.ts';

interface Props {
  readonly user: User;
  logout(): Promise<void>;
}

/** On a wide page everything is in the bar, on a narrow one behind a button. */
export function AccountMenu({ user, logout }: Props) {
  const orders = useQuery<{ hasOrders: boolean; waiting: number }>({ queryKey: [orderCount.path] });
  const [lastHint] = useState(readAccountHint);
  const { username } = user;
  const isAdmin = user.isAdmin === true;
  // Until the orders have been counted, the count of the last visit keeps their place.
  const count = orders.data ?? (lastHint?.username === username ? lastHint : { hasOrders: false, waiting: 0 });
  const { hasOrders, waiting } = count;
  const isCounted = orders.data !== undefined;
  useEffect(() => {
    if (isCounted) keepAccountHint({ username, isAdmin, hasOrders, waiting });
  }, [isCounted, username, isAdmin, hasOrders, waiting]);
  const leave = () => {
    forgetAccountHint();
    void logout();
  };

  const pages = pagesOf({ isAdmin, hasOrders, waiting });
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  return (
    <>
      <Wide username={username} title={user.email}>
        {pages.map(({ to, name }) => (
          <Link key={to} to={to} className={barLink}>
            {name}
          </Link>
        ))}
        <button type="button" className={barLink} onClick={leave}>
          Logout
        </button>
      </Wide>

      <button type="button" popoverTarget={id} aria-label="Account" className={narrowButton}>
        <Initial username={username} />
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: closes after a choice inside, which has its own keys */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <div
        ref={list}
        id={id}
        popover="auto"
        onClick={() => list.current?.hidePopover()}
        className="fixed inset-auto top-[60px] right-2 m-0 w-[min(288px,calc(100vw-16px))] rounded-card border border-line bg-paper p-1.5 text-ink shadow-float open:animate-float-in"
      >
        <p className="border-line border-b px-3 pt-2 pb-3 text-graphite text-sm">
          Signed in as <span className="block text-ink [overflow-wrap:anywhere]">{user.email}</span>
        </p>
        <div className="grid pt-1.5">
          {pages.map(({ to, name }) => (
            <Link key={to} to={to} className={menuItem}>
              {name}
            </Link>
          ))}
          <button type="button" className={menuItem} onClick={leave}>
            Logout
          </button>
        </div>
      </div>
    </>
  );
}

/**
 * Keeps the place of the menu while the account is being read, with what it said at the last visit. It looks like the
 * menu and does nothing yet. Without a last visit, it is as wide as the menu of an account without orders.
 */
export function AccountMenuPlace() {
  const [hint] = useState(readAccountHint);
  const { username, ...rest } = hint ?? { username: 'markwright', isAdmin: false, hasOrders: false, waiting: 0 };
  return (
    <div inert aria-hidden="true" data-account-place="" className={`flex items-center ${hint ? '' : 'invisible'}`}>
      <Wide username={username}>
        {pagesOf(rest).map(({ to, name }) => (
          <span key={to} className={barLink}>
            {name}
          </span>
        ))}
        <span className={barLink}>Logout</span>
      </Wide>
      <span className={narrowButton}>
        <Initial username={username} />
      </span>
    </div>
  );
}

const pagesOf = ({ isAdmin, hasOrders, waiting }: Omit<AccountHint, 'username'>) => [
  ...(hasOrders ? [{ to: '/orders', name: waiting > 0 ? `Orders (${waiting})` : 'Orders' }] : []),
  { to: '/profile', name: 'Profile' },
  ...(isAdmin ? [{ to: '/admin', name: 'Admin Portal' }] : []),
];

function Wide({ username, title, children }: { username: string; title?: string; children: React.ReactNode }) {
  return (
    <div className="hidden items-center gap-2 md:flex">
      <span className="max-w-[18ch] truncate px-2 text-graphite text-sm" title={title}>
        {username}
      </span>
      {children}
    </div>
  );
}

function Initial({ username }: { username: string }) {
  return (
    <>
      <span
        aria-hidden="true"
        className="grid size-7 place-items-center rounded-full border border-edge font-medium text-ink text-xs uppercase"
      >
        {[...username][0]}
      </span>
      <Icon name="chevronDown" className="size-4" />
    </>
  );
}

const narrowButton =
  'inline-flex h-11 items-center gap-1 rounded-control px-1.5 text-graphite hover:bg-line/60 hover:text-ink md:hidden';

const menuItem =
  'flex min-h-11 items-center rounded-control px-3 text-left text-base hover:bg-ink/6 aria-[current=page]:font-medium';
