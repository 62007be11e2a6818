/** Gray bars as a placeholder while content loads. `bars` holds the classes of each, for its size and its corners. */
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
