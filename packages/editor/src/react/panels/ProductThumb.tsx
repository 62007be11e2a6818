import type { Product } from '@markwright/contract/schemas';
import { placeholderUrl } from '@markwright/contract/words';
import { useRef, useState } from 'react';
import { useThumbMarks } from './thumbMarks.ts';

const SIDE_PX = 52;

/**
 * A product's picture at the size lists show it, or a drawn one where it does not come; with the present design on it
 * where the list shows that.
 */
export function ProductThumb({ product }: { product: Product }) {
  const { mockupImageUrl, thumbnails } = product;
  const frame = useRef<HTMLSpanElement>(null);
  const marks = useThumbMarks(product, frame);
  const [isBroken, setBroken] = useState(false);
  const smallest = thumbnails[0]?.width;
  const small = thumbnails.filter(({ width }) => width === smallest);
  const last = small.at(-1)?.url ?? mockupImageUrl;
  return (
    <span ref={frame} className="relative block shrink-0">
      <picture>
        {!isBroken &&
          small.slice(0, -1).map(({ mediaType, url }) => <source key={url} type={mediaType} srcSet={url} />)}
        <img
          src={isBroken ? placeholderUrl(48, 48) : last}
          alt=""
          loading="lazy"
          decoding="async"
          width={SIDE_PX}
          height={SIDE_PX}
          onError={() => setBroken(true)}
          className="size-[52px] rounded-[4px] bg-bone object-contain p-0.5"
        />
      </picture>
      {marks && !isBroken && (
        <img src={marks} alt="" data-marks="" className="absolute inset-0 size-[52px] object-contain p-0.5" />
      )}
    </span>
  );
}
