/** The way from “Make” to the batch: an account first, then the question about findings, once for the same ones. */
import { hasAccount, usePorts, usePreflight } from '@markwright/editor';
import { useRef, useState } from 'react';
import type { FittedRow } from '../../../studioHost/useFits.ts';
import { gatherFindings, hasFindings } from './findings.ts';
import type { OpenRowsQuestion, RowsAnswer } from './RowsQuestion.tsx';

interface RowsQuestionOptions {
  /** The pieces that are made, with the numbers of their rows. */
  readonly pieces: { readonly fits: readonly FittedRow[]; readonly rowNumbers: readonly number[] };
  /** The elements that no piece shows as the stage does. */
  readonly otherIds: ReadonlySet<string>;
  readonly action: string;
  readonly cost: string;
  make(): void;
  /** Goes to a row, by its place in the list. */
  onLook(place: number): void;
  /** Closes the dialog, where what is found is a matter of the stage. */
  onClose(): void;
}

export function useRowsQuestion({ pieces, otherIds, action, cost, make, onLook, onClose }: RowsQuestionOptions) {
  const ports = usePorts();
  const [, preflight] = usePreflight();
  const [question, setQuestion] = useState<OpenRowsQuestion>();
  const acceptedKey = useRef('');

  function ask(): void {
    if (!hasAccount(ports, 'production')) return;
    const ofStage = preflight.judgeNow().filter(({ elementId }) => !otherIds.has(elementId));
    const open = gatherFindings(ofStage, pieces.fits, pieces.rowNumbers);
    const key = JSON.stringify(open);
    if (!hasFindings(open) || key === acceptedKey.current) {
      make();
      return;
    }
    setQuestion({
      ...{ open, action, cost },
      answer(answer: RowsAnswer) {
        setQuestion(undefined);
        if (answer === 'make') {
          acceptedKey.current = key;
          make();
        }
        if (answer !== 'look') return;
        const [first] = open.rows;
        if (first) onLook(first.rowNumber - 1);
        else {
          preflight.setOpen(true);
          onClose();
        }
      },
    });
  }
  return { question, ask };
}
