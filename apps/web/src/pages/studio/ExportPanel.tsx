/** The 'Design Ready!' banner and the three exports. */
import { ExportBar, useEditorState } from '@markwright/editor';
import { machineNames, useChosenProduct, useIsReady } from './work.ts';

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
