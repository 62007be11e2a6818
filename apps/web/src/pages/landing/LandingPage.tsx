import { GUEST_MOCKUPS, type Product } from '@markwright/contract';
import { buttonClass, Icon } from '@markwright/editor';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../session.tsx';
import { barLink } from '../../ui/barLink.ts';
import { usePageHead } from '../../ui/page.ts';
import { TopBar } from '../../ui/TopBar.tsx';
import { MeasuredBlank } from './MeasuredBlank.tsx';
import { WaitlistCard } from './WaitlistCard.tsx';

export function LandingPage() {
  usePageHead({
    title: 'Markwright: from a blurry picture to a machine-ready file',
    description:
      'A design studio for laser engravers and UV printers. Trace a customer’s picture, place it with text on the real blank at its real size, and export a file your machine opens without repairs.',
    keywords:
      'laser engraving software, UV printing, vectorize logo, SVG for LightBurn, tumbler engraving mockup, production SVG, engraving text',
    isShared: true,
  });
  const session = useSession();
  return (
    <div className="flex min-h-dvh flex-col" data-machine="laser">
      <TopBar session={session}>
        <Link to="/studio" className={barLink}>
          Launch Studio
        </Link>
      </TopBar>
      <main className="flex-1">
        <Hero />
        <Steps />
        <Audiences />
        <WaitlistCard />
      </main>
      <footer className="border-line border-t px-5 py-6 text-graphite text-sm lg:px-10">
        <div className="mx-auto flex max-w-[1200px] flex-wrap justify-between gap-x-8 gap-y-1">
          <span>Markwright, a studio for people who make things.</span>
          <span className="measure self-center">1 unit = 1 mm</span>
        </div>
      </footer>
    </div>
  );
}

function Hero() {
  return (
    <section className="mx-auto grid max-w-[1280px] items-center gap-x-12 gap-y-14 px-5 pt-12 pb-16 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] lg:px-10 lg:pt-16 lg:pb-24">
      <div>
        <p className="caption text-accent">For laser engravers and UV printers</p>
        <h1 className="mt-4 text-2xl sm:text-4xl">Blurry logo in. Machine&#8209;ready file out.</h1>
        <p className="mt-5 max-w-[52ch] text-graphite text-lg">
          Markwright traces the picture into clean, closed paths, places it with your text on the real blank at its real
          size, and hands you a file in millimeters that your machine’s software opens without a single repair.
        </p>
        <div className="mt-8 flex flex-wrap items-center gap-x-6 gap-y-3">
          <Link to="/studio" className={buttonClass('primary', 'lg', 'h-12 px-6 text-lg')}>
            Launch Studio <Icon name="arrowRight" />
          </Link>
          <span className="text-graphite">
            No account needed to design. {GUEST_MOCKUPS} free mockups a month, text always free.
          </span>
        </div>
        <nav aria-label="Who it is for" className="mt-10 flex flex-wrap gap-2">
          {audiences.map(({ id, name }) => (
            <button
              key={id}
              type="button"
              onClick={() => document.getElementById(id)?.scrollIntoView({ behavior: 'smooth' })}
              className={buttonClass('secondary', 'lg')}
            >
              {name}
            </button>
          ))}
        </nav>
      </div>
      <MeasuredBlank prefers={prefersTumbler} />
    </section>
  );
}

const prefersTumbler = (product: Product) => product.productId === 'tumbler-20oz-black';

const steps = [
  ['Choose your machine', 'Laser or UV. The trace, the colors and the layers follow it.'],
  ['Pick the blank', 'Each has its print area in inches and millimeters, so sizes on screen are sizes on the bed.'],
  ['Add a picture and text', 'JPG, PNG or SVG. Every letter leaves as an outline; no font to install.'],
  [
    'Place it and export',
    'Production SVG at true size: closed paths, no clips, no hidden shapes, layers by operation.',
  ],
] as const;

function Steps() {
  return (
    <section aria-label="How it works" className="border-line border-y bg-paper">
      <ol className="mx-auto grid max-w-[1280px] gap-px bg-line sm:grid-cols-2 lg:grid-cols-4">
        {steps.map(([title, text], index) => (
          <li key={title} className="bg-paper px-5 py-8 lg:px-8 lg:first:pl-10 lg:last:pr-10">
            <div className="flex items-end gap-3">
              <span className="font-mono text-2xl text-accent">{index + 1}</span>
              <span className="ruler mb-1.5 h-3 flex-1" aria-hidden="true" />
            </div>
            <h2 className="mt-4 text-lg">{title}</h2>
            <p className="mt-1 text-graphite">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

const audiences = [
  {
    id: 'for-makers',
    name: 'For Makers',
    text: 'A customer sends a screenshot and wants it on a tumbler by Friday. Trace it, show them the mockup, and open the same picture in your laser software at the size you agreed on.',
    action: 'Explore Maker Tools',
  },
  {
    id: 'for-retailers',
    name: 'For Retailers',
    text: 'Your shoppers see their own name on your blank before they order, and you stop drawing proofs by hand. The studio already works for the person at your counter; the part that sits inside your shop page comes next.',
    action: undefined,
  },
  {
    id: 'for-personal-use',
    name: 'For Personal Use',
    text: 'A board for the wedding, a tag for the dog. Try the words and the picture on the real thing first, without an account, then take the idea to a maker near you.',
    action: 'Try the Preview',
  },
] as const;

function Audiences() {
  return (
    <div className="mx-auto max-w-[1280px] px-5 lg:px-10">
      {audiences.map(({ id, name, text, action }) => (
        <section
          key={id}
          id={id}
          aria-labelledby={`${id}-title`}
          className="grid scroll-mt-20 gap-x-12 gap-y-3 border-line border-b py-12 last:border-b-0 lg:grid-cols-[280px_minmax(0,1fr)_auto] lg:items-start lg:py-16"
        >
          <h2 id={`${id}-title`} className="text-xl lg:text-2xl">
            {name}
          </h2>
          <p className="max-w-[62ch] text-graphite text-lg">{text}</p>
          {action && (
            <Link to="/studio" className={buttonClass('secondary', 'lg', 'w-fit')}>
              {action} <Icon name="arrowRight" className="size-4" />
            </Link>
          )}
        </section>
      ))}
    </div>
  );
}
