/** One of the four numbered steps: its number, title, check, and a hint that can be put away for good. */
import { Icon, IconButton } from '@markwright/controls';
import type { ReactNode } from 'react';

export interface StepProps {
  /** Of the element that `aria-controls` of the head names. */
  readonly id: string;
  readonly number: number;
  readonly title: string;
  /** One word for the title, where four heads stand beside each other. */
  readonly word: string;
  /** Stands in the folded line once the step is done: what was chosen. */
  readonly summary?: string | undefined;
  readonly isActive: boolean;
  readonly isDone: boolean;
  readonly isOpen: boolean;
  readonly hint?: string | undefined;
  onDismissHint(): void;
  onToggle(): void;
  readonly content: ReactNode;
  /** Stays in sight below the line of the folded step. */
  readonly detail?: ReactNode;
  /** Stands in the head of the open step. */
  readonly aside?: ReactNode;
}

const stateOf = ({ isDone, isActive }: StepProps) => (isDone ? 'done' : isActive ? 'active' : 'waiting');

/** A step of a column. It folds to one line; the open one shrinks where the column is full, and scrolls. */
export function Step(props: StepProps) {
  const { id, number, isActive, isOpen, onToggle, aside } = props;
  return (
    <section
      aria-labelledby={`${id}-title`}
      data-step={number}
      data-state={stateOf(props)}
      className={`relative flex flex-col border-line border-b last:border-b-0 ${isOpen && number > 1 ? 'min-h-32' : 'shrink-0'} ${isActive ? '' : 'text-graphite'}`}
    >
      <h2 id={`${id}-title`} className="shrink-0 font-sans">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={onToggle}
          className="group flex min-h-11 w-full items-center gap-2.5 px-4 text-left low:min-h-9 focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent"
        >
          <LineHead {...props} />
        </button>
      </h2>
      {!isOpen && props.detail}
      {isOpen && aside && <div className="absolute top-0 right-9 flex h-11 items-center low:h-9">{aside}</div>}
      <div
        id={id}
        hidden={!isOpen}
        // The list of products shows what fits into the height that it is given.
        className={`relative min-h-0 scroll-pb-14 overflow-y-auto overscroll-contain px-4 pt-1 pb-3 [scrollbar-width:thin] ${number === 2 && isOpen ? 'flex flex-col' : ''}`}
      >
        <StepContent {...props} />
      </div>
    </section>
  );
}

function LineHead(props: StepProps) {
  const { summary, isDone, isOpen } = props;
  const isAnswer = isDone && !isOpen && summary !== undefined;
  return (
    <>
      <Circle {...props} />
      <span className="min-w-0 flex-1 truncate text-base">
        <StepName {...props} isTitleShown={!isAnswer} />
        {isAnswer && <span className="font-medium tracking-normal">{summary}</span>}
      </span>
      {isAnswer ? (
        <span className="shrink-0 font-normal text-graphite text-xs tracking-normal group-hover:text-accent">
          Change
        </span>
      ) : (
        <Icon
          name="chevronDown"
          className={`size-4 shrink-0 text-graphite transition-transform ${isOpen ? 'rotate-180' : ''}`}
        />
      )}
      {isDone && <span className="sr-only">, done</span>}
    </>
  );
}

/** The head of a step among four beside each other. */
export function StepTab(props: StepProps) {
  const { id, word, isActive, isDone, isOpen, onToggle } = props;
  return (
    <h2
      id={`${id}-title`}
      className={`min-w-0 flex-1 font-sans ${isOpen ? 'max-[359px]:flex-2 max-[419px]:low:flex-2' : ''}`}
    >
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={onToggle}
        className={`flex h-11 w-full items-center justify-center gap-1.5 max-sm:low:h-10 border-b-2 text-xs focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent ${isOpen ? 'border-accent' : 'border-transparent'} ${isActive ? '' : 'text-graphite'}`}
      >
        <Circle {...props} />
        <span
          aria-hidden="true"
          className={`font-medium ${isOpen ? '' : 'max-[359px]:sr-only max-[419px]:low:sr-only'}`}
        >
          {word}
        </span>
        <StepName {...props} isTitleShown={false} />
        {isDone && <span className="sr-only">, done</span>}
      </button>
    </h2>
  );
}

/**
 * The controls of a step, under its `StepTab`. Hidden while another step is open. The title stands over them where the
 * sheet has the height.
 */
export function StepPanel(props: StepProps) {
  const { id, number, title, isOpen } = props;
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      data-step={number}
      data-state={stateOf(props)}
      hidden={!isOpen}
      className="px-4 pt-2 pb-4 max-sm:low:pt-0"
    >
      <p aria-hidden="true" className="mb-1 hidden font-semibold text-base in-data-[sheet=full]:block">
        {title}
      </p>
      <StepContent {...props} />
    </section>
  );
}

function StepName({ number, title, isTitleShown }: StepProps & { isTitleShown: boolean }) {
  return (
    <>
      <span className="sr-only">Step {number}: </span>
      <span className={isTitleShown ? undefined : 'sr-only'}>{title} </span>
    </>
  );
}

function Circle({ number, isDone, isActive }: StepProps) {
  return (
    <span
      className={`grid size-6 shrink-0 place-items-center rounded-full border font-medium font-mono text-xs ${
        isDone ? 'border-accent bg-accent text-on-accent' : isActive ? 'border-accent text-accent' : 'border-edge'
      }`}
    >
      {isDone ? <Icon name="check" className="size-3.5" /> : number}
    </span>
  );
}

function StepContent({ number, hint, isActive, onDismissHint, content }: StepProps) {
  return (
    <>
      {hint && isActive && (
        <div className="mb-3 flex shrink-0 items-start gap-1 border-accent border-l-2 pl-2.5 text-graphite text-xs low:mb-2">
          <p className="flex-1 py-1">{hint}</p>
          <IconButton icon="close" label={`Dismiss the hint of step ${number}`} size="sm" onClick={onDismissHint} />
        </div>
      )}
      {content}
    </>
  );
}
