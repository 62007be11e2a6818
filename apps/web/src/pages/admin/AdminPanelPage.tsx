import { Link } from '../../navigation.tsx';
import { statusOf } from '../../request.ts';
import { useSession } from '../../session.tsx';
import { barLink } from '../../ui/barLink.ts';
import { Page } from '../../ui/Page.tsx';
import { usePageHead } from '../../ui/pageHead.ts';
import { NotAdmin } from './NotAdmin.tsx';
import { useVectorizerStatus, VectorizerCard } from './Vectorizer.tsx';

/** The vectorizer's settings on a page of their own. Shows nothing before the server has let this person in. */
export function AdminPanelPage() {
  usePageHead({ title: 'Vectorizer | Markwright' });
  const session = useSession();
  const query = useVectorizerStatus();
  const status = statusOf(query.error);
  return (
    <Page
      session={session}
      links={
        <Link to="/studio" className={barLink}>
          Studio
        </Link>
      }
    >
      {status === 401 || status === 403 ? (
        <NotAdmin session={session} next="/admin-panel" />
      ) : (
        <main className="mx-auto w-full max-w-[1280px] flex-1 px-5 py-8 lg:px-10">
          <h1 className="text-2xl">Vectorizer</h1>
          <div className="mt-6">
            <VectorizerCard />
          </div>
        </main>
      )}
    </Page>
  );
}
