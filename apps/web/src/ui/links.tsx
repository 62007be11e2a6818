/** Links to pages of this app that look like large buttons. */
import { type ButtonVariant, buttonClass } from '@markwright/controls';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

/** A primary button by default. */
export const ButtonLink = createLink(
  ({ variant = 'primary', className, ...rest }: ComponentProps<'a'> & { readonly variant?: ButtonVariant }) => (
    <a {...rest} className={buttonClass(variant, 'lg', className)} />
  ),
);

export const HomeLink = () => (
  <ButtonLink to="/" variant="ghost">
    Home
  </ButtonLink>
);
