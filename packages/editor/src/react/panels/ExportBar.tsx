import { type MockupScene, mockupSceneNames } from '@markwright/contract/words';
import { Button, Icon } from '@markwright/controls';
import { hasContent, type MachineMode } from '@markwright/scene';
import { useRef, useState } from 'react';
import { hasDots } from '../../core/engraving/engravedElements.ts';
import { createExportFlow } from '../../core/export/exportFlow.ts';
import type { AskAboutFindings } from '../../core/export/findingsGate.ts';
import {
  type FormatChoice,
  findFormat,
  firstChoice,
  mirrorNote,
  toFitChoice,
} from '../../core/export/productionFormats.ts';
import { canExport, type ExportPorts, type Ports } from '../../core/ports.ts';
import {
  useDesignFlow,
  useEditor,
  useEditorState,
  usePlaceWords,
  usePorts,
  useStore,
  useTraceStatus,
} from '../EditorProvider.tsx';
import { ExportOutcomeCard } from './ExportOutcomeCard.tsx';
import { sayTraceStage } from './traceStages.ts';

/** The question for the format of the production file. */
export interface FormatQuestion {
  readonly machine: MachineMode;
  /** The choice so far. */
  readonly choice: FormatChoice;
  /** False while there is nothing to export. */
  readonly isReady: boolean;
  /** True for a photograph in dots, which formats of outlines cannot hold. */
  readonly hasDots: boolean;
}

/** The answer to the question for a format: the choice, and whether to make the file at once. */
export interface FormatAnswer {
  readonly choice: FormatChoice;
  readonly isExport: boolean;
}

/** The question for what the PNG stands in. */
export interface SceneQuestion {
  /** The choice so far; undefined: white. */
  readonly scene: MockupScene | undefined;
}

/** The answer to the question for a scene, by which the PNG is made at once. */
export interface SceneAnswer {
  readonly scene: MockupScene | undefined;
}

interface ExportBarProps {
  /** Asks for the format of the production file. Resolves with undefined when it stays. Absent: it is an SVG. */
  readonly askForFormat?: (question: FormatQuestion) => Promise<FormatAnswer | undefined>;
  /** Asks for what the PNG stands in. Resolves with undefined when it stays. Absent: it is white. */
  readonly askForScene?: (question: SceneQuestion) => Promise<SceneAnswer | undefined>;
  /** Asks before a file with open findings costs an export. It is taken once. */
  readonly askAboutFindings?: AskAboutFindings;
  readonly className?: string;
}

/** Buttons for the three exports, where the host has them. */
export function ExportBar(props: ExportBarProps) {
  const ports = usePorts();
  return canExport(ports) ? <Exports {...props} ports={ports} /> : null;
}

function Exports({
  ports,
  askForFormat,
  askForScene,
  askAboutFindings,
  className = '',
}: ExportBarProps & { ports: Ports & ExportPorts }) {
  const editor = useEditor();
  const designs = useDesignFlow();
  const [exports] = useState(() => createExportFlow(editor, ports, designs, askAboutFindings));
  const { busy, stage, outcome } = useStore(exports, (state) => state);
  const buttons = useRef<HTMLDivElement>(null);
  const placeWords = usePlaceWords();
  const isExporting = useEditorState((state) => state.isExporting);
  const hasWork = useEditorState(({ composition }) => composition.productId !== undefined && hasContent(composition));
  const trace = useTraceStatus();
  const isReady = hasWork && (trace === 'traced' || trace === 'none');
  const machine = useEditorState(({ composition }) => composition.machine);
  const [choices, setChoices] = useState<Readonly<Partial<Record<MachineMode, FormatChoice>>>>({});
  const hasPhoto = useEditorState(({ composition }) => hasDots(composition));
  const ownChoice = choices[machine] ?? ports.fileFormats?.read(machine) ?? firstChoice(machine);
  const choice = toFitChoice(ownChoice, hasPhoto);
  const format = findFormat(machine, choice);
  const isReplaced = choice !== ownChoice;
  const note = isReplaced
    ? `${findFormat(machine, ownChoice).shortName} cannot hold a photograph in dots.`
    : mirrorNote(machine, choice);
  const chooseFormat = async () => {
    const answer = await askForFormat?.({ machine, choice, isReady, hasDots: hasPhoto });
    if (!answer) return;
    setChoices((all) => ({ ...all, [machine]: answer.choice }));
    ports.fileFormats?.remember(machine, answer.choice);
    if (answer.isExport) await exports.exportProduction(answer.choice);
  };
  const [scene, setScene] = useState<MockupScene>();
  const chooseScene = async () => {
    const answer = await askForScene?.({ scene });
    if (!answer) return;
    setScene(answer.scene);
    await exports.exportPng(answer.scene);
  };
  const dismiss = () => {
    exports.dismiss();
    // The button that had the focus is gone.
    buttons.current?.querySelector<HTMLElement>('button:enabled')?.focus();
  };
  return (
    <div className={`flex flex-col gap-2 ${className}`}>
      <ExportOutcomeCard
        outcome={outcome}
        onAnotherFormat={askForFormat && (() => void chooseFormat())}
        onSheet={() => void exports.exportSheet(choice)}
        onPaperTest={() => void exports.exportPaperTest()}
        onSpin={() => void exports.exportSpin()}
        onDismiss={dismiss}
      />
      {note && <p className="text-graphite text-xs">{note}</p>}
      {/* One row on a phone, where it is always in reach. */}
      <div
        ref={buttons}
        className="grid grid-cols-[minmax(0,1fr)_auto_auto] gap-2 lg:grid-cols-[auto_minmax(0,1fr)] lg:gap-x-1.5"
      >
        <div className="flex min-w-0 lg:col-span-2">
          <Button
            variant="primary"
            size="lg"
            icon="download"
            isBusy={busy === 'production'}
            disabled={!isReady || isExporting}
            onClick={() => void exports.exportProduction(choice)}
            // Two lines beside the format.
            className={`min-w-0 flex-1! gap-2! px-2! text-xs! leading-4 whitespace-normal! min-[360px]:text-sm! max-[359px]:px-1! max-sm:[&>svg]:hidden ${askForFormat ? 'rounded-r-none!' : ''}`}
          >
            Export for Production Processing
          </Button>
          {askForFormat && (
            <Button
              variant="primary"
              size="lg"
              aria-label={`Format of the production file: ${format.name}`}
              aria-haspopup="dialog"
              disabled={!isReady || isExporting}
              onClick={() => void chooseFormat()}
              className="gap-0.5! rounded-l-none! border-on-accent/35 border-l pr-1! pl-2! text-xs!"
            >
              <span className="hidden min-[360px]:inline">{format.shortName}</span>
              <Icon name="chevronDown" className="size-4" />
            </Button>
          )}
        </div>
        <Button
          isBusy={busy === 'customSvg'}
          disabled={!isReady || isExporting}
          onClick={() => void exports.exportCustomSvg()}
          className="max-lg:h-11! px-2.5! lg:px-2! max-[359px]:px-1!"
        >
          <span>
            <span className="max-lg:sr-only">Custom</span> SVG
          </span>
        </Button>
        <div className="flex min-w-0">
          <Button
            isBusy={busy === 'png'}
            disabled={!isReady || isExporting}
            onClick={() => void exports.exportPng(scene)}
            className={`max-lg:h-11! min-w-0 flex-1! ${askForScene ? 'rounded-r-none! px-1.5! max-lg:pl-2.5! max-[359px]:px-1!' : 'px-2.5!'}`}
          >
            <span>
              <span className="max-lg:sr-only">Export</span> PNG <span className="max-lg:sr-only">Preview</span>
            </span>
          </Button>
          {askForScene && (
            <Button
              aria-label={`Scene of the PNG: ${scene ? mockupSceneNames[scene] : 'White'}`}
              title="Scene"
              aria-haspopup="dialog"
              disabled={!isReady || isExporting}
              onClick={() => void chooseScene()}
              className="max-lg:h-11! rounded-l-none! border-l-0! px-1!"
            >
              <Icon name="chevronDown" className="size-4" />
            </Button>
          )}
        </div>
      </div>
      {busy && (
        <div className="flex min-h-9 items-center justify-between gap-3 text-graphite text-sm">
          <span aria-hidden="true">{placeWords ?? (stage ? sayTraceStage(stage) : 'Making the file…')}</span>
          {/* Each stage would be read out, several in a second. */}
          <span role="status" className="sr-only">
            Making the file…
          </span>
          <Button size="sm" aria-label="Cancel the export" onClick={() => exports.cancel()}>
            Cancel
          </Button>
        </div>
      )}
    </div>
  );
}
