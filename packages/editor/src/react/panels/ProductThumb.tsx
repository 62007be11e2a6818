import type { Product } from '@markwright/contract/schemas';
import { placeholderUrl } from '@markwright/contract/words';
import { useState } from 'react';

const SIDE_PX = 52;

/** A product's picture at the size lists show it, or a drawn one where it does not come. */
export function ProductThumb({ product: { mockupImageUrl, thumbnails } }: { product: Product }) {
  const [isBroken, setBroken] = useState(false);
  const smallest = thumbnails[0]?.width;
  const small = thumbnails.filter(({ width }) => width === smallest);
  const last = small.at(-1)?.url ?? mockupImageUrl;
  return (
    <picture className="shrink-0">
      {!isBroken && small.slice(0, -1).map(({ mediaType, url }) => <source key={url} type={mediaType} srcSet={url} />)}
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
  );
}
