import { Link, type LinkProps } from '../navigation.tsx';

/** The classes of an underlined link that stands alone. */
export const textLinkClass = 'inline-flex min-h-6 items-center text-accent underline underline-offset-4';

/** An underlined link to a page of this app. */
export function TextLink({ className = '', ...link }: LinkProps) {
  return <Link {...link} className={`${textLinkClass} ${className}`} />;
}
