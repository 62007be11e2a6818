import type { Product } from '@markwright/contract/schemas';
import { Button, SearchInput } from '@markwright/controls';
import type { ReactNode } from 'react';

/** The blanks that people make themselves: opens what makes one and changes it. */
export interface OwnBlanks {
  isOwn(product: Product): boolean;
  /** For a new one without a product. */
  open(product?: Product): void;
}

interface Props {
  readonly search: string;
  /** Of the products that a sheet would show; absent where all are shown. */
  readonly count: number | undefined;
  /** True where there are more than `count`. */
  readonly isPart: boolean;
  readonly ownBlanks: OwnBlanks | undefined;
  readonly filter: ReactNode;
  onSearch(search: string): void;
  onShowAll(): void;
}

/** The search, which stays in sight while the list scrolls below it, and what else there is besides the list. */
export function ProductListHead({ search, count = 0, isPart, ownBlanks, filter, onSearch, onShowAll }: Props) {
  const isFitted = count > 0;
  const own = ownBlanks && (
    <Button
      size="sm"
      icon="plus"
      // A low window has no row for it.
      className={`w-full border-edge border-dashed ${isFitted ? 'low:h-9 low:w-9 low:px-0' : ''}`}
      title="Use my own blank"
      aria-haspopup="dialog"
      onClick={() => ownBlanks.open()}
    >
      <span className={isFitted ? 'low:sr-only' : ''}>Use my own blank</span>
    </Button>
  );
  return (
    <>
      <div className="sticky top-0 z-10 flex shrink-0 flex-wrap gap-2 bg-paper">
        <SearchInput
          label="Search products"
          value={search}
          onChange={onSearch}
          className="min-w-0 flex-1 [&_input::-webkit-search-cancel-button]:appearance-none"
        />
        {isFitted && (
          <Button className="h-9" aria-haspopup="dialog" onClick={onShowAll}>
            {isPart ? (
              'Show more'
            ) : (
              <>
                Show all <span className="measure text-graphite">{count}</span>
              </>
            )}
          </Button>
        )}
        {isFitted && own}
      </div>
      {!isFitted && own}
      {filter}
    </>
  );
}
