/** What a page says about itself in the head. */
import { useEffect } from 'react';

/** The short title every page falls back to. */
const SITE_TITLE = 'Markwright';

export interface PageHead {
  readonly title: string;
  readonly description?: string;
  readonly keywords?: string;
  /** Also writes the social-sharing title and description. */
  readonly isShared?: boolean;
}

/** Sets the head while a page is shown; on leaving, the short title is back and the tags are gone. */
export function usePageHead({ title, description, keywords, isShared = false }: PageHead): void {
  useEffect(() => {
    document.title = title;
    const tags = [
      ['name', 'description', description],
      ['name', 'keywords', keywords],
      ['property', 'og:title', isShared ? title : undefined],
      ['property', 'og:description', isShared ? description : undefined],
      ['property', 'og:type', isShared ? 'website' : undefined],
      ['name', 'twitter:card', isShared ? 'summary' : undefined],
      ['name', 'twitter:title', isShared ? title : undefined],
      ['name', 'twitter:description', isShared ? description : undefined],
    ] as const;
    const added = tags.flatMap(([key, name, content]) => {
      if (!content) return [];
      const tag = document.createElement('meta');
      tag.setAttribute(key, name);
      tag.content = content;
      document.head.append(tag);
      return [tag];
    });
    return () => {
      document.title = SITE_TITLE;
      for (const tag of added) tag.remove();
    };
  }, [title, description, keywords, isShared]);
}
