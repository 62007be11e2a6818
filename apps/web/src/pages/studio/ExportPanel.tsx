/** The 'Design Ready!' banner, the three exports, and the questions before them. */
import { lazyPart } from '@markwright/controls';
import {
  ExportBar,
  type FindingsAnswer,
  type FormatAnswer,
  type FormatQuestion,
  PreflightPanel,
  type SceneAnswer,
  type SceneQuestion,
  useEditorState,
  useTraceStatus,
} from '@markwright/editor';
import type { Finding } from '@markwright/scene';
import { type ComponentProps, Suspense, useState } from 'react';
import { machineNames, useChosenProduct, useIsReady } from '../../products/chosenProduct.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import { FindingsQuestion, type Question } from './FindingsQuestion.tsx';
import type { OpenFormatQuestion } from './FormatDialog.tsx';
import type { OpenSceneQuestion } from './scenes/SceneDialog.tsx';

const FormatDialog = lazyPart(() => import('./FormatDialog.tsx'));
const SceneDialog = lazyPart(() => import('./scenes/SceneDialog.tsx'));

export interface ExportPanelProps extends Pick<ComponentProps<'section'>, 'className'> {
  /** A file was saved since the page was opened. */
  readonly hasExported: boolean;
}

export function ExportPanel({ hasExported, className = '' }: ExportPanelProps) {
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
  const [formatQuestion, setFormatQuestion] = useState<OpenFormatQuestion>();
  const askForFormat = (newQuestion: FormatQuestion) =>
    new Promise<FormatAnswer | undefined>((resolve) => {
      setFormatQuestion({
        ...newQuestion,
        answer(answer) {
          setFormatQuestion(undefined);
          resolve(answer);
        },
      });
    });
  const [sceneQuestion, setSceneQuestion] = useState<OpenSceneQuestion>();
  const askForScene = (newQuestion: SceneQuestion) =>
    new Promise<SceneAnswer | undefined>((resolve) => {
      setSceneQuestion({
        ...newQuestion,
        answer(answer) {
          setSceneQuestion(undefined);
          resolve(answer);
        },
      });
    });
  const isWaiting = trace === 'tracing' || trace === 'engraving' || trace === 'failed';
  return (
    // In the sheet of a phone the findings scroll, between the tabs and the buttons.
    <section aria-label="Export" className={`flex flex-col ${className}`}>
      <PreflightPanel className="flex min-h-0 flex-col border-line border-b" />
      <div className="group shrink-0 px-3 py-2.5 max-lg:low:py-1.5">
        {isReady && (
          // Where a low window has the card of a file, the inspector needs the line.
          <p
            role="status"
            className="mb-2 flex items-baseline gap-1.5 text-xs max-lg:low:mb-1 lg:low:group-has-data-made:sr-only"
          >
            <span className="shrink-0 font-semibold text-sm">
              {isWaiting ? waitingWords[trace].title : 'Design Ready!'}
            </span>
            <span className="min-w-0 truncate text-graphite">
              {isWaiting ? waitingWords[trace].sentence : [machineNames[machine], product?.name].join(', ')}
            </span>
          </p>
        )}
        <ExportBar askForFormat={askForFormat} askForScene={askForScene} askAboutFindings={ask} />
        <FindingsQuestion question={question} />
        {formatQuestion && (
          <Suspense>
            <FormatDialog
              question={formatQuestion}
              material={product?.material}
              isTapered={product?.surface?.kind === 'cone'}
            />
          </Suspense>
        )}
        {sceneQuestion && (
          <Suspense>
            <SceneDialog question={sceneQuestion} product={product} />
          </Suspense>
        )}
        {hasExported && (
          // A low window and a phone need the line for the inspector and the step; the menu leads there, too.
          <p role="status" className="mt-2 text-xs lg:low:hidden max-lg:group-has-data-made:hidden">
            <span className="text-graphite">No machine at hand?</span>{' '}
            <TextLink to="/makers">Find a local maker</TextLink>
          </p>
        )}
      </div>
    </section>
  );
}

/** Stands where 'Design Ready!' will: an export waits for a finished trace. */
const waitingWords = {
  tracing: { title: 'Tracing…', sentence: 'The exports wait for the trace.' },
  engraving: { title: 'Engraving…', sentence: 'The exports wait for the dots.' },
  failed: { title: 'Not traced', sentence: 'Trace the picture, or remove it.' },
} as const;
