/** The 'Design Ready!' banner and the three exports. */
import { ExportBar, type FindingsAnswer, PreflightPanel, useEditorState, useTraceStatus } from '@markwright/editor';
import type { Finding } from '@markwright/scene';
import { type ComponentProps, useState } from 'react';
import { machineNames, useChosenProduct, useIsReady } from '../../products/chosenProduct.ts';
import type { Allowance } from '../../session.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { FindingsQuestion, type Question } from './FindingsQuestion.tsx';

export interface ExportPanelProps extends Pick<ComponentProps<'section'>, 'className'> {
  readonly allowance: Allowance;
  /** A file was saved since the page was opened. */
  readonly hasExported: boolean;
}

export function ExportPanel({ allowance, hasExported, className = '' }: ExportPanelProps) {
  const isReady = useIsReady();
  const trace = useTraceStatus();
  const machine = useEditorState((state) => state.composition.machine);
  const product = useChosenProduct();
  const [question, setQuestion] = useState<Question>();
  const ask = (findings: readonly Finding[]) =>
    new Promise<FindingsAnswer>((resolve) => {
      setQuestion({
        findings,
        answer(answer) {
          setQuestion(undefined);
          resolve(answer);
        },
      });
    });
  const isWaiting = trace === 'tracing' || trace === 'failed';
  return (
    <section aria-label="Export" className={`px-4 py-4 ${className}`}>
      {isReady && (
        <div role="status" className={`mb-3 border-l-2 pl-3 ${isWaiting ? 'border-edge' : 'border-accent'}`}>
          <p className="font-semibold">{isWaiting ? waitingWords[trace].title : 'Design Ready!'}</p>
          <p className="text-graphite text-sm">
            {isWaiting ? waitingWords[trace].sentence : machineNames[machine]}
            {!isWaiting && product && `, ${product.name}`}
          </p>
        </div>
      )}
      <PreflightPanel className="mb-3" />
      <ExportBar askAboutFindings={ask} />
      <FindingsQuestion question={question} />
      {hasExported && (
        <p role="status" className="mt-3 text-sm">
          <span className="text-graphite">No machine at hand?</span>{' '}
          <TextLink to="/makers">Find a local maker</TextLink>
        </p>
      )}
      <Left allowance={allowance} />
    </section>
  );
}

/** Stands where 'Design Ready!' will: an export waits for a finished trace. */
const waitingWords = {
  tracing: { title: 'Tracing…', sentence: 'The exports wait for the trace.' },
  failed: { title: 'Not traced', sentence: 'Trace the picture, or remove it.' },
} as const;

/** The exports and mockups left, and a link to the plans when there are none. */
function Left({ allowance: { stats } }: { allowance: Allowance }) {
  if (!stats) return null;
  const exports = Math.max(0, stats.vectorsLimit - stats.vectorsUsed);
  const mockups = Math.max(0, stats.mockupsLimit - stats.mockupsUsed);
  return (
    <p className="mt-3 flex flex-wrap items-baseline justify-between gap-x-4 text-graphite text-sm tabular-nums">
      {exports} {exports === 1 ? 'export' : 'exports'} and {mockups} {mockups === 1 ? 'mockup' : 'mockups'} left
      {(exports === 0 || mockups === 0) && <TextLink to="/plans">See the plans</TextLink>}
    </p>
  );
}
