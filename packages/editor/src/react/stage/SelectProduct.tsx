/** Fills the stage before a product is chosen. `advice` says how to choose one. */
export function SelectProduct({ advice }: { advice: string }) {
  return (
    <div className="absolute inset-0 grid place-items-center p-6">
      <div className="flex max-w-64 flex-col items-center text-center">
        <svg viewBox="0 0 96 96" aria-hidden="true" fill="none" strokeWidth={1.25} className="mb-3 size-24">
          <path d="M28 8v14M8 28h14M68 8v14M88 28H74M28 88V74M8 68h14M68 88V74M88 68H74" className="stroke-edge" />
          <path d="M37 30h22l-3 36H40zM36 25h24v5H36z" className="stroke-ink" strokeLinejoin="round" />
          <path d="M43 46h10M43 50h6" className="stroke-accent" strokeLinecap="round" />
        </svg>
        <p className="font-semibold text-lg">Select a Product</p>
        <p className="mt-1 text-graphite text-sm">{advice}</p>
      </div>
    </div>
  );
}
