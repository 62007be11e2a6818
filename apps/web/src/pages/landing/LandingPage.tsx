import { GUEST_MOCKUPS } from '@markwright/contract/words';
import { buttonClass, Icon } from '@markwright/controls';
import { Link } from '../../navigation.tsx';
import { type Session, useSession } from '../../session.tsx';
import { barLink } from '../../ui/barLink.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { usePageHead } from '../../ui/pageHead.ts';
import { TopBar } from '../../ui/TopBar.tsx';
import { Audiences, audiences } from './Audiences.tsx';
import { Demo } from './Demo.tsx';
import { Features } from './Features.tsx';
import { landingHead } from './head.ts';
import { MakerStory } from './MakerStory.tsx';
import { WaitlistCard } from './WaitlistCard.tsx';

export function LandingPage() {
  usePageHead(landingHead);
  const session = useSession();
  return (
    <div className="flex min-h-dvh flex-col" data-machine="laser">
      <TopBar session={session}>
        <Link to="/studio" className={barLink}>
          Launch Studio
        </Link>
      </TopBar>
      <main className="flex-1">
        <Hero session={session} />
        <Features />
        <Audiences />
        <MakerStory />
        <WaitlistCard />
      </main>
      <Footer />
    </div>
  );
}

function Hero({ session }: { session: Session }) {
  return (
    <section className="mx-auto grid max-w-[1360px] items-center gap-x-16 gap-y-12 px-5 pt-10 pb-16 lg:grid-cols-[minmax(0,10fr)_minmax(0,13fr)] lg:px-10 lg:pt-14 lg:pb-20">
      <div>
        <p className="caption text-accent">For laser engravers and UV printers</p>
        <h1 className="mt-4 text-2xl sm:text-4xl">Blurry logo in. Machine&#8209;ready file out.</h1>
        <p className="mt-5 max-w-[50ch] text-graphite text-lg">
          Markwright traces what your customer sends, sets it on the real blank at its real size, and hands your laser
          or printer a file that opens without a single repair.
        </p>
        <div className="mt-8 flex flex-wrap items-center gap-3">
          <ButtonLink to="/studio" className="h-12 px-4 text-lg sm:px-6">
            Launch Studio <Icon name="arrowRight" />
          </ButtonLink>
          {session.status === 'guest' && (
            // Not a route of this app: the server redirects to the page where an account is created.
            <a href="/api/login" className={buttonClass('secondary', 'lg', 'h-12 px-4 text-lg sm:px-6')}>
              Create Account
            </a>
          )}
        </div>
        <p className="mt-4 text-graphite">
          No account needed to design. {GUEST_MOCKUPS} free mockups a month, text always free.
        </p>
        <nav
          aria-label="Who it is for"
          className="mt-8 flex flex-wrap gap-x-4 gap-y-2 border-line border-t pt-5 sm:gap-x-6"
        >
          {audiences.map(({ id, name }) => (
            <a
              key={id}
              href={`#${id}`}
              className="inline-flex min-h-8 items-center gap-1.5 font-medium underline decoration-edge underline-offset-4 hover:decoration-accent pointer-coarse:min-h-11"
            >
              {name} <Icon name="arrowDown" className="size-4 text-graphite max-sm:hidden" />
            </a>
          ))}
        </nav>
      </div>
      <Demo />
    </section>
  );
}

const places = [
  ['/studio', 'Studio'],
  ['/embed', 'Embed Widget'],
  ['/makers', 'Local makers'],
  ['/plans', 'Plans'],
  ['/feedback', 'Send Feedback'],
] as const;

function Footer() {
  return (
    <footer className="border-line border-t px-5 pt-8 pb-10 text-graphite lg:px-10">
      <div className="mx-auto max-w-[1360px]">
        <div className="flex flex-wrap items-baseline justify-between gap-x-10 gap-y-4">
          <p>Markwright, a studio for people who make things.</p>
          <nav aria-label="Pages" className="flex flex-wrap gap-x-6 gap-y-1">
            {places.map(([to, name]) => (
              <Link key={to} to={to} className="inline-flex min-h-8 items-center hover:text-ink hover:underline">
                {name}
              </Link>
            ))}
          </nav>
        </div>
        <div className="mt-6 flex items-end gap-4" aria-hidden="true">
          <span className="ruler h-3 flex-1" />
          <span className="measure">1 unit = 1 mm</span>
        </div>
      </div>
    </footer>
  );
}
