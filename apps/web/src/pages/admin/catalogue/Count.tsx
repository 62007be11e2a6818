const numbers = new Intl.NumberFormat('en-US');

/** Writes a number with commas: `1,234`. */
export const formatCount = (value: number): string => numbers.format(value);

export const Count = ({ value }: { value: number }) => (
  <span className="measure rounded-full bg-ink/6 px-2 py-0.5 text-graphite">{formatCount(value)}</span>
);
