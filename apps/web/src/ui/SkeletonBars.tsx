/** Gray bars in place of what is loading. `bars` are the classes of each: its size and its corners. */
export function SkeletonBars({ bars, className }: { bars: readonly string[]; className: string }) {
  return (
    <div role="status" className={className}>
      <span className="sr-only">Loading</span>
      {bars.map((bar) => (
        <span key={bar} className={`animate-pulse bg-ink/6 ${bar}`} />
      ))}
    </div>
  );
}
