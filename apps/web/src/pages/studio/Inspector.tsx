/** The right side of the wide studio: what is on the product, where it sits, and the way out. */
import { ElementList, ExportBar, HistoryButtons, PositionTabs, useEditorState } from '@markwright/editor';
import { machineNames, useChosenProduct, useIsReady } from './work.ts';

export function Inspector({ className = '' }: { className?: string }) {
  const isReady = useIsReady();
  return (
    <section aria-label="Inspector" className={`flex flex-col ${className}`}>
      <div className="flex items-center justify-between border-line border-b px-4 py-2">
        <h2 className="text-sm">On the product</h2>
        <HistoryButtons />
      </div>
      <div className="px-4 py-3">
        {isReady ? (
          <ElementList />
        ) : (
          <p className="text-graphite text-sm">Nothing yet. What you add in step 3 is listed here.</p>
        )}
      </div>
      {isReady && (
        <div className="border-line border-t px-4 py-3">
          <PositionTabs />
        </div>
      )}
    </section>
  );
}

/** The 'Design Ready!' banner and the three exports. */
export function ExportPanel({ className = '' }: { className?: string }) {
  const isReady = useIsReady();
  const machine = useEditorState((state) => state.composition.machine);
  const product = useChosenProduct();
  return (
    <section aria-label="Export" className={`px-4 py-4 ${className}`}>
      {isReady && (
        <div role="status" className="mb-3 border-accent border-l-2 pl-3">
          <p className="font-semibold">Design Ready!</p>
          <p className="text-graphite text-sm">
            {machineNames[machine]}
            {product && `, ${product.name}`}
          </p>
        </div>
      )}
      <ExportBar />
    </section>
  );
}
