/** Step 4: how the product is looked at; on narrow screens also where everything on it sits. */
import { PreviewPanel, ProductView } from '@markwright/editor';

export function Position({ isWhole }: { isWhole: boolean }) {
  return isWhole ? <PreviewPanel /> : <ProductView />;
}
