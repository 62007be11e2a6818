/** The account's part of the top bar: name, own pages, Logout. Its code is loaded once somebody is signed in. */
import { calls } from '@markwright/contract/paths';
import type { User } from '@markwright/contract/schemas';
import { Icon } from '@markwright/controls';
import { useQuery } from '@tanstack/react-query';
import { useId, useRef } from 'react';
import { Link } from '../navigation.tsx';
import { barLink } from './barLink.ts';

interface Props {
  readonly user: User;
  logout(): Promise<void>;
}

/** On a wide page everything is in the bar, on a narrow one behind a button. */
export function AccountMenu({ user, logout }: Props) {
  const orders = useQuery<{ hasOrders: boolean; waiting: number }>({ queryKey: [calls.orders.count.path] });
  const waiting = orders.data?.waiting ?? 0;
  const pages = [
    ...(orders.data?.hasOrders ? [{ to: '/orders', name: waiting > 0 ? `Orders (${waiting})` : 'Orders' }] : []),
    { to: '/profile', name: 'Profile' },
    ...(user.isAdmin ? [{ to: '/admin', name: 'Admin Portal' }] : []),
  ];
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  return (
    <>
      <div className="hidden items-center gap-2 md:flex">
        <span className="max-w-[18ch] truncate px-2 text-graphite text-sm" title={user.email}>
          {user.username}
        </span>
        {pages.map(({ to, name }) => (
          <Link key={to} to={to} className={barLink}>
            {name}
          </Link>
        ))}
        <button type="button" className={barLink} onClick={() => void logout()}>
          Logout
        </button>
      </div>

      <button
        type="button"
        popoverTarget={id}
        aria-label="Account"
        className="inline-flex h-11 items-center gap-1 rounded-control px-1.5 text-graphite hover:bg-line/60 hover:text-ink md:hidden"
      >
        <span
          aria-hidden="true"
          className="grid size-7 place-items-center rounded-full border border-edge font-medium text-ink text-xs uppercase"
        >
          {[...user.username][0]}
        </span>
        <Icon name="chevronDown" className="size-4" />
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
          <button type="button" className={menuItem} onClick={() => void logout()}>
            Logout
          </button>
        </div>
      </div>
    </>
  );
}

const menuItem =
  'flex min-h-11 items-center rounded-control px-3 text-left text-base hover:bg-ink/6 aria-[current=page]:font-medium';
