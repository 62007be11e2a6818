/** The bar over every page: the logo, the links to other pages, and the account. */
import { Icon } from '@markwright/controls';
import { type ReactNode, useRef } from 'react';
import { Link, useAddress } from '../navigation.tsx';
import type { Session } from '../session.tsx';
import { AccountMenu, AccountMenuPlace } from './AccountMenu.tsx';
import { barLink } from './barLink.ts';
import { HELP_HASH } from './help.ts';
import { SkipLink } from './SkipLink.tsx';

interface TopBarProps {
  readonly session: Session;
  /** The text of the sign-in link. */
  readonly signIn?: string;
  /** Stands beside the logo. */
  readonly title?: ReactNode;
  /** Stands at the left of the account. */
  readonly children?: ReactNode;
  /** Lower, over a page that is a tool and not a text. */
  readonly isCompact?: boolean;
}

export function TopBar({ session, signIn = 'Sign In', title, children, isCompact = false }: TopBarProps) {
  const path = useAddress().pathname;
  return (
    <header className="sticky top-0 z-30 border-line border-b bg-bone/95 backdrop-blur">
      <SkipLink />
      <div
        className={`flex items-center gap-0.5 px-4 sm:gap-2 ${isCompact ? 'h-12 max-sm:low:h-11 lg:pr-3 lg:pl-4' : 'h-14 lg:px-6'}`}
      >
        <Link
          to="/"
          // Without room for it, the name wraps to a second line, which is clipped.
          className={`flex h-9 min-w-7 flex-wrap content-start gap-x-2 overflow-hidden rounded-control pr-3 *:h-9 ${title ? 'shrink-0' : 'mr-auto'}`}
          aria-label="Markwright, home"
        >
          <span className="flex items-center">
            <Mark />
          </span>
          <span className="flex items-center font-semibold text-lg tracking-tight">Markwright</span>
        </Link>
        {title && (
          <div data-bar-title="" className="mr-auto min-w-0">
            {title}
          </div>
        )}
        {children}
        {session.user && <AccountMenu user={session.user} logout={session.logout} />}
        {session.status === 'loading' && <AccountMenuPlace />}
        {session.status === 'guest' && path !== '/auth' && (
          <Link to="/auth" search={path === '/' ? {} : { next: path }} className={barLink}>
            {signIn}
          </Link>
        )}
        <Menu />
      </div>
    </header>
  );
}

const menu = [
  { to: '/makers', name: 'Find a Maker' },
  { to: '/embed', name: 'Embed Widget' },
  { to: '/plans', name: 'Subscribe' },
  { to: '/feedback', name: 'Send Feedback' },
  // In the studio this starts the tutorial.
  { to: '/studio', hash: HELP_HASH, name: 'Help' },
] as const;

/** The menu of a narrow bar, on the browser's own popover: Escape and a press beside it close it. */
function Menu() {
  const list = useRef<HTMLElement>(null);
  return (
    <>
      <button
        type="button"
        popoverTarget="site-menu"
        aria-label="Menu"
        className="grid size-9 shrink-0 place-items-center rounded-control text-graphite hover:bg-line/60 hover:text-ink"
      >
        <Icon name="menu" />
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: closes after a choice inside, which has its own keys */}
      <nav
        ref={list}
        onClick={() => list.current?.hidePopover()}
        id="site-menu"
        popover="auto"
        aria-label="More pages"
        className="fixed inset-auto top-[60px] right-4 m-0 w-52 rounded-card border border-line bg-paper p-1.5 text-ink shadow-float open:animate-float-in lg:right-6"
      >
        {menu.map(({ name, ...place }) => (
          <Link
            key={name}
            {...place}
            className="flex h-10 items-center rounded-control px-3 hover:bg-bone aria-[current=page]:font-semibold"
          >
            {name}
          </Link>
        ))}
      </nav>
    </>
  );
}

/** The logo: an M between crop marks. */
function Mark() {
  return (
    <svg width="28" height="28" viewBox="0 0 28 28" fill="none" aria-hidden="true" className="shrink-0">
      <path
        d="M1 6.500h4M6.5 1v4M27 6.500h-4M21.5 1v4M1 21.500h4M6.5 27v-4M27 21.500h-4M21.5 27v-4"
        className="stroke-edge"
      />
      <path d="M8.5 19.500v-11l5.5 6.5 5.5-6.500v11" className="stroke-accent" strokeWidth="2.25" />
    </svg>
  );
}
