/** Shows what the machine could not make: a line with a count, a list, and crop marks on the stage. */
import { Icon } from '@markwright/controls';
import { type Finding, findElement, type Point, toElementName } from '@markwright/scene';
import { useMemo, useState } from 'react';
import { type StageView, sceneToScreen } from '../../core/pointer/stageView.ts';
import {
  findingKey,
  type PreflightFlow,
  type PreflightState,
  preflightOf,
} from '../../core/preflight/preflightFlow.ts';
import { useDesignFlow, useEditor, useEditorState, usePorts, useStore } from '../EditorProvider.tsx';
import { FindingRow } from './FindingRow.tsx';

function usePreflight(): [PreflightState, PreflightFlow] {
  const editor = useEditor();
  const ports = usePorts();
  const designs = useDesignFlow();
  const [flow] = useState(() => preflightOf(editor, ports, designs));
  return [useStore(flow, (state) => state), flow];
}

const PANEL_ID = 'preflight';

/** The words for a picture that is not judged yet. */
const untracedWords = { tracing: 'After the trace', failed: 'Not traced' } as const;

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
        className="flex min-h-9 w-full items-center gap-2 px-4 text-left text-sm focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent pointer-coarse:min-h-11"
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
        <div className="mt-1 max-h-[30dvh] overflow-y-auto [scrollbar-width:thin] max-lg:max-h-none">
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
                  flow={flow}
                />
              ))}
            </ul>
          )}
        </div>
      )}
    </section>
  );
}

const untracedSentences = {
  tracing: 'Lines and gaps are measured when the picture is traced.',
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

/** Marks closer than this are drawn as one. */
const NEAR_PX = 10;
const GAP_PX = 5;
const MIN_SIDE_PX = 8;
const ARM_PX = 6;

interface ScreenBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Crop marks around each place while the list is open, quiet until a finding is shown. Away while anything moves. */
export function PreflightMarks({ view }: { view: StageView }) {
  const [{ findings, isCurrent, isOpen, shownKey }] = usePreflight();
  const isGesturing = useEditorState((state) => state.isGesturing);
  if (!findings || !isOpen || !isCurrent || isGesturing) return null;
  return <Marks view={view} findings={findings} shownKey={shownKey} />;
}

function Marks({
  view,
  findings,
  shownKey,
}: {
  view: StageView;
  findings: readonly Finding[];
  shownKey: string | undefined;
}) {
  const marks = useMemo(
    () =>
      findings
        // A finding about a whole element is marked only on demand.
        .filter((finding) => findingKey(finding) === shownKey || !['lowResolution', 'smallText'].includes(finding.kind))
        .map((finding) => ({
          finding,
          boxes: joinNear(finding.places.map((place) => boxOf(place.map((point) => sceneToScreen(view, point))))),
        })),
    [findings, shownKey, view],
  );
  return (
    <svg
      aria-hidden="true"
      data-preflight=""
      className="pointer-events-none absolute inset-0 size-full overflow-hidden"
    >
      {marks.map(({ finding, boxes }) => {
        const isShown = findingKey(finding) === shownKey;
        const color = finding.severity === 'problem' ? 'stroke-danger' : 'stroke-ink';
        const d = boxes.map(cropMarks).join('');
        return (
          <g key={findingKey(finding)} data-finding={finding.kind} className={shownKey && !isShown ? 'opacity-40' : ''}>
            <path d={d} fill="none" strokeWidth={isShown ? 4.5 : 3} className="stroke-bone/85" />
            <path d={d} fill="none" strokeWidth={isShown ? 2 : 1.25} className={color} />
          </g>
        );
      })}
    </svg>
  );
}

function boxOf(points: readonly Point[]): ScreenBox {
  const box = {
    left: Math.min(...points.map(({ x }) => x)),
    top: Math.min(...points.map(({ y }) => y)),
    right: Math.max(...points.map(({ x }) => x)),
    bottom: Math.max(...points.map(({ y }) => y)),
  };
  const growX = GAP_PX + Math.max(0, MIN_SIDE_PX - (box.right - box.left)) / 2;
  const growY = GAP_PX + Math.max(0, MIN_SIDE_PX - (box.bottom - box.top)) / 2;
  return { left: box.left - growX, top: box.top - growY, right: box.right + growX, bottom: box.bottom + growY };
}

/** Merges marks that lie close together. Cost: the square of their number, which is at most some hundred. */
function joinNear(boxes: readonly ScreenBox[]): ScreenBox[] {
  const mergedBoxes: ScreenBox[] = [];
  for (const box of boxes) {
    let union = box;
    for (let i = mergedBoxes.length - 1; i >= 0; i--) {
      const other = mergedBoxes[i]!;
      const isFar =
        other.left > union.right + NEAR_PX ||
        other.right < union.left - NEAR_PX ||
        other.top > union.bottom + NEAR_PX ||
        other.bottom < union.top - NEAR_PX;
      if (isFar) continue;
      union = {
        left: Math.min(union.left, other.left),
        top: Math.min(union.top, other.top),
        right: Math.max(union.right, other.right),
        bottom: Math.max(union.bottom, other.bottom),
      };
      mergedBoxes.splice(i, 1);
      i = mergedBoxes.length;
    }
    mergedBoxes.push(union);
  }
  return mergedBoxes;
}

function cropMarks({ left, top, right, bottom }: ScreenBox): string {
  const armX = Math.min(ARM_PX, (right - left) / 3);
  const armY = Math.min(ARM_PX, (bottom - top) / 3);
  return (
    `M${left} ${top + armY}V${top}H${left + armX}M${right - armX} ${top}H${right}V${top + armY}` +
    `M${right} ${bottom - armY}V${bottom}H${right - armX}M${left + armX} ${bottom}H${left}V${bottom - armY}`
  );
}
