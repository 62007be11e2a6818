/** Asks once before the pieces of a list cost exports: whether they are made with what preflight finds in them. */
import { buttonClass } from '@markwright/controls';
import { type Composition, findElement, toElementName } from '@markwright/scene';
import { Modal } from '../../../ui/dialog.tsx';
import { FindingLine } from '../FindingsQuestion.tsx';
import type { OpenFindings } from './findings.ts';

/** Rows that are listed. The table of the list has all. */
const MOST_ROWS = 100;

export type RowsAnswer = 'make' | 'look' | 'cancel';

export interface OpenRowsQuestion {
  readonly open: OpenFindings;
  /** `Make 24 files` */
  readonly action: string;
  /** `24 pieces, 1 production export` */
  readonly cost: string;
  answer(answer: RowsAnswer): void;
}

interface RowsQuestionProps {
  readonly question: OpenRowsQuestion;
  readonly composition: Composition;
}

export function RowsQuestion({ question, composition }: RowsQuestionProps) {
  const { open, action, cost, answer } = question;
  const { everyRow, rows } = open;
  const count = everyRow.length + rows.reduce((sum, { findings }) => sum + findings.length, 0);
  const nameOf = (elementId: string) => {
    const element = findElement(composition, elementId);
    return element && toElementName(element);
  };
  return (
    <Modal
      isOpen
      title={count === 1 ? `${action} with one open finding?` : `${action} with open findings?`}
      description={`${cost}. What Preflight found may not come out as it is shown.`}
      onClose={() => answer('cancel')}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys scroll only what has the focus */}
      <section tabIndex={0} aria-label="Findings by row" className="-mx-2 mt-4 max-h-72 overflow-auto px-2">
        {everyRow.length > 0 && (
          <section aria-label="Every row">
            <h3 className="font-medium text-graphite text-xs">Every row</h3>
            <ul className="mt-1 grid gap-1">
              {everyRow.map((finding) => (
                <FindingLine
                  key={`${finding.elementId} ${finding.kind}`}
                  finding={finding}
                  note={nameOf(finding.elementId)}
                />
              ))}
            </ul>
          </section>
        )}
        <ul
          className={`divide-y divide-line ${everyRow.length > 0 && rows.length > 0 ? 'mt-3 border-line border-t' : ''}`}
        >
          {rows.slice(0, MOST_ROWS).map(({ rowNumber, text, findings }) => (
            <li key={rowNumber} className="py-2">
              <h3 className="truncate font-normal text-graphite text-xs">
                <span className="font-medium text-ink">Row {rowNumber}</span> {text}
              </h3>
              <ul className="mt-1 grid gap-1">
                {findings.map((finding) => (
                  <FindingLine
                    key={`${finding.elementId} ${finding.kind}`}
                    finding={finding}
                    sentence={finding.sentence}
                  />
                ))}
              </ul>
            </li>
          ))}
        </ul>
        {rows.length > MOST_ROWS && (
          <p className="py-2 text-graphite text-sm">
            and {(rows.length - MOST_ROWS).toLocaleString('en-US')} more rows
          </p>
        )}
      </section>
      <div className="mt-6 grid gap-2">
        <button type="button" onClick={() => answer('look')} className={buttonClass('primary', 'lg', 'w-full')}>
          {count === 1 ? 'Look at it' : 'Look at them'}
        </button>
        <button type="button" onClick={() => answer('make')} className={buttonClass('secondary', 'lg', 'w-full')}>
          Make anyway
        </button>
      </div>
    </Modal>
  );
}
