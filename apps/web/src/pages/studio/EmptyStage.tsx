/** Fills the stage before a product is chosen: a picture to begin with, and three blanks to put it on. */
import type { Product } from '@markwright/contract/schemas';
import { DESIGN_ACCEPT, drawingKind, findById, messages, usualVariant } from '@markwright/contract/words';
import { Button, HiddenFileInput, IconButton } from '@markwright/controls';
import { chooseProduct, ProductThumb, useEditor, useEditorState } from '@markwright/editor';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { shownProducts } from '../../products/shownProducts.ts';
import { type SamplePicture, samplePictures } from '../../samples/samples.ts';
import { readRecentProducts, rememberProduct } from './recentProducts.ts';
import { usePictureIntake } from './waitingPicture.tsx';

export function EmptyStage({ className = '' }: { className?: string }) {
  const { waiting } = usePictureIntake();
  return (
    // From the top on a phone, where the offer of the tour comes below it later.
    <div className={`grid place-items-center overflow-y-auto p-4 pb-20 max-sm:content-start max-sm:py-3 ${className}`}>
      <div className="flex w-full max-w-[520px] flex-col gap-6 max-sm:gap-3">
        <header>
          <h1 className="text-2xl max-sm:text-lg">From any picture to a file your machine can make.</h1>
          <p className="mt-1 text-graphite max-sm:hidden">
            At its true size, on the real blank, without a single repair.
          </p>
        </header>
        {waiting ? <Waiting {...waiting} /> : <Begin />}
        <section aria-labelledby="blanks-title">
          <h2 id="blanks-title" className="font-semibold text-base">
            {waiting ? messages.productRequired.title : 'Select a Product'}
          </h2>
          <p className="mt-0.5 text-graphite text-sm">
            {waiting && !drawingKind(waiting.file.name)
              ? 'Take one of these, or any blank of step 2: it gives your picture its size.'
              : 'Take one of these, or any blank of step 2.'}
          </p>
          <Blanks />
        </section>
        {/* The offer of the tour: last on a phone, else at the foot of the stage, where it takes no gap of this column. */}
        <div data-tour-offer="" className="empty:hidden sm:contents" />
      </div>
    </div>
  );
}

/** Where there is no picture yet. */
function Begin() {
  const { take } = usePictureIntake();
  const [failure, setFailure] = useState<string>();
  const picker = useRef<HTMLInputElement>(null);
  const takeSample = async ({ url, filename }: SamplePicture) => {
    setFailure(undefined);
    try {
      const response = await fetch(url);
      if (!response.ok) throw new Error(String(response.status));
      const blob = await response.blob();
      take([new File([blob], filename, { type: blob.type })]);
    } catch {
      setFailure('This picture did not load. Check the connection and try again.');
    }
  };
  return (
    <section
      aria-label="Begin with a picture"
      className="rounded-card border border-edge border-dashed px-5 py-5 max-sm:px-3 max-sm:py-3"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="min-w-48 flex-1">
          <p className="font-semibold text-lg">
            <span className="pointer-coarse:hidden">Drop a picture anywhere</span>
            <span className="hidden pointer-coarse:inline">Begin with a picture</span>
          </p>
          <p className="text-graphite text-sm">
            JPG, PNG, SVG, DXF or LightBurn, up to 20 MB.
            <span className="pointer-coarse:hidden"> You can also paste.</span>
          </p>
        </div>
        <Button variant="primary" size="lg" icon="upload" onClick={() => picker.current?.click()}>
          Choose a picture
        </Button>
        <HiddenFileInput
          ref={picker}
          label="Picture file"
          accept={DESIGN_ACCEPT}
          onChoose={(files) => setFailure(take(files))}
        />
      </div>
      {failure && (
        <p role="alert" className="mt-2 text-danger text-sm">
          {failure}
        </p>
      )}
      <p className="mt-4 mb-2 text-graphite text-xs max-sm:mt-3">No picture at hand? Try one of ours.</p>
      <ul className="grid grid-cols-3 gap-2">
        {samplePictures.map((sample) => (
          <li key={sample.filename}>
            <Card onClick={() => void takeSample(sample)}>
              <img
                src={sample.thumbnailUrl}
                alt=""
                width={160}
                height={160}
                className="aspect-4/3 w-full rounded-control object-cover"
              />
              {sample.title}
            </Card>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Waiting({ file, url }: { file: File; url: string }) {
  const { forget } = usePictureIntake();
  const kind = drawingKind(file.name);
  return (
    <section aria-label="Your picture" className="flex items-center gap-4">
      {kind ? (
        // No browser can draw it: the picture comes with the server's answer, once there is a blank.
        <p className="grid size-28 place-items-center rounded-card border border-line bg-paper font-semibold">{kind}</p>
      ) : (
        <img src={url} alt="" className="size-28 rounded-card border border-line bg-white object-contain p-1" />
      )}
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold text-lg">{file.name}</p>
        <p className="text-graphite text-sm">
          {kind
            ? 'It keeps its own size and outlines. They are read as soon as it has a blank.'
            : 'It is traced as soon as it has a blank.'}
        </p>
      </div>
      <IconButton icon="trash" label="Remove the picture" onClick={forget} />
    </section>
  );
}

function Blanks() {
  const editor = useEditor();
  const machine = useEditorState((state) => state.composition.machine);
  const { data, isError } = useQuery(shownProducts(useQueryClient()));
  const suggestions = suggest(data ?? [], machine);
  const choose = (product: Product) => {
    chooseProduct(editor, product, usualVariant(product));
    rememberProduct(product.productId);
  };
  if (isError) return <p className="mt-3 text-graphite text-sm">The blanks did not load. Open step 2 to try again.</p>;
  return (
    // In a narrow window they stand below one another, each with its whole name.
    <ul
      aria-label="Suggested blanks"
      className="mt-3 grid min-h-[112px] grid-cols-3 gap-2 max-sm:mt-2 max-sm:min-h-[180px] max-sm:grid-cols-1 max-sm:auto-rows-[56px] max-sm:gap-1.5"
    >
      {suggestions.map((product) => (
        <li key={product.id}>
          <Card
            onClick={() => choose(product)}
            className="max-sm:flex-row max-sm:gap-3 max-sm:px-2 max-sm:py-0 max-sm:text-left max-sm:text-sm"
          >
            <ProductThumb product={product} />
            <span className="line-clamp-3 max-sm:line-clamp-2">{product.name}</span>
          </Card>
        </li>
      ))}
    </ul>
  );
}

/** Returns three products that the machine usually marks: the last used ones, then one of each category. */
function suggest(products: readonly Product[], machine: Product['machines'][number]): readonly Product[] {
  const usual = products.filter(({ machines }) => machines.includes(machine));
  const recent = readRecentProducts().flatMap((id) => findById(usual, id) ?? []);
  const firstOfCategory = usual.filter(
    ({ category }, index) => usual.findIndex((other) => other.category === category) === index,
  );
  return [...new Set([...recent, ...firstOfCategory, ...usual, ...products])].slice(0, 3);
}

function Card({ children, onClick, className = '' }: { children: ReactNode; onClick(): void; className?: string }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className={`flex h-full w-full flex-col items-center gap-1.5 rounded-card border border-line bg-paper p-2 text-center text-xs transition-colors hover:border-edge focus-visible:outline-2 focus-visible:outline-accent focus-visible:outline-offset-2 ${className}`}
    >
      {children}
    </button>
  );
}
