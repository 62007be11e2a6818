import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

/** The classes of an underlined link that stands alone. */
export const textLinkClass = 'inline-flex min-h-6 items-center text-accent underline underline-offset-4';

/** An underlined link to a page of this app. */
export const TextLink = createLink((props: ComponentProps<'a'>) => (
  <a {...props} className={`${textLinkClass} ${props.className ?? ''}`} />
));
