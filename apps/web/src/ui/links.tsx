/** Links to pages of this app that look like large buttons. */
import { type ButtonVariant, buttonClass } from '@markwright/controls';
import { Link, type LinkProps } from '../navigation.tsx';

/** A primary button by default. */
export function ButtonLink({
  variant = 'primary',
  className,
  ...link
}: LinkProps & { readonly variant?: ButtonVariant }) {
  return <Link {...link} className={buttonClass(variant, 'lg', className)} />;
}

export const HomeLink = () => (
  <ButtonLink to="/" variant="ghost">
    Home
  </ButtonLink>
);
