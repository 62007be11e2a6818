/** The classes of a link in the top bar. */
export const barLink =
  'inline-flex h-9 shrink-0 items-center rounded-control px-2 text-sm font-medium sm:px-3 text-graphite hover:bg-line/60 hover:text-ink aria-[current=page]:text-ink whitespace-nowrap';
