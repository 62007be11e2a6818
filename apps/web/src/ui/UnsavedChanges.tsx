/** Unsaved changes: the bar that shows them, and the question before they are lost. */
import { Button } from '@markwright/controls';
import { useBlocker } from '@tanstack/react-router';
import { Modal } from './dialog.tsx';

interface Props {
  readonly isUnsaved: boolean;
  /** The changes in words, e.g. `3 categories`. */
  readonly what?: string;
  /** `The categories you switched on or off are not saved yet.` */
  readonly question: string;
  readonly isSaving: boolean;
  onDiscard(): void;
  onSave(): void;
}

/** The bar at the foot of a card. */
export function UnsavedChanges({ isUnsaved, what, question, isSaving, onDiscard, onSave }: Props) {
  return (
    <>
      <div role="status" className="sticky bottom-0 z-10">
        {isUnsaved && (
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-b-card border-line border-t bg-accent-soft px-5 py-3">
            <p>
              <span className="font-medium">Unsaved changes</span>{' '}
              {what && <span className="text-graphite">{what}</span>}
            </p>
            <div className="ml-auto flex flex-wrap gap-2">
              <Button variant="ghost" disabled={isSaving} onClick={onDiscard}>
                Discard
              </Button>
              <Button variant="primary" isBusy={isSaving} onClick={onSave}>
                Save Changes
              </Button>
            </div>
          </div>
        )}
      </div>
      <BeforeLeaving isUnsaved={isUnsaved} question={question} />
    </>
  );
}

/** Asks before the person leaves a page with unsaved changes. */
function BeforeLeaving({ isUnsaved, question }: { isUnsaved: boolean; question: string }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  const isAsking = blocker.status === 'blocked';
  return (
    <Modal isOpen={isAsking} title="Leave without saving?" description={question} onClose={() => blocker.reset?.()}>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button size="lg" variant="ghost" onClick={() => blocker.reset?.()}>
          Stay
        </Button>
        <Button size="lg" variant="danger" onClick={() => blocker.proceed?.()}>
          Leave
        </Button>
      </div>
    </Modal>
  );
}
