/** Unsaved changes: the bar that shows them, and the question before they are lost. */
import { Button } from '@markwright/controls';
import { useLeaveQuestion } from '../navigation.tsx';
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

/**
 * The bar at the foot of a card, or of the window while the card goes on below it. Notices stay above it, and so does
 * the focused element.
 */
export function UnsavedChanges({ isUnsaved, what, question, isSaving, onDiscard, onSave }: Props) {
  return (
    <>
      <div role="status" className="sticky bottom-0 z-10">
        {isUnsaved && (
          <div
            data-save-bar=""
            className="flex min-h-16 flex-wrap items-center justify-between gap-x-3 gap-y-2 rounded-b-card border-line border-t bg-accent-soft px-4 py-2.5 sm:px-5"
          >
            <p className="min-w-20 flex-1">
              <span className="font-medium max-sm:text-sm">Unsaved changes</span>{' '}
              {what && <span className="text-graphite max-sm:block max-sm:text-sm">{what}</span>}
            </p>
            <div className="ml-auto flex gap-2">
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
      <LeaveQuestion isAsked={isUnsaved} title="Leave without saving?" text={question} />
    </>
  );
}

interface LeaveQuestionProps {
  /** True while something would be lost. */
  readonly isAsked: boolean;
  readonly title: string;
  readonly text: string;
}

/** Asks before the person leaves a page on which something would be lost. */
export function LeaveQuestion({ isAsked, title, text }: LeaveQuestionProps) {
  const { isAsking, answer } = useLeaveQuestion(isAsked);
  return (
    <Modal isOpen={isAsking} title={title} description={text} onClose={() => answer(false)}>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button size="lg" variant="ghost" onClick={() => answer(false)}>
          Stay
        </Button>
        <Button size="lg" variant="danger" onClick={() => answer(true)}>
          Leave
        </Button>
      </div>
    </Modal>
  );
}
