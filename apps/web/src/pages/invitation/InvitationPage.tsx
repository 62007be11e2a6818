/** The page that an invitation mail links to: says what it offers, and accepts it for the person who is signed in. */
import type { AdminRole } from '@markwright/contract/words';
import { ADMIN_ROLES, messages } from '@markwright/contract/words';
import { Button, Icon } from '@markwright/controls';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import { api } from '../../api.ts';
import { hideMailedToken, readMailedToken } from '../../mailedToken.ts';
import { useNavigate } from '../../navigation.tsx';
import { messageOf, statusOf } from '../../request.ts';
import { loadMe, type Session, useSession } from '../../session.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { toast } from '../../ui/notices.ts';
import { usePageHead } from '../../ui/pageHead.ts';
import { PleaseWait, SmallPage } from '../../ui/SmallPage.tsx';
import { takeToken } from './invitationToken.ts';

interface Offer {
  readonly email: string;
  readonly role: AdminRole;
  readonly invitedBy: string;
}

export function InvitationPage() {
  usePageHead({ title: 'Invitation | Markwright' });
  const session = useSession();
  const [token] = useState(() => takeToken(readMailedToken(location)));
  useLayoutEffect(hideMailedToken, []);
  const offer = useQuery<Offer>({
    queryKey: ['invitation', token],
    queryFn: () => api.auth.invitation({ body: { token: token ?? '' } }),
    enabled: token !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (token === undefined || (offer.error && statusOf(offer.error) === 400)) {
    return (
      <SmallPage session={session} title="This invitation is no longer valid" text={messages.outdatedInvitation}>
        <ButtonLink to="/" className="mt-6 w-full">
          Home
        </ButtonLink>
      </SmallPage>
    );
  }
  if (offer.error) {
    return (
      <SmallPage session={session} title="That did not work" text={messageOf(offer.error)}>
        <Button variant="primary" size="lg" className="mt-6 w-full" onClick={() => void offer.refetch()}>
          Try again
        </Button>
      </SmallPage>
    );
  }
  if (!offer.data || session.status === 'loading') {
    return (
      <SmallPage session={session} title="Reading your invitation">
        <PleaseWait />
      </SmallPage>
    );
  }
  return <OfferPage offer={offer.data} token={token} session={session} />;
}

function OfferPage({ offer, token, session }: { offer: Offer; token: string; session: Session }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const { email, role, invitedBy } = offer;
  const { name, text } = ADMIN_ROLES[role];

  async function accept() {
    setBusy(true);
    try {
      await api.auth.acceptInvitation({ body: { token } });
      takeToken(null);
      await loadMe(client);
      toast({ title: 'Welcome to the Admin Portal', description: `Your role: ${name}. ${text}` });
      await navigate({ to: '/admin', replace: true });
    } catch (error) {
      toast({ title: messages.requestFailed, description: messageOf(error), variant: 'destructive' });
      if (statusOf(error) === 401) await loadMe(client);
      setBusy(false);
    }
  }

  return (
    <SmallPage session={session} title="You are invited" text={`${invitedBy} asks you to help run this site.`}>
      <dl className="mt-5 grid gap-3 rounded-control border border-line bg-bone p-3">
        <div>
          <dt className="text-graphite text-sm">Role</dt>
          <dd>
            <span className="font-medium">{name}.</span> {text}
          </dd>
        </div>
        <div>
          <dt className="text-graphite text-sm">For</dt>
          <dd className="[overflow-wrap:anywhere]">{email}</dd>
        </div>
      </dl>
      {!session.user ? (
        <>
          <ButtonLink to="/auth" search={{ next: '/invitation', tab: 'signup' }} className="mt-6 w-full">
            Create an account with this address
          </ButtonLink>
          <ButtonLink to="/auth" search={{ next: '/invitation' }} variant="ghost" className="mt-2 w-full">
            Log in
          </ButtonLink>
        </>
      ) : session.user.email === email ? (
        <Button variant="primary" size="lg" className="mt-6 w-full" isBusy={isBusy} onClick={() => void accept()}>
          Accept <Icon name="arrowRight" />
        </Button>
      ) : (
        <>
          <p className="mt-4 [overflow-wrap:anywhere]">You are signed in as {session.user.email}.</p>
          <Button variant="primary" size="lg" className="mt-4 w-full" onClick={() => void session.logout()}>
            Log out, and go on as {email}
          </Button>
        </>
      )}
    </SmallPage>
  );
}
