/** Opens the dialog for a blank of one's own from anywhere in the studio. Its code comes with the first use. */
import type { Product } from '@markwright/contract/schemas';
import { lazyPart } from '@markwright/controls';
import { createContext, type ReactNode, Suspense, useContext, useMemo, useState } from 'react';
import { isDeviceBlank } from '../../../products/deviceBlanks.ts';

interface OwnBlanks {
  /** Opens the dialog: for a new blank, or to change one. */
  open(product?: Product): void;
  /** True for a blank that this person made, on the device or in the company. */
  isOwn(product: Product): boolean;
}

const OwnBlanksContext = createContext<OwnBlanks | undefined>(undefined);

export function useOwnBlanks(): OwnBlanks {
  const blanks = useContext(OwnBlanksContext);
  if (!blanks) throw new Error('This part of the studio needs an <OwnBlanksProvider> above it');
  return blanks;
}

const BlankDialog = lazyPart(() => import('./BlankDialog.tsx'));
const OptInDialog = lazyPart(() => import('./OptInDialog.tsx'));

/** Asks once whether a blank of the device may become a product of the account. */
export const OptIn = (props: { onAnswer(isOn: boolean): void }) => (
  <Suspense>
    <OptInDialog {...props} />
  </Suspense>
);

export function OwnBlanksProvider({ isSignedIn, children }: { isSignedIn: boolean; children: ReactNode }) {
  const [opening, setOpening] = useState<{ readonly count: number; readonly product: Product | undefined }>();
  const [isOpen, setIsOpen] = useState(false);
  const blanks = useMemo(
    (): OwnBlanks => ({
      open(product) {
        setOpening((before) => ({ count: (before?.count ?? 0) + 1, product }));
        setIsOpen(true);
      },
      isOwn: (product) => isDeviceBlank(product.productId) || 'isOnProfile' in product,
    }),
    [],
  );
  return (
    <OwnBlanksContext value={blanks}>
      {children}
      {opening && (
        <Suspense>
          <BlankDialog
            key={opening.count}
            isOpen={isOpen}
            product={opening.product}
            isSignedIn={isSignedIn}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </OwnBlanksContext>
  );
}
