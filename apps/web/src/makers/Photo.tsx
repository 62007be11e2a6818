import type { MakerPhoto, Thumbnail } from '@markwright/contract/schemas';

interface Props {
  readonly photo: Pick<MakerPhoto, 'url' | 'thumbnails'>;
  readonly alt: string;
  /** The `sizes` attribute: how wide the picture is shown. */
  readonly sizes: string;
  readonly isFirst?: boolean;
  readonly className?: string;
}

/** Shows a stored picture in the smallest size that fits, in the best type that the browser has. */
export function Photo({ photo, alt, sizes, isFirst = false, className }: Props) {
  const ofType = (type: Thumbnail['mediaType']) =>
    photo.thumbnails
      .filter(({ mediaType }) => mediaType === type)
      .map(({ url, width }) => `${url} ${width}w`)
      .join(', ');
  const sources = (['image/avif', 'image/webp'] as const).map((type) => [type, ofType(type)] as const);
  return (
    <picture className="contents">
      {sources.map(([type, srcSet]) => srcSet && <source key={type} type={type} srcSet={srcSet} sizes={sizes} />)}
      <img
        src={photo.url}
        alt={alt}
        loading={isFirst ? 'eager' : 'lazy'}
        decoding="async"
        className={`bg-bone object-cover ${className}`}
      />
    </picture>
  );
}
