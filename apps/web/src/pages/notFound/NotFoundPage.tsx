import { useSession } from '../../session.tsx';
import { ButtonLink, HomeLink } from '../../ui/links.tsx';
import { Page } from '../../ui/Page.tsx';
import { usePageHead } from '../../ui/pageHead.ts';

export function NotFoundPage() {
  usePageHead({ title: 'Page Not Found | Markwright' });
  const session = useSession();
  return (
    <Page session={session}>
      <main className="grid flex-1 place-items-center p-8">
        <div className="crop-marks w-full max-w-md border border-line border-dashed px-6 py-14 text-center">
          <p className="measure text-graphite" aria-hidden="true">
            0.00 × 0.00 mm
          </p>
          <h1 className="mt-3 text-2xl">404 Page Not Found</h1>
          <p className="mt-2 text-graphite">There is nothing at this address. The link may be old, or mistyped.</p>
          <div className="mt-6 flex justify-center gap-4">
            <ButtonLink to="/studio">Go to the studio</ButtonLink>
            <HomeLink />
          </div>
        </div>
      </main>
    </Page>
  );
}
