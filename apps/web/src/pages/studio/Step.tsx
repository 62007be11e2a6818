/** One of the four numbered steps: its number, title, check, and a hint that can be put away for good. */
import { Icon, IconButton } from '@markwright/controls';
import { type ReactNode, useId } from 'react';

export interface StepProps {
  readonly number: number;
  readonly title: string;
  /** Stands beside the title once the step is done: the chosen thing. */
  readonly summary?: string | undefined;
  readonly isActive: boolean;
  readonly isDone: boolean;
  readonly hint?: string | undefined;
  onDismissHint(): void;
  /** Given where the steps fold. */
  readonly isOpen?: boolean;
  onToggle?(): void;
  readonly children: ReactNode;
}

export function Step(props: StepProps) {
  const { number, isActive, isDone, isOpen = true, onToggle, hint, children } = props;
  const id = useId();
  const head = <StepHead {...props} />;
  return (
    <section
      aria-labelledby={`${id}-title`}
      data-step={number}
      data-state={isDone ? 'done' : isActive ? 'active' : 'waiting'}
      className={`border-line border-b px-4 py-4 last:border-b-0 ${isActive ? '' : 'text-graphite'}`}
    >
      <h2 id={`${id}-title`} className="font-sans">
        {onToggle ? (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={`${id}-body`}
            onClick={onToggle}
            className="flex min-h-11 w-full items-center gap-3 rounded-control text-left"
          >
            {head}
            <Icon
              name="chevronDown"
              className={`ml-auto size-5 text-graphite transition-transform ${isOpen ? 'rotate-180' : ''}`}
            />
          </button>
        ) : (
          <span className="flex items-center gap-3">{head}</span>
        )}
      </h2>
      <div id={`${id}-body`} hidden={!isOpen}>
        {hint && isActive && (
          <div className="mt-2 flex items-start gap-1 border-accent border-l-2 pl-3 text-graphite text-xs">
            <p className="flex-1 py-1.5">{hint}</p>
            <IconButton
              icon="close"
              label={`Dismiss the hint of step ${number}`}
              size="sm"
              onClick={props.onDismissHint}
            />
          </div>
        )}
        <div className="mt-3">{children}</div>
      </div>
    </section>
  );
}

function StepHead({ number, title, summary, isActive, isDone }: StepProps) {
  return (
    <>
      <span
        className={`grid size-7 shrink-0 place-items-center rounded-full border font-medium font-mono text-sm ${
          isDone ? 'border-accent bg-accent text-on-accent' : isActive ? 'border-accent text-accent' : 'border-edge'
        }`}
      >
        {isDone ? <Icon name="check" className="size-4" /> : number}
      </span>
      <span className="min-w-0">
        <span className="block text-base">
          <span className="sr-only">Step {number}: </span>
          {title}
          {isDone && <span className="sr-only">, done</span>}
        </span>
        {summary && <span className="block truncate font-normal text-graphite text-xs tracking-normal">{summary}</span>}
      </span>
    </>
  );
}
