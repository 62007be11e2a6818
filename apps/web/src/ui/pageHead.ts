/** The document's head: title and meta tags of a page. */
import { useEffect } from 'react';

/** The title between pages that set their own. */
const SITE_TITLE = 'Markwright';

export interface PageHead {
  readonly title: string;
  readonly description?: string;
  readonly keywords?: string;
  /** True to also write the title, description and picture for shared links (Open Graph). */
  readonly isShared?: boolean;
}

/** The picture of a shared link. */
const PICTURE = {
  path: '/social.jpg',
  width: 1200,
  height: 630,
  alt: 'A blurry logo beside its clean trace, and the trace engraved on a black tumbler',
} as const;

interface HeadTag {
  readonly key: 'name' | 'property';
  readonly name: string;
  readonly content: string;
}

/** Returns the meta tags of the page at `path`. Tags for shared links need absolute URLs, which begin with `origin`. */
export function headTags(head: PageHead, { origin, path }: { origin: string; path: string }): HeadTag[] {
  const { title, description = '', keywords = '', isShared } = head;
  const ifShared = (content: string) => (isShared ? content : undefined);
  const picture = ifShared(`${origin}${PICTURE.path}`);
  const tags: readonly (readonly [HeadTag['key'], string, string | undefined])[] = [
    ['name', 'description', description],
    ['name', 'keywords', keywords],
    ['property', 'og:title', ifShared(title)],
    ['property', 'og:description', ifShared(description)],
    ['property', 'og:type', ifShared('website')],
    ['property', 'og:url', ifShared(`${origin}${path}`)],
    ['property', 'og:image', picture],
    ['property', 'og:image:width', ifShared(String(PICTURE.width))],
    ['property', 'og:image:height', ifShared(String(PICTURE.height))],
    ['property', 'og:image:alt', ifShared(PICTURE.alt)],
    ['name', 'twitter:card', ifShared('summary_large_image')],
    ['name', 'twitter:title', ifShared(title)],
    ['name', 'twitter:description', ifShared(description)],
    ['name', 'twitter:image', picture],
  ];
  return tags.flatMap(([key, name, content]) => (content ? [{ key, name, content }] : []));
}

/** Sets the head while a page is shown, then restores the short title and removes the tags. */
export function usePageHead(head: PageHead): void {
  const { title, description = '', keywords = '', isShared = false } = head;
  useEffect(() => {
    document.title = title;
    const { origin, pathname: path } = location;
    const elements = headTags({ title, description, keywords, isShared }, { origin, path }).map(
      ({ key, name, content }) => {
        // The landing page has its tags in its HTML.
        const existing = document.head.querySelector<HTMLMetaElement>(`meta[${key}="${name}"]`);
        const tag = existing ?? document.createElement('meta');
        tag.setAttribute(key, name);
        tag.content = content;
        if (!existing) document.head.append(tag);
        return tag;
      },
    );
    return () => {
      document.title = SITE_TITLE;
      for (const tag of elements) tag.remove();
    };
  }, [title, description, keywords, isShared]);
}
