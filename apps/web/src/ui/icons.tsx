/** The few line drawings the pages need: 16 px, one weight, drawn in the text's colour. */
import type { ReactNode } from 'react';

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="shrink-0"
    >
      {children}
    </svg>
  );
}

export const CloseIcon = () => (
  <Icon>
    <path d="M4 4l8 8M12 4l-8 8" />
  </Icon>
);
export const CheckIcon = () => (
  <Icon>
    <path d="M3 8.5l3.2 3L13 4.5" />
  </Icon>
);
export const MenuIcon = () => (
  <Icon>
    <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />
  </Icon>
);
export const EyeIcon = () => (
  <Icon>
    <path d="M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8z" />
    <circle cx="8" cy="8" r="2" />
  </Icon>
);
export const EyeOffIcon = () => (
  <Icon>
    <path d="M6 3.800A6.3 6.3 0 0 1 8 3.500c4 0 6.5 4.5 6.5 4.500a12 12 0 0 1-1.7 2.200M3.6 5.200A11.5 11.5 0 0 0 1.5 8S4 12.5 8 12.500c1.2 0 2.2-.4 3.1-.9M2.5 2.500l11 11" />
  </Icon>
);
export const ArrowIcon = () => (
  <Icon>
    <path d="M3 8h10M9 4l4 4-4 4" />
  </Icon>
);
export const ChevronIcon = () => (
  <Icon>
    <path d="M4 6l4 4 4-4" />
  </Icon>
);
export const WarningIcon = () => (
  <Icon>
    <path d="M8 2.500L14.5 13.500h-13zM8 6.500v3.500M8 11.900v.1" />
  </Icon>
);
