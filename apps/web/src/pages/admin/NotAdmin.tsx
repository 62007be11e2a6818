import { messages } from '@markwright/contract/words';
import { buttonClass } from '@markwright/controls';
import { Link } from '@tanstack/react-router';
import type { Session } from '../../session.tsx';
import { AccessDenied } from '../../ui/AccessDenied.tsx';

const { title, description } = messages.adminAccessDenied;

/** What everybody but the administrator sees of the portal. A login leads back to the page `next`. */
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
