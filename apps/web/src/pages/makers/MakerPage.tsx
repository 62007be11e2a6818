/** The page of a local maker: photos, products, machines, and the form for a message. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { Maker, MakerProduct } from '@markwright/contract/schemas';
import { formatDimensions } from '@markwright/contract/words';
import { Button, Icon } from '@markwright/controls';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../../api.ts';
import { Machines, NoPhoto } from '../../makers/Card.tsx';
import { formatDistance, ownUnit } from '../../makers/distance.ts';
import { Photo } from '../../makers/Photo.tsx';
import { deliveryNames, materialWords, townWords } from '../../makers/words.ts';
import { Link, useAddress, useCanGoBack, useSearchParams } from '../../navigation.tsx';
import { messageOf, statusOf } from '../../request.ts';
import { type Session, useSession } from '../../session.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { NoticeCard, NoticePlace } from '../../ui/NoticeCard.tsx';
import { Page } from '../../ui/Page.tsx';
import { usePageHead } from '../../ui/pageHead.ts';
import { SkeletonBars } from '../../ui/SkeletonBars.tsx';
import { Attribution } from './Attribution.tsx';
import { ContactForm } from './ContactForm.tsx';
import { toDegrees } from './where.ts';

export function MakerPage() {
  const session = useSession();
  const id = useAddress().pathname.split('/')[2] ?? '';
  const from = useSearchOrigin();
  const query = useQuery({
    queryKey: [siteCalls.makers.show.path, id, from],
    queryFn: ({ signal }) => api.makers.show({ params: { id }, query: from }, { signal }),
    refetchOnMount: 'always',
    staleTime: 0,
  });
  usePageHead({ title: `${query.data?.name ?? 'A local maker'} | Markwright` });
  return (
    <Page session={session}>
      {query.data && !query.isError ? (
        <Content key={id} maker={query.data} session={session} />
      ) : query.isPending ? (
        <Waiting />
      ) : (
        <NoticePlace>
          {statusOf(query.error) === 404 ? (
            <NoticeCard
              title="This maker is not listed here"
              actions={<ButtonLink to="/makers">Find another one</ButtonLink>}
            >
              <p className="mt-1 text-graphite">The page was taken down, or its address is not right.</p>
            </NoticeCard>
          ) : (
            <NoticeCard
              title="The page could not be read"
              actions={
                <Button variant="primary" size="lg" onClick={() => void query.refetch()}>
                  Retry
                </Button>
              }
            >
              <p className="mt-1 text-graphite">{messageOf(query.error)}</p>
            </NoticeCard>
          )}
        </NoticePlace>
      )}
    </Page>
  );
}

/** Returns the place that the reader searched from, when a link of the list led here. */
function useSearchOrigin(): { lat?: number; lon?: number } {
  const { lat, lon } = useSearchParams();
  const from = { lat: toDegrees(lat, 90), lon: toDegrees(lon, 180) };
  return from.lat === undefined || from.lon === undefined ? {} : { lat: from.lat, lon: from.lon };
}

function Content({ maker, session }: { maker: Maker; session: Session }) {
  const { name, place, distanceKm, about, photos, products } = maker;
  const [unit] = useState(ownUnit);
  return (
    <main className="mx-auto w-full max-w-[1180px] flex-1 px-5 pt-6 pb-14 lg:px-10 lg:pt-8">
      <Back />
      <h1 className="mt-4 text-2xl [overflow-wrap:anywhere] sm:text-4xl">{name}</h1>
      <p className="mt-2 flex flex-wrap items-baseline gap-x-3 text-graphite text-lg">
        {townWords(place)}
        {distanceKm !== null && (
          <span className="measure whitespace-nowrap">{formatDistance(distanceKm, unit)} away</span>
        )}
      </p>
      <Button
        variant="primary"
        size="lg"
        className="mt-5 w-full lg:hidden"
        onClick={() => document.querySelector<HTMLElement>('[aria-labelledby=write] [name=name]')?.focus()}
      >
        Write a message
      </Button>
      <div className="mt-8 grid items-start gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_380px]">
        <div className="min-w-0">
          {photos.length > 0 && <Gallery maker={maker} />}
          {about && <p className="mb-8 max-w-[68ch] whitespace-pre-line text-lg [overflow-wrap:anywhere]">{about}</p>}
          <Facts maker={maker} />
          {products.length > 0 && <Products products={products} />}
        </div>
        <div className="lg:sticky lg:top-20">
          <ContactForm maker={maker} email={session.user?.email ?? ''} />
          <p className="mt-4 text-center text-sm">
            <Link
              to="/feedback"
              search={{ about: `the page of ${name} (${location.origin}/makers/${maker.id})` }}
              className="inline-flex min-h-6 items-center text-graphite underline underline-offset-4 hover:text-ink"
            >
              Report this page
            </Link>
          </p>
        </div>
      </div>
      <Attribution />
    </main>
  );
}

function Back() {
  const canGoBack = useCanGoBack();
  const look = 'inline-flex min-h-8 items-center gap-1.5 text-graphite hover:text-ink -ml-1 rounded-control pr-2 pl-1';
  const words = (
    <>
      <Icon name="arrowLeft" className="size-4" /> All makers
    </>
  );
  // Going back keeps the search of the list.
  return canGoBack ? (
    <button type="button" className={look} onClick={() => history.back()}>
      {words}
    </button>
  ) : (
    <Link to="/makers" className={look}>
      {words}
    </Link>
  );
}

/** Shows one photo large and all of them as small buttons. */
function Gallery({ maker: { photos, name, machines } }: { maker: Maker }) {
  const [at, setAt] = useState(0);
  const largePhoto = photos[at] ?? photos[0];
  return (
    <section aria-label="Photos" className="mb-8">
      <div className="aspect-[4/3] overflow-hidden rounded-card border border-line">
        {largePhoto ? (
          <Photo
            key={largePhoto.id}
            photo={largePhoto}
            alt={`Photo ${at + 1} of ${photos.length} by ${name}`}
            sizes="(width < 1100px) 100vw, 680px"
            isFirst
            className="size-full"
          />
        ) : (
          <NoPhoto machine={machines[0]} />
        )}
      </div>
      {photos.length > 1 && (
        <ul className="mt-2 grid grid-cols-6 gap-2">
          {photos.map((photo, index) => (
            <li key={photo.id}>
              <button
                type="button"
                aria-label={`Show photo ${index + 1}`}
                aria-pressed={index === at}
                onClick={() => setAt(index)}
                className="block aspect-square w-full overflow-hidden rounded-control border border-line focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent aria-pressed:border-2 aria-pressed:border-accent"
              >
                <Photo photo={photo} alt="" sizes="104px" className="size-full" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Facts({ maker: { machines, materials, delivery, turnaroundDays } }: { maker: Maker }) {
  return (
    <dl className="border-line border-t">
      <Fact name="Machines">
        <Machines machines={machines} />
      </Fact>
      {materials.length > 0 && <Fact name="Materials">{materialWords(materials).join(', ')}</Fact>}
      {delivery && <Fact name="Delivery">{deliveryNames[delivery]}</Fact>}
      {turnaroundDays !== null && (
        <Fact name="Ready in">{turnaroundDays === 1 ? 'About a day' : `About ${turnaroundDays} days`}</Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 gap-y-1 border-line border-b py-3 sm:grid-cols-[140px_minmax(0,1fr)]">
      <dt className="text-graphite">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

function Products({ products }: { products: readonly MakerProduct[] }) {
  return (
    <section aria-labelledby="what-they-make" className="mt-10">
      <h2 id="what-they-make" className="text-lg">
        What they make
      </h2>
      <ul className="mt-4 grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-3">
        {products.map((product) => (
          <li key={product.id} className="min-w-0">
            <div className="aspect-square overflow-hidden rounded-control border border-line bg-paper p-3">
              <Photo
                photo={{ url: product.mockupImageUrl, thumbnails: product.thumbnails }}
                alt=""
                sizes="(width < 640px) 50vw, 220px"
                className="size-full bg-paper! object-contain!"
              />
            </div>
            <p className="mt-2 font-medium [overflow-wrap:anywhere]">{product.name}</p>
            <p className="measure text-graphite">{formatDimensions(product.dimensions)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Waiting() {
  return (
    <main className="mx-auto w-full max-w-[1180px] flex-1 px-5 pt-16 lg:px-10">
      <SkeletonBars
        className="grid gap-4"
        bars={[
          'h-10 w-1/2 rounded-control',
          'h-5 w-1/3 rounded-control',
          'mt-4 aspect-[4/3] max-w-[680px] rounded-card',
        ]}
      />
    </main>
  );
}
