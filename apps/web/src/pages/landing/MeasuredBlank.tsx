/** A real blank from the catalogue with its print area drawn and measured, as on a shop drawing. */
import { calls, type Product, parseDimensions } from '@markwright/contract';
import { useQuery } from '@tanstack/react-query';

const MM_PER_INCH = 25.4;

export function MeasuredBlank({ prefers }: { prefers: (product: Product) => boolean }) {
  const { data: products, isError } = useQuery<Product[]>({ queryKey: [calls.catalogue.products.path] });
  const product = products?.find(prefers) ?? products?.[0];
  if (isError || (products && !product)) return null;
  return (
    <figure className="crop-marks mx-auto w-full max-w-[560px] p-3">
      <div data-stage="" className="relative aspect-square w-full rounded-card bg-bone">
        {product && <Drawing product={product} />}
      </div>
      <figcaption className="mt-4 flex flex-wrap justify-between gap-x-6 border-line border-t pt-3 text-graphite text-sm">
        <span>{product ? product.name : 'Loading a blank…'}</span>
        {product && <span className="measure self-center">print area {product.dimensions.replace('x', ' × ')} in</span>}
      </figcaption>
    </figure>
  );
}

function Drawing({ product }: { product: Product }) {
  const { widthInches, heightInches } = parseDimensions(product.dimensions);
  const { x, y, width, height } = product.printArea;
  // The picture is contain-fitted into the square; fractions of it become per cent of the square.
  const scaleX = Math.min(1, product.pictureAspect);
  const scaleY = Math.min(1, 1 / product.pictureAspect);
  const left = 100 * ((1 - scaleX) / 2 + x * scaleX);
  const top = 100 * ((1 - scaleY) / 2 + y * scaleY);
  const wide = 100 * width * scaleX;
  const high = 100 * height * scaleY;
  const box = { left: `${left}%`, top: `${top}%`, width: `${wide}%`, height: `${high}%` };
  const label = 'measure absolute whitespace-nowrap bg-bone px-1.5 text-ink';
  return (
    <>
      <img src={product.mockupImageUrl} alt="" className="absolute inset-0 size-full object-contain" />
      <div className="absolute border border-accent border-dashed" style={box} />
      <div
        className="absolute border-edge border-y"
        style={{ left: `${left + wide + 12}%`, top: `${top}%`, width: '3%', height: `${high}%` }}
      >
        <span className="absolute inset-y-0 left-1/2 w-px bg-edge" />
        <span className={`${label} top-1/2 left-1/2 -translate-1/2`}>{(heightInches * MM_PER_INCH).toFixed(1)} mm</span>
      </div>
      <div
        className="absolute border-edge border-x"
        style={{ left: `${left}%`, top: `${Math.max(0, top - 24)}%`, width: `${wide}%`, height: '3%' }}
      >
        <span className="absolute inset-x-0 top-1/2 h-px bg-edge" />
        <span className={`${label} top-1/2 left-1/2 -translate-1/2`}>{(widthInches * MM_PER_INCH).toFixed(1)} mm</span>
      </div>
    </>
  );
}
