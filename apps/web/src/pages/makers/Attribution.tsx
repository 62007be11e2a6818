/** Credits the source of the towns. */
export function Attribution() {
  return (
    <p className="mt-14 border-line border-t pt-4 text-graphite text-xs">
      Towns from{' '}
      <a href="https://www.geonames.org/" rel="noopener noreferrer" className="underline underline-offset-2">
        GeoNames
      </a>
      , licensed under{' '}
      <a
        href="https://creativecommons.org/licenses/by/4.0/"
        rel="noopener noreferrer"
        className="underline underline-offset-2"
      >
        CC BY 4.0
      </a>
      . Distances are between towns. Where you look from is rounded to a kilometer and not kept.
    </p>
  );
}
