/** The card after an export: what was made and what comes next, or what went wrong. */
import { Icon } from '@markwright/controls';
import { type Composition, textsOf, withoutHidden } from '@markwright/scene';
import { formatSize } from '../../core/document/measure.ts';
import { isTurnable } from '../../core/document/turn.ts';
import type { ExportOutcome } from '../../core/export/exportFlow.ts';
import { useEditor, useEditorState } from '../EditorProvider.tsx';

interface ExportOutcomeCardProps {
  readonly outcome: ExportOutcome | undefined;
  /** Absent where there is no choice of formats. */
  readonly onAnotherFormat?: (() => void) | undefined;
  /** Makes the job sheet that goes with a production file. */
  onSheet(): void;
  /** Makes the page that shows a round product unrolled at true size. */
  onPaperTest(): void;
  /** Makes the mockup in which a round product turns. */
  onSpin(): void;
  onDismiss(): void;
}

/**
 * Shows a file that was made until the design changes, so that it never speaks of another one. A failure stands until
 * it is dismissed. The notice of the export has said both already, so that neither is a live region.
 */
export function ExportOutcomeCard({ outcome, onDismiss, ...steps }: ExportOutcomeCardProps) {
  const composition = useEditorState((state) => state.composition);
  const isRound = useEditorState(({ scene }) => scene.backdrop?.surface !== undefined);
  const canTurn = useEditorState(({ scene }) => isTurnable(scene));
  if (!outcome || (outcome.kind === 'file' && outcome.composition !== composition)) return null;
  const isFailure = outcome.kind === 'failure';
  const { onAnotherFormat, onSheet, onPaperTest, onSpin } = steps;
  const title = isFailure ? outcome.title : outcome.filename;
  return (
    <section
      aria-label="Last export"
      data-made={isFailure ? undefined : ''}
      className="grid grid-cols-[16px_minmax(0,1fr)_auto] gap-x-2 border-line border-y py-1 text-xs"
    >
      <Icon
        name={isFailure ? 'warning' : 'check'}
        className={`mt-1 size-4 ${isFailure ? 'text-danger' : 'text-success'}`}
      />
      <p className="min-w-0 truncate py-1 font-medium" title={title}>
        {title}
      </p>
      <button
        type="button"
        aria-label="Dismiss the last export"
        onClick={onDismiss}
        className="grid size-6 place-items-center rounded-control text-graphite hover:text-ink focus-visible:outline-2 focus-visible:outline-accent pointer-coarse:size-9"
      >
        <Icon name="close" className="size-4" />
      </button>
      {isFailure ? (
        <p className={`${below} pb-1 text-graphite`}>{outcome.description}</p>
      ) : (
        <FileLines file={outcome} />
      )}
      {!isFailure && (
        <NextSteps
          composition={composition}
          {...(outcome.exportKind === 'production' && { onAnotherFormat, onSheet })}
          {...(outcome.exportKind === 'production' && isRound && { onPaperTest })}
          {...(outcome.exportKind === 'png' && outcome.format === 'PNG' && canTurn && { onSpin })}
        />
      )}
    </section>
  );
}

/** The columns beside the icon. */
const below = 'col-start-2 col-end-4';

type MadeFile = Extract<ExportOutcome, { kind: 'file' }>;

function FileLines({ file: { exportKind, format, findings } }: { file: MadeFile }) {
  const scene = useEditorState((state) => state.scene);
  const size = { width: scene.widthMm, height: scene.heightMm };
  const sizes = {
    production: `${formatSize(size, 'mm')} · ${formatSize(size, 'in')}`,
    customSvg: '1000 × 1000 px',
    png: 'mockup',
  };
  const open = findings === 1 ? '1 finding of Preflight left open' : `${findings} findings of Preflight left open`;
  return (
    // A low phone needs the lines for the step.
    <div className={`${below} text-graphite max-sm:low:hidden`}>
      <p>{`${format} · ${sizes[exportKind]}`}</p>
      <p className="max-lg:hidden">
        {exportKind !== 'png' && `${findings === 0 ? 'Checks passed' : open} · `}
        in your downloads
      </p>
    </div>
  );
}

/** Buttons for what comes after a file: another format, its job sheet, a moving mockup, the same with another name. */
function NextSteps({
  composition,
  onAnotherFormat,
  onSheet,
  onPaperTest,
  onSpin,
}: Partial<Pick<ExportOutcomeCardProps, 'onAnotherFormat' | 'onSheet' | 'onPaperTest' | 'onSpin'>> & {
  composition: Composition;
}) {
  const editor = useEditor();
  const name = textsOf(withoutHidden(composition)).find(({ text, isLocked }) => text.trim() && !isLocked);
  if (!name && !onSheet && !onSpin) return null;
  return (
    <div className="col-span-3 flex flex-wrap justify-between gap-x-1 max-lg:justify-start max-lg:gap-x-4 max-lg:pl-6">
      {onAnotherFormat && (
        <button
          type="button"
          aria-label="Make another format"
          aria-haspopup="dialog"
          onClick={onAnotherFormat}
          className={link}
        >
          {onPaperTest ? 'Format' : 'Another format'}
        </button>
      )}
      {onSheet && (
        <button type="button" onClick={onSheet} className={link}>
          Job sheet
        </button>
      )}
      {onPaperTest && (
        <button
          type="button"
          title="The blank unrolled at 1:1, to print and lay round it"
          onClick={onPaperTest}
          className={link}
        >
          Paper test
        </button>
      )}
      {onSpin && (
        <button type="button" onClick={onSpin} className={link}>
          Moving picture (WebP)
        </button>
      )}
      {name && (
        <button
          type="button"
          aria-label="Next name: edit the text"
          onClick={() => editor.editText(name.id)}
          className={link}
        >
          Next name
        </button>
      )}
    </div>
  );
}

const link =
  'min-h-7 low:min-h-6 rounded-control text-accent underline underline-offset-4 focus-visible:outline-2 focus-visible:outline-accent pointer-coarse:min-h-9';
