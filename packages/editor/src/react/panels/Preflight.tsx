/** Shows what the machine could not make: a line with a count, and a list with what mends it. */
import { Button, Icon, Switch } from '@markwright/controls';
import { type DroppedDetail, findElement, mendAll, toElementName } from '@markwright/scene';
import { useEffect, useMemo, useRef } from 'react';
import { findingKey, MENDS_KEY, type PreflightFlow, type PreflightState } from '../../core/preflight/preflightFlow.ts';
import { useEditorState } from '../EditorProvider.tsx';
import { FindingRow } from './FindingRow.tsx';
import { usePreflight } from './usePreflight.ts';

const PANEL_ID = 'preflight';

/** The words for a picture that is not judged yet. */
const untracedWords = { tracing: 'After the trace', engraving: 'After the engraving', failed: 'Not traced' } as const;

function say({ findings = [], untraced }: Pick<PreflightState, 'findings' | 'untraced'>): string {
  if (findings.length > 0) return `${findings.length} to look at`;
  return untraced ? untracedWords[untraced] : 'All clear';
}

function Verdict({ findings = [], untraced }: Pick<PreflightState, 'findings' | 'untraced'>) {
  if (untraced && findings.length === 0) return <Icon name="image" className="size-4 text-graphite" />;
  const isClear = findings.length === 0;
  const isProblem = findings.some(({ severity }) => severity === 'problem');
  const look = isClear ? 'text-success' : isProblem ? 'text-danger' : 'text-graphite';
  return <Icon name={isClear ? 'check' : 'warning'} className={`size-4 ${look}`} />;
}

/** The open list of findings. `PreflightCount` opens it. */
export function PreflightPanel({ className = '' }: { className?: string }) {
  const [state, flow] = usePreflight();
  const { findings, untraced, isMeasuring, isOpen, shownKey } = state;
  const composition = useEditorState((state) => state.composition);
  const mendingFlow = useFocusAfterMend(flow, state);
  if (!findings || !isOpen) return null;
  const nameOf = (elementId: string) => {
    const element = findElement(composition, elementId);
    return element && toElementName(element);
  };
  return (
    <section aria-label="Preflight" className={className}>
      <button
        id={PANEL_ID}
        type="button"
        aria-expanded={isOpen}
        onClick={() => flow.setOpen(!isOpen)}
        className="flex min-h-9 w-full shrink-0 items-center gap-2 px-4 text-left text-sm focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent pointer-coarse:min-h-11"
      >
        <Verdict {...state} />
        <span className="font-medium">Preflight</span>
        <span className="ml-auto text-graphite text-xs">
          {isMeasuring && findings.length === 0 ? 'Measuring' : say(state)}
        </span>
        <Icon
          name="chevronDown"
          className={`size-4 text-graphite transition-transform ${isOpen ? 'rotate-180' : ''}`}
        />
      </button>
      {isOpen && (
        <div className="mt-1 max-h-[30dvh] overflow-y-auto overscroll-contain [scrollbar-width:thin] max-lg:max-h-none">
          <MendAll findings={findings} flow={mendingFlow} />
          {findings.length === 0 ? (
            <p className="px-3 py-2 text-graphite text-xs">
              {untraced
                ? untracedSentences[untraced]
                : isMeasuring
                  ? 'Lines and gaps are being measured.'
                  : 'Lines, gaps, text, resolution and place suit this machine.'}
            </p>
          ) : (
            <ul aria-label="Findings" className="divide-y divide-line">
              {findings.map((finding) => (
                <FindingRow
                  key={findingKey(finding)}
                  finding={finding}
                  name={nameOf(finding.elementId)}
                  isShown={findingKey(finding) === shownKey}
                  flow={mendingFlow}
                />
              ))}
            </ul>
          )}
          <FileMendsRow state={state} flow={mendingFlow} />
          {state.dropped && state.dropped.count > 0 && (
            <DroppedRow dropped={state.dropped} isShown={state.isDroppedShown} flow={flow} />
          )}
        </div>
      )}
    </section>
  );
}

/** Returns a flow that leads the focus back to the heading when a mend takes the button away that was pressed. */
function useFocusAfterMend(flow: PreflightFlow, { findings, mends }: PreflightState): PreflightFlow {
  const hasMended = useRef(false);
  useEffect(() => {
    // The row of what was mended goes with one of these.
    if (!(findings || mends) || !hasMended.current || document.activeElement !== document.body) return;
    hasMended.current = false;
    document.getElementById(PANEL_ID)?.focus();
  }, [findings, mends]);
  return useMemo(() => {
    const andRemember = <Input extends unknown[]>(mend: (...input: Input) => void) => {
      return (...input: Input) => {
        hasMended.current = true;
        mend(...input);
      };
    };
    const { fix, mendAll, reopenGaps } = flow;
    return { ...flow, fix: andRemember(fix), mendAll: andRemember(mendAll), reopenGaps: andRemember(reopenGaps) };
  }, [flow]);
}

function MendAll({ findings, flow }: { findings: NonNullable<PreflightState['findings']>; flow: PreflightFlow }) {
  const mends = useMemo(() => mendAll(findings), [findings]);
  if (!mends) return null;
  return (
    <div className="flex items-center gap-2 border-line border-b px-3 pt-1 pb-2.5">
      <p className="min-w-0 text-graphite text-xs">{mends.count} faults in cuts can be mended here.</p>
      <Button size="sm" className="ml-auto shrink-0" onClick={() => flow.mendAll()}>
        Mend all
      </Button>
    </div>
  );
}

/** The row on faults that the production file mends by itself, such as lines drawn twice. */
function FileMendsRow({ state: { mends, shownKey }, flow }: { state: PreflightState; flow: PreflightFlow }) {
  if (!mends || mends.words.length === 0) return null;
  const isShown = shownKey === MENDS_KEY;
  return (
    <div className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2 border-line border-t px-3 py-2.5">
      <Icon name="check" className="mt-0.5 size-4 text-success" />
      <div className="min-w-0">
        <p className="text-graphite text-xs">Mended in the file: {mends.words.join(', ')}.</p>
        <div className="mt-2 flex flex-wrap gap-1.5">
          <Button
            size="sm"
            aria-pressed={isShown}
            aria-label="Show: mended in the file"
            onClick={() => flow.showMends()}
            className="aria-pressed:border-accent! aria-pressed:text-accent!"
          >
            Show
          </Button>
          {mends.reopen && (
            <Button size="sm" onClick={() => flow.reopenGaps()}>
              Open the gaps again
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

function DroppedRow({
  dropped: { count, areaMm2 },
  isShown,
  flow,
}: {
  dropped: DroppedDetail;
  isShown: boolean;
  flow: PreflightFlow;
}) {
  const area = areaMm2 < LEAST_SHOWN_MM2 ? `under ${LEAST_SHOWN_MM2} mm²` : `${areaMm2.toFixed(2)} mm²`;
  const label = 'Show what the machine cannot hold';
  return (
    <div className="flex items-center gap-3 border-line border-t px-3 py-2.5">
      <p className="min-w-0 text-xs">
        {label}
        <span className="mt-0.5 block text-graphite">
          {`${count === 1 ? 'One part' : `${count} parts`}, ${area}, left out of the file`}
        </span>
      </p>
      <span className="ml-auto flex">
        <Switch label={label} checked={isShown} onChange={(isOn) => flow.setDroppedShown(isOn)} />
      </span>
    </div>
  );
}

/** Smaller areas are not told apart. */
const LEAST_SHOWN_MM2 = 0.01;

const untracedSentences = {
  tracing: 'Lines and gaps are measured when the picture is traced.',
  engraving: 'The picture is checked when it is engraved.',
  failed: 'The picture is not traced, so there is nothing to measure. Trace it, or remove it.',
} as const;

/** The count, for a status line: leads to the list. */
export function PreflightCount() {
  const [state, flow] = usePreflight();
  const { findings, isOpen } = state;
  if (!findings) return null;
  const toggle = () => {
    flow.setOpen(!isOpen);
    // Once the panel is there.
    if (!isOpen) requestAnimationFrame(() => document.getElementById(PANEL_ID)?.focus());
  };
  return (
    <>
      <button
        type="button"
        onClick={toggle}
        aria-expanded={isOpen}
        aria-label={`Preflight: ${say(state).toLowerCase()}`}
        className="inline-flex min-h-6 min-w-6 shrink-0 items-center gap-1 rounded-control px-1 hover:text-ink focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent"
      >
        <Verdict {...state} />
        <span className="max-sm:hidden">Preflight</span>
        {findings.length > 0 && <span className="text-ink">{findings.length}</span>}
      </button>
      <span role="status" className="sr-only">
        {`Preflight: ${say(state).toLowerCase()}`}
      </span>
    </>
  );
}
