import { formatCount } from '../../../ui/counts.ts';

export const Count = ({ value }: { value: number }) => (
  <span className="measure rounded-full bg-ink/6 px-2 py-0.5 text-graphite">{formatCount(value)}</span>
);
