/** Asks before a file with open findings costs an export. */

import { buttonClass, Icon } from '@markwright/controls';
import { type FindingsAnswer, useEditorState } from '@markwright/editor';
import { type Finding, findElement, toElementName } from '@markwright/scene';
import { Modal } from '../../ui/dialog.tsx';

/** Findings that are listed. The others are in the list of Preflight. */
const MOST_LISTED = 4;

export interface Question {
  readonly findings: readonly Finding[];
  answer(answer: FindingsAnswer): void;
}

export function FindingsQuestion({ question }: { question: Question | undefined }) {
  const composition = useEditorState((state) => state.composition);
  const findings = question?.findings ?? [];
  const nameOf = ({ elementId }: Finding) => {
    const element = findElement(composition, elementId);
    return element && toElementName(element);
  };
  const isOne = findings.length === 1;
  return (
    <Modal
      isOpen={question !== undefined}
      title={isOne ? 'Export with one open finding?' : `Export with ${findings.length} open findings?`}
      description="The file costs an export. What Preflight found may not come out as it is shown."
      onClose={() => question?.answer('cancel')}
    >
      <ul className="mt-4 grid gap-2">
        {findings.slice(0, MOST_LISTED).map((finding) => (
          <FindingLine key={`${finding.elementId} ${finding.kind}`} finding={finding} note={nameOf(finding)} />
        ))}
        {findings.length > MOST_LISTED && (
          <li className="pl-6 text-graphite text-sm">and {findings.length - MOST_LISTED} more</li>
        )}
      </ul>
      <div className="mt-6 grid gap-2">
        <button
          type="button"
          onClick={() => question?.answer('look')}
          className={buttonClass('primary', 'lg', 'w-full')}
        >
          {isOne ? 'Look at it' : 'Look at them'}
        </button>
        <button
          type="button"
          onClick={() => question?.answer('export')}
          className={buttonClass('secondary', 'lg', 'w-full')}
        >
          Export anyway
        </button>
      </div>
    </Modal>
  );
}

interface FindingLineProps {
  readonly finding: Finding;
  /** The name of its element. */
  readonly note?: string | undefined;
  /** Its figures, on a line of their own. */
  readonly sentence?: string;
}

/** Shows a finding: its title, the name of its element, and its figures. */
export function FindingLine({ finding, note, sentence }: FindingLineProps) {
  return (
    <li className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2">
      <Icon
        name="warning"
        className={`mt-1 size-4 ${finding.severity === 'problem' ? 'text-danger' : 'text-graphite'}`}
      />
      <div className="min-w-0">
        <p className="flex min-w-0 items-baseline gap-2">
          <span className="shrink-0 font-medium">{finding.title}</span>
          <span className="min-w-0 truncate text-graphite text-sm">{note}</span>
        </p>
        {sentence && <p className="text-graphite text-sm">{sentence}</p>}
      </div>
    </li>
  );
}
