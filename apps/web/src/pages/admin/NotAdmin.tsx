import { messages } from '@markwright/contract/words';
import type { Session } from '../../session.tsx';
import { AccessDenied } from '../../ui/AccessDenied.tsx';
import { ButtonLink } from '../../ui/links.tsx';

const { title, description } = messages.adminAccessDenied;

/** Replaces the portal for everybody but administrators. A login leads back to the page `next`. */
export function NotAdmin({ session, next }: { session: Session; next: string }) {
  return (
    <AccessDenied title={`${title}: ${description}`}>
      {!session.user && (
        <ButtonLink to="/auth" search={{ next }}>
          Log in
        </ButtonLink>
      )}
      <ButtonLink to="/" variant={session.user ? 'primary' : 'ghost'}>
        Home
      </ButtonLink>
    </AccessDenied>
  );
}
