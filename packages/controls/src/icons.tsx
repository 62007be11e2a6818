/** The one icon set: a 20 px grid, 1.5 px strokes, round ends. Icons are decoration; their button carries the label. */
import type { SVGProps } from 'react';

/** The `d` of each icon's path. */
const paths = {
  area: 'M3 6.5h2M6.5 3v2M17 6.5h-2M13.5 3v2M3 13.5h2M6.5 17v-2M17 13.5h-2M13.5 17v-2M7 7h6v6H7z',
  arrowDown: 'M10 4v12M5.5 11.5 10 16l4.5-4.5',
  arrowLeft: 'M16 10H4M8.5 5.5 4 10l4.5 4.5',
  arrowRight: 'M4 10h12M11.5 5.5 16 10l-4.5 4.5',
  arrowUp: 'M10 16V4M5.5 8.5 10 4l4.5 4.5',
  center: 'M10 2.5v4M10 13.5v4M2.5 10h4M13.5 10h4M8.5 10a1.5 1.5 0 1 0 3 0 1.5 1.5 0 0 0-3 0',
  check: 'm4.5 10.5 3.5 3.5 7.5-8',
  chevronDown: 'm5.5 8 4.5 4.5L14.5 8',
  chevronRight: 'M8 5.5 12.5 10 8 14.5',
  close: 'm5 5 10 10M15 5 5 15',
  collapse: 'M16 8h-4V4M4 12h4v4M12 8l4.5-4.5M8 12l-4.5 4.5',
  download: 'M10 3v9M6 8.5l4 4 4-4M3.5 16.5h13',
  duplicate: 'M7 7h9.5v9.5H7zM13 7V3.5H3.5V13H7',
  expand: 'M12 3.5h4.5V8M8 16.5H3.5V12M16.5 3.5 11.5 8.5M3.5 16.5l5-5',
  eye: 'M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5ZM8 10a2 2 0 1 0 4 0 2 2 0 0 0-4 0',
  flip: 'M10 3v2M10 7.5v2M10 12v2M10 16.5V17M7.5 6 3 14h4.5zM12.5 6l4.5 8h-4.5z',
  image: 'M3.5 4.5h13v11h-13zM3.5 13l3.75-3.75 3 3L12.5 10l4 4M12.75 7.5h.5',
  lock: 'M4.5 9h11v7.5h-11zM7 9V6.5a3 3 0 0 1 6 0V9M10 12v1.5',
  menu: 'M3.5 5.5h13M3.5 10h13M3.5 14.5h13',
  minus: 'M4.5 10h11',
  outline:
    'M7 7h6v6H7zM5 2.5h2M10 2.5h2.5M15 3l2.5 2.5M17.5 8v2.5M17.5 13l-1.5 3M13 17.5h-2.5M8 17.5H5.5M3.5 16 2.5 13.5M2.5 11V8.5M2.5 6 3.5 3.5',
  pencil: 'm4 16 .75-3.5L13 4.25l2.75 2.75L7.5 15.25zM11 6.25 13.75 9',
  plus: 'M10 4.5v11M4.5 10h11',
  redo: 'm12.5 4 4 4-4 4M16 8H8a4.25 4.25 0 0 0 0 8.5h3.5',
  refresh: 'M16 10a6 6 0 1 1-1.75-4.25L16 7.5M16 3.5v4h-4',
  rotate: 'M15.5 9A5.75 5.75 0 1 1 10 5h3.5M11 2.25 13.75 5 11 7.75',
  search: 'M8.75 3.5a5.25 5.25 0 1 1 0 10.5 5.25 5.25 0 0 1 0-10.5M12.75 12.75 17 17',
  sparkle:
    'M10 3v3M10 14v3M3 10h3M14 10h3M5.5 5.5l1.75 1.75M12.75 12.75l1.75 1.75M14.5 5.5l-1.75 1.75M7.25 12.75 5.5 14.5',
  text: 'M4 6V4h12v2M10 4v12M7.5 16h5',
  toBottom: 'M3.5 16.5h13M5.5 4h3.25v9.5H5.5zM11.25 8.5h3.25v5h-3.25z',
  trash: 'M4 5.5h12M8 5.5V3.5h4v2M5.5 5.5l.75 11h7.5l.75-11M8.5 9v4.5M11.5 9v4.5',
  undo: 'm7.5 4-4 4 4 4M4 8h8a4.25 4.25 0 0 1 0 8.5H8.5',
  upload: 'M10 12.5v-9M6 7l4-4 4 4M3.5 12.5v4h13v-4',
  warning: 'M10 3.5 17.5 16.5h-15zM10 8.5v3.75M10 14.25v.01',
};

/**
 * The name of an icon of the set, or the path data of one that a part of the app brings itself. Such a part is loaded
 * later, and its icons with it.
 */
export type IconName = keyof typeof paths | `M${string}`;

export function Icon({ name, className = 'size-5', ...rest }: { name: IconName } & SVGProps<SVGSVGElement>) {
  return (
    <LineArt viewBox="0 0 20 20" className={`shrink-0 ${className}`} {...rest}>
      <path d={paths[name as keyof typeof paths] ?? name} />
    </LineArt>
  );
}

/** An `svg` of strokes in the color of the text. It is decoration, so assistive technology does not see it. */
export const LineArt = (props: SVGProps<SVGSVGElement>) => (
  <svg
    fill="none"
    stroke="currentColor"
    strokeWidth={1.5}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    {...props}
  />
);
