/** The right side of the wide studio: what is on the product and where it sits. */
import { ElementList, HistoryButtons, PositionTabs, useEditorState } from '@markwright/editor';
import { useIsReady } from '../../products/chosenProduct.ts';

export function Inspector({ className = '' }: { className?: string }) {
  const isReady = useIsReady();
  const hasProduct = useEditorState((state) => state.composition.productId !== undefined);
  const isAreaSelected = useEditorState((state) => state.selection === 'machineArea');
  return (
    <section aria-label="Inspector" className={`flex flex-col ${className}`}>
      <div className="flex items-center justify-between border-line border-b px-4 py-2">
        <h2 className="text-sm">On the product</h2>
        <HistoryButtons />
      </div>
      <div className="px-4 py-3">
        {hasProduct && <ElementList className="max-h-60 overflow-y-auto [scrollbar-width:thin]" />}
        {!isReady && (
          <p className={`text-graphite text-sm ${hasProduct ? 'px-2 pt-2' : ''}`}>
            {hasProduct
              ? 'What you add in step 3 is listed here.'
              : 'Nothing yet. What you add in step 3 is listed here.'}
          </p>
        )}
      </div>
      {(isReady || isAreaSelected) && (
        <div className="border-line border-t px-4 py-3">
          <PositionTabs />
        </div>
      )}
    </section>
  );
}
