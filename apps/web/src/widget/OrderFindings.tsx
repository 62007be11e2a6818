/** What the machine could not make, or could not make well, said before the order. */
import { Icon } from '@markwright/controls';
import {
  FindingRow,
  findingKey,
  type PreflightFlow,
  type PreflightState,
  preflightOf,
  useDesignFlow,
  useEditor,
  useEditorState,
  usePorts,
} from '@markwright/editor';
import { type Finding, findElement, toElementName } from '@markwright/scene';
import { useEffect, useId, useState, useSyncExternalStore } from 'react';

export interface OrderCheck {
  readonly state: PreflightState;
  readonly flow: PreflightFlow;
  /** Resolves with the findings when everything on the stage is measured. */
  settle(): Promise<readonly Finding[]>;
}

/** A device that measures longer than this orders without the measurement. */
const MEASURE_LIMIT_MS = 8_000;

const isSettled = ({ isCurrent, isMeasuring }: PreflightState): boolean => isCurrent && !isMeasuring;

/** Checks the stage while the order is open, and marks on it what was found. */
export function useOrderCheck(isOpen: boolean): OrderCheck {
  const editor = useEditor();
  const ports = usePorts();
  const designs = useDesignFlow();
  const [flow] = useState(() => preflightOf(editor, ports, designs));
  const state = useSyncExternalStore(isOpen ? flow.subscribe : subscribeToNothing, flow.getState);
  useEffect(() => {
    if (!isOpen) return;
    flow.setOpen(true);
    return () => flow.setOpen(false);
  }, [flow, isOpen]);
  return {
    state,
    flow,
    settle: () =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          unsubscribe();
          resolve(flow.getState().findings ?? []);
        };
        const timer = setTimeout(end, MEASURE_LIMIT_MS);
        const unsubscribe = flow.subscribe(() => isSettled(flow.getState()) && end());
        if (isSettled(flow.getState())) end();
      }),
  };
}

const subscribeToNothing = () => () => undefined;

/** The findings with their fixes, and the tick for those that stay. */
export function FindingList({ check, error }: { check: OrderCheck; error: string | undefined }) {
  const { state, flow } = check;
  const { findings = [] } = state;
  const composition = useEditorState(({ composition }) => composition);
  const errorId = useId();
  const count = findings.length;
  // What is ticked holds for these findings with these figures, and for no others.
  const tickKey = findings.map((finding) => `${findingKey(finding)} ${finding.sentence}`).join('\n');
  return (
    <div>
      <p role="status" className={count > 0 ? 'sr-only' : 'flex items-center gap-1.5 text-graphite text-sm'}>
        {count === 0 && isSettled(state) && <Icon name="check" className="size-4 shrink-0 text-success" />}
        {count > 0
          ? `${count} to look at before you order`
          : isSettled(state)
            ? 'Everything can be made as it is shown.'
            : 'Checking sizes and lines…'}
      </p>
      {count > 0 && (
        <section aria-label="Before you order" className="rounded-card border border-line bg-bone">
          <h3 className="flex items-center gap-2 px-3 pt-3 text-base">
            <Icon name="warning" className="size-[18px] shrink-0 text-danger" />
            {count === 1 ? 'One thing to look at' : `${count} things to look at`}
          </h3>
          <ul className="divide-y divide-line">
            {findings.map((finding) => {
              const element = findElement(composition, finding.elementId);
              return (
                <FindingRow
                  key={findingKey(finding)}
                  finding={finding}
                  name={element && toElementName(element)}
                  flow={flow}
                  isShown={findingKey(finding) === state.shownKey}
                />
              );
            })}
          </ul>
          <label className="flex min-h-11 cursor-pointer items-start gap-2.5 border-line border-t px-3 py-3 text-sm">
            <input
              key={tickKey}
              type="checkbox"
              name="asItIs"
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? errorId : undefined}
              className="mt-0.5 size-4 shrink-0 accent-accent pointer-coarse:size-5"
            />
            <span>
              <span className="block font-medium">Order it as it is</span>
              {error && (
                <span id={errorId} role="alert" className="block text-danger text-xs">
                  {error}
                </span>
              )}
            </span>
          </label>
        </section>
      )}
    </div>
  );
}
