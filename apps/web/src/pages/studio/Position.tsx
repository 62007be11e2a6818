/** Step 4: how the product is looked at; on narrow screens also where everything on it sits. */
import { PreviewPanel, ProductView } from '@markwright/editor';
import { CustomerChoices } from './library/CustomerChoices.tsx';

export function Position({ isWhole }: { isWhole: boolean }) {
  if (!isWhole) {
    return (
      <>
        <ProductView />
        {/* A low inspector has no room for it beside the card of an export. */}
        <CustomerChoices className="mt-2 hidden low:block" />
      </>
    );
  }
  return (
    <>
      <PreviewPanel />
      <CustomerChoices className="mt-2" />
    </>
  );
}
