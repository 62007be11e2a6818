/** The right side of the wide studio: what is on the product and where it sits. */
import { ElementList, PositionTabs, useEditorState } from '@markwright/editor';
import { useIsReady } from '../../products/chosenProduct.ts';
import { CustomerChoices } from './library/CustomerChoices.tsx';

export function Inspector({ className = '' }: { className?: string }) {
  const isReady = useIsReady();
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  const isAreaSelected = useEditorState((state) => state.selection === 'machineArea');
  if (!hasProduct) return null;
  return (
    // Without the height for them, the tools of an element are in its menu and in the bar beside it. The list of many
    // elements scrolls, so that the controls below it stay whole.
    <section aria-label="Inspector" className={`flex flex-col low:[&_[data-tools]]:hidden ${className}`}>
      <h2 className="sr-only">On the product</h2>
      <div className="flex min-h-22 flex-col px-3 py-1.5 low:min-h-21 low:py-1">
        <ElementList className="overflow-y-auto overscroll-contain [scrollbar-width:thin]" />
        {!isReady && <p className="px-2 pt-2 text-graphite text-sm">What you add in step 3 is listed here.</p>}
      </div>
      {(isReady || isAreaSelected) && (
        <div className="shrink-0 border-line border-t px-4 py-2 low:py-1">
          <PositionTabs />
          <CustomerChoices className="mt-1 low:hidden" />
        </div>
      )}
    </section>
  );
}
