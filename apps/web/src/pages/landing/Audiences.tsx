/** The three audiences: the sections that the hero links to, each with a link of its own. */
import { Icon } from '@markwright/controls';
import type { ReactNode } from 'react';
import { Link } from '../../navigation.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import mug from './pictures/mug.webp';
import petTag from './pictures/petTag.webp';
import trace from './pictures/trace.json';

export const audiences = [
  {
    id: 'for-makers',
    name: 'For Makers',
    title: 'The screenshot becomes a job you can run',
    text: 'A customer sends a screenshot and wants it on two dozen tumblers by Friday. Trace it, add the names, show them the mockup. Then open the same picture in your laser software at the size you agreed on.',
    points: [
      'Layers by operation, in LightBurn’s own colors',
      'Thin lines and open paths found before they burn',
      'Blanks measured in inches and millimeters, yours among them',
    ],
    action: { to: '/studio', name: 'Explore Maker Tools' },
    more: undefined,
    Picture: ProductionSheet,
  },
  {
    id: 'for-retailers',
    name: 'For Retailers',
    title: 'Your shoppers see their own name first',
    text: 'Put the studio into your shop page. Shoppers set their words and picture on your blank, you stop drawing proofs by hand, and the order brings the finished design with it.',
    points: [
      'Your blanks, your prices, your colors',
      'A few lines of code, on the page you have',
      'The file stays with you',
    ],
    action: { to: '/embed', name: 'Learn About the Widget' },
    more: undefined,
    Picture: ShopPage,
  },
  {
    id: 'for-personal-use',
    name: 'For Personal Use',
    title: 'Try it on the real thing before anybody cuts it',
    text: 'A board for the wedding, a tag for the dog. Type the words, choose the letters, and see them at their true size without an account. Then take it to somebody near you who has the machine.',
    points: ['45 typefaces, set as outlines or single lines', 'Words are always free'],
    action: { to: '/studio', name: 'Try the Preview' },
    more: { to: '/makers', name: 'Find a local maker' },
    Picture: PetTag,
  },
] as const;

export function Audiences() {
  return (
    <div className="mx-auto max-w-[1360px] px-5 lg:px-10">
      {audiences.map(({ id, name, title, text, points, action, more, Picture }, index) => (
        <section
          key={id}
          id={id}
          aria-labelledby={`${id}-title`}
          className="grid scroll-mt-14 items-center gap-x-20 gap-y-10 border-line border-b py-16 last:border-b-0 lg:grid-cols-2 lg:py-24"
        >
          <div className={index % 2 ? 'lg:order-2' : ''}>
            <h2 id={`${id}-title`} className="caption font-medium text-accent tracking-normal">
              {name}
            </h2>
            <p className="mt-3 font-semibold text-2xl tracking-[-0.012em] [text-wrap:balance]">{title}</p>
            <p className="mt-4 max-w-[56ch] text-graphite text-lg">{text}</p>
            <ul className="mt-5 grid gap-2 text-lg">
              {points.map((point) => (
                <li key={point} className="flex gap-3">
                  <span aria-hidden="true" className="mt-3 h-px w-4 shrink-0 bg-accent" />
                  {point}
                </li>
              ))}
            </ul>
            <div className="mt-8 flex flex-wrap items-center gap-x-6 gap-y-3">
              <ButtonLink to={action.to} variant="secondary" className="border-edge">
                {action.name} <Icon name="arrowRight" className="size-4" />
              </ButtonLink>
              {more && (
                <Link
                  to={more.to}
                  className="inline-flex min-h-10 items-center font-medium underline decoration-edge underline-offset-4 hover:decoration-accent"
                >
                  {more.name}
                </Link>
              )}
            </div>
          </div>
          <PictureFrame>
            <Picture />
          </PictureFrame>
        </section>
      ))}
    </div>
  );
}

/** Puts a picture on a sheet with crop marks. A margin keeps the marks off the edge of a narrow page. */
function PictureFrame({ children }: { children: ReactNode }) {
  return (
    <div className="px-3">
      <div data-stage="" className="crop-marks relative aspect-[4/3] w-full bg-bone">
        {children}
      </div>
    </div>
  );
}

/** Draws the production file as the program of a machine shows it: outlines by layer, with dimensions. */
function ProductionSheet() {
  return (
    <div className="relative size-full">
      <svg
        viewBox="0 0 400 300"
        className="size-full"
        role="img"
        aria-label="The production file: outlines at 46 millimeters"
      >
        <g fill="none" className="stroke-ink" strokeWidth="1">
          <g transform={`translate(70 26) scale(${220 / trace.width})`}>
            {trace.layers.map(({ d }, i) => (
              <path key={i} d={d} vectorEffect="non-scaling-stroke" />
            ))}
          </g>
        </g>
        <g className="stroke-edge" fill="none">
          <path d="M76 250v22M284 250v22M76 264h208M294 32h44M294 240h44M328 32v208" />
        </g>
        <g className="fill-edge">
          <path d="m76 264 7-2.500v5zM284 264l-7-2.500v5zM328 32l-2.500 7h5zM328 240l-2.500-7h5z" />
        </g>
      </svg>
      <span className="measure -translate-x-1/2 absolute top-[88%] left-[45%] -translate-y-1/2 bg-bone px-1.5">
        46.0 mm
      </span>
      <span className="measure -translate-1/2 absolute top-[45.3%] left-[82%] whitespace-nowrap bg-bone px-1.5">
        46.0 mm
      </span>
      <ul className="measure absolute top-3 left-3 grid gap-1 max-sm:hidden">
        <li>
          <span className="mr-1.5 inline-block size-2.5 bg-[#000000] outline outline-edge" /> Engrave
        </li>
        <li>
          <span className="mr-1.5 inline-block size-2.5 bg-[#0000ff]" /> Score
        </li>
        <li>
          <span className="mr-1.5 inline-block size-2.5 bg-[#ff0000]" /> Cut
        </li>
      </ul>
    </div>
  );
}

function ShopPage() {
  return (
    <div className="grid size-full place-items-center p-[6%]">
      <div className="grid size-full grid-cols-[minmax(0,6fr)_minmax(0,5fr)] grid-rows-[auto_minmax(0,1fr)] rounded-control border border-edge bg-paper">
        <div className="measure col-span-2 border-line border-b px-3 py-2 text-graphite">yourshop.com/mugs/11-oz</div>
        <div className="grid min-h-0 place-items-center border-line border-r bg-bone p-2">
          <Photo
            src={mug}
            alt="A white mug with a shopper’s logo on it"
            className="h-full min-h-0 w-full object-contain"
          />
        </div>
        <div className="flex min-w-0 flex-col justify-center gap-2 p-2.5 sm:gap-2.5 sm:p-6" aria-hidden="true">
          <span className="font-semibold text-lg leading-5">11 oz mug, your logo</span>
          <span className="measure text-graphite">$18.00</span>
          <span className="flex h-8 items-center overflow-hidden rounded-control border border-edge px-2 text-sm whitespace-nowrap">
            north fork
          </span>
          <span className="flex h-8 items-center justify-center overflow-hidden whitespace-nowrap rounded-control bg-ink px-1 font-medium text-bone text-sm">
            Add to cart
          </span>
        </div>
      </div>
    </div>
  );
}

function PetTag() {
  return (
    <Photo
      src={petTag}
      alt="A red pet tag in the shape of a bone, engraved with the name Biscuit"
      className="absolute inset-0 size-full object-contain"
    />
  );
}

function Photo({ alt, ...rest }: { src: string; alt: string; className: string }) {
  return <img alt={alt} {...rest} width={640} height={640} loading="lazy" />;
}
