import { messages } from '@markwright/contract/words';
import { buttonClass } from '@markwright/controls';
import { Link } from '@tanstack/react-router';
import type { Session } from '../../session.tsx';
import { AccessDenied } from '../../ui/AccessDenied.tsx';

const { title, description } = messages.adminAccessDenied;

/** Stands in for the portal's pages for everybody else. `next` is where a login leads back to. */
export function NotAdmin({ session, next }: { session: Session; next: string }) {
  return (
    <AccessDenied title={`${title}: ${description}`}>
      {!session.user && (
        <Link to="/auth" search={{ next }} className={buttonClass('primary', 'lg')}>
          Log in
        </Link>
      )}
      <Link to="/" className={buttonClass(session.user ? 'primary' : 'ghost', 'lg')}>
        Home
      </Link>
    </AccessDenied>
  );
}
