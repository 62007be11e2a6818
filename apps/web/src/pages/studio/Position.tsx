/** Step 4: how the product is looked at; on narrow screens also where everything on it sits. */
import { PreviewPanel, ProductView } from '@markwright/editor';
import { CustomerChoices } from './library/CustomerChoices.tsx';

export function Position({ isWhole }: { isWhole: boolean }) {
  if (!isWhole) return <ProductView />;
  return (
    <>
      <PreviewPanel />
      <CustomerChoices className="mt-2" />
    </>
  );
}
