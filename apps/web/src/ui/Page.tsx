import type { ReactNode } from 'react';
import { Link } from '../navigation.tsx';
import type { Session } from '../session.tsx';
import { barLink } from './barLink.ts';
import { TopBar } from './TopBar.tsx';

interface PageProps {
  readonly session: Session;
  /** The links left of the account in the bar. By default the link to the studio. */
  readonly links?: ReactNode;
  readonly children: ReactNode;
}

const studio = (
  <Link to="/studio" className={barLink}>
    Studio
  </Link>
);

/** The frame of a page: the top bar, and content that fills the window below it. The content brings its own `main`. */
export function Page({ session, links = studio, children }: PageProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <TopBar session={session}>{links}</TopBar>
      {children}
    </div>
  );
}
