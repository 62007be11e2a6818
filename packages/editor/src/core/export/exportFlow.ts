/** The three exports: checks the account, asks the host for the file, and reports the result. One runs at a time. */
import { exportFilename, type Message, type MockupScene, messages, type TraceStage } from '@markwright/contract/words';
import { isBundled } from '@markwright/fonts';
import { artworksOf, type Composition, hasContent, type Scene, textsOf, withoutHidden } from '@markwright/scene';
import type { Editor, EditorState } from '../document/editor.ts';
import { turnOf } from '../document/turn.ts';
import { hasDots } from '../engraving/engravedElements.ts';
import {
  type ExportFile,
  type ExportKind,
  type ExportPorts,
  findProduct,
  type Ports,
  sentenceOf,
  statusOf,
  type Toast,
  type TraceCallOptions,
} from '../ports.ts';
import { preflightOf } from '../preflight/preflightFlow.ts';
import { createStore, type Store } from '../store.ts';
import type { DesignFlow } from '../trace/designFlow.ts';
import { traceStatusOf } from '../trace/traceStatus.ts';
import { hasAccount, hasVectors, isRefusal } from './accountGate.ts';
import { type AskAboutFindings, createFindingsGate } from './findingsGate.ts';
import {
  describeFile,
  type FormatChoice,
  findFormat,
  isSpecifiedFormat,
  JOB_SHEET,
  PAPER_TEST,
  SPECIFIED_FORMAT,
  toFitChoice,
} from './productionFormats.ts';

/** What the last export came to. It stands there until it is dismissed, or the next export starts. */
export type ExportOutcome =
  | { readonly kind: 'failure'; readonly title: string; readonly description: string }
  | {
      readonly kind: 'file';
      readonly exportKind: ExportKind;
      readonly filename: string;
      /** The format in a word, such as "DXF". */
      readonly format: string;
      /** Findings of Preflight that were open. */
      readonly findings: number;
      /** What the file shows. */
      readonly composition: Composition;
    };

export interface ExportState {
  /** The export that runs now. */
  readonly busy: ExportKind | undefined;
  /** The stage of its trace, once the server reports one. */
  readonly stage: TraceStage | undefined;
  readonly outcome: ExportOutcome | undefined;
}

export interface ExportFlow extends Store<ExportState> {
  /** Makes the production file: by default the specified SVG. */
  exportProduction(choice?: FormatChoice): Promise<void>;
  /** Makes the paper test of a round blank: its wall unrolled at true size. It shares the file's charge. */
  exportPaperTest(): Promise<void>;
  /** Makes the job sheet of the production file: a page for the person at the machine. It shares the file's charge. */
  exportSheet(choice?: FormatChoice): Promise<void>;
  exportCustomSvg(): Promise<void>;
  /** Makes the PNG of the product, in surroundings where a scene is named. All scenes share a charge. */
  exportPng(scene?: MockupScene): Promise<void>;
  /** Makes a WebP in which a round product turns once around. It shares the charge of the PNG. */
  exportSpin(): Promise<void>;
  /** Cancels the export that runs: no file is saved. */
  cancel(): void;
  /** Forgets the last outcome. */
  dismiss(): void;
}

const exportFailed = (description: string): Toast & Message => ({
  title: messages.customSvgFailed.title,
  description,
  variant: 'destructive',
});

const generating: Toast = {
  title: messages.generatingProduction,
  description: 'Full vectorization costs 1.0 credit.',
  isProgress: true,
};

const nothing: ExportState = { busy: undefined, stage: undefined, outcome: undefined };

type ExportRecord = Parameters<ExportPorts['recordExport']>[0];

interface FileSteps {
  makeFile(options: TraceCallOptions): Promise<ExportFile>;
  readRecord(): Pick<ExportRecord, 'kind' | 'vectorMode'>;
  /** Called when the file is saved. */
  readSuccess(): Toast;
  describeFailure(error: unknown): Message;
  /** In a word; SVG where it is absent. */
  readonly format?: string;
}

/**
 * Creates the exports of an editor. It is one story, what every export goes through, and then the three of them.
 * `askAboutFindings` is asked once about each finding before a file costs an export; by default nobody is.
 */
export function createExportFlow(
  editor: Editor,
  ports: Ports & ExportPorts,
  designs: DesignFlow,
  askAboutFindings: AskAboutFindings = async () => 'export',
): ExportFlow {
  const { getState, subscribe, setState } = createStore<ExportState>(nothing);
  const preflight = () => preflightOf(editor, ports, designs);
  const mayCost = createFindingsGate(preflight, askAboutFindings);
  let controller: AbortController | undefined;

  async function run(kind: ExportKind, work: (options: TraceCallOptions) => Promise<void>): Promise<void> {
    if (editor.getState().isExporting) return;
    controller = new AbortController();
    const { signal } = controller;
    setState({ ...nothing, busy: kind });
    editor.setExporting(true);
    try {
      // A setting that was just let go belongs to the file.
      await designs.waitUntilStored();
      // Nothing is charged for a file of another trace than the one on the panel.
      const refusal = sayUnfinished(editor, designs);
      if (refusal) return fail(exportFailed(refusal));
      if (!signal.aborted) await work({ signal, onStage: (stage) => setState({ ...getState(), stage }) });
      if (signal.aborted) ports.notify({ title: 'Export canceled', description: 'No file was saved.' });
    } finally {
      controller = undefined;
      setState({ ...nothing, outcome: getState().outcome });
      editor.setExporting(false);
    }
  }

  /** Says that there is no file, or not the one that was wanted, and lets that stand. */
  function fail({ title, description }: Message): void {
    ports.notify({ title, description, variant: 'destructive' });
    setState({ ...getState(), outcome: { kind: 'failure', title, description } });
  }

  const designFilename = () => artworksOf(editor.getState().composition)[0]?.filename;

  /** Returns the name that the server gives to a file of what is shown. */
  function filenameFor(kind: ExportKind, productName: string | undefined): string {
    const [design] = artworksOf(withoutHidden(editor.getState().composition));
    return exportFilename({ productName, designFilename: design?.filename }, kind);
  }

  async function save(file: ExportFile, kind: ExportKind, productName: string | undefined, format = 'SVG') {
    const filename = file.filename ?? filenameFor(kind, productName);
    await ports.saveFile(file, filename);
    const { composition } = editor.getState();
    const findings = preflight().getState().findings?.length ?? 0;
    setState({ ...getState(), outcome: { kind: 'file', exportKind: kind, filename, format, findings, composition } });
  }

  return {
    getState,
    subscribe,
    cancel: () => controller?.abort(),
    dismiss: () => setState({ ...getState(), outcome: undefined }),

    async exportProduction(wish = SPECIFIED_FORMAT) {
      const { composition } = editor.getState();
      const choice = toFitChoice(wish, hasDots(composition));
      if (!hasContent(composition) || !isReachable(ports)) return;
      if (!hasAccount(ports, 'production') || !hasVectors(ports) || !(await mayCost())) return;
      if (!isSpecifiedFormat(choice)) {
        const { colorMode } = designs.readTracedSettings();
        return exportFile('production', machineFileSteps(ports, composition, choice, colorMode));
      }
      await run('production', async (options) => {
        const [first = artworksOf(composition)[0]] = artworksOf(withoutHidden(composition));
        const settings = designs.readTracedSettings(first?.id);
        const productName = await findProductName(editor, ports);
        ports.notify(generating);
        // Fetched while there is a connection, in case it is the connection that fails.
        const drawing = import('./standardSvg.ts');
        drawing.catch(() => undefined);
        let file: Awaited<ReturnType<ExportPorts['exportProduction']>>;
        try {
          file = await ports.exportProduction({ composition, designId: first?.designId, settings }, options);
        } catch (error) {
          if (options.signal.aborted) return;
          if (isRefusal(ports, 'production', error)) return;
          // The standard SVG would have another font.
          if (statusOf(error) === 422 && hasUnknownFont(composition)) {
            return fail(exportFailed(sentenceOf(error, 'A text uses a font that the studio does not have.')));
          }
          fail(messages.productionFallback);
          await saveStandardSvg(ports, editor.getState().scene, filenameFor('production', productName), drawing);
          return;
        }
        if (file.fellBack) ports.notify(messages.productionFallback);
        try {
          await save(file, 'production', productName);
        } catch (error) {
          return fail(exportFailed(sentenceOf(error, 'The file could not be saved.')));
        }
        const record = { kind: 'vector', productName, vectorMode: settings.colorMode } as const;
        ports.recordExport({ ...record, designFilename: designFilename() });
        ports.notify(sayProduced(file));
      });
    },

    exportSheet: ({ preset, options } = SPECIFIED_FORMAT) => exportPaper({ format: 'sheet', preset, options }),
    exportPaperTest: () => exportPaper({ format: 'paperTest', options: {} }),

    async exportCustomSvg() {
      const composition = withoutHidden(editor.getState().composition);
      if (!isReachable(ports) || !hasAccount(ports, 'customSvg')) return;
      const refusal = refuseCustomSvg(composition);
      if (refusal) return ports.notify(refusal);
      if (!hasVectors(ports) || !(await mayCost())) return;
      await exportFile('customSvg', {
        makeFile: (options) => ports.exportCustomSvg(composition, options),
        readRecord: () => ({ kind: 'vector', vectorMode: designs.readTracedSettings().colorMode }),
        readSuccess: () => ({ title: messages.customSvgExported, description: '1000x1000px' }),
        describeFailure: () => messages.customSvgFailed,
      });
    },

    exportPng: (scene) => exportMockup(mockupSteps(ports, editor.getState(), scene)),
    exportSpin: () => exportMockup(spinSteps(ports, editor.getState())),
  };

  async function exportPaper(choice: PaperChoice): Promise<void> {
    const { composition } = editor.getState();
    if (!hasContent(composition) || !isReachable(ports) || !hasAccount(ports, 'production')) return;
    await exportFile('production', paperSteps(ports, composition, choice, designs.readTracedSettings().colorMode));
  }

  async function exportMockup(steps: FileSteps): Promise<void> {
    if (isReachable(ports) && hasAccount(ports, 'png')) await exportFile('png', steps);
  }

  /** Makes, saves and records a file that has no substitute, and reports what came of it. */
  function exportFile(kind: ExportKind, steps: FileSteps): Promise<void> {
    return run(kind, async (options) => {
      try {
        const productName = await findProductName(editor, ports);
        await save(await steps.makeFile(options), kind, productName, steps.format);
        ports.recordExport({ ...steps.readRecord(), productName, designFilename: designFilename() });
        ports.notify(steps.readSuccess());
      } catch (error) {
        if (options.signal.aborted || isRefusal(ports, kind, error)) return;
        fail(steps.describeFailure(error));
      }
    });
  }
}

const hasUnknownFont = (composition: Composition): boolean =>
  textsOf(composition).some(({ fontFamily }) => !isBundled(fontFamily));

/** Returns why a composition is no custom SVG; undefined when it can be one. */
function refuseCustomSvg(composition: Composition): Toast | undefined {
  if (artworksOf(composition).length === 0) return { ...messages.noDesignToExport, variant: 'destructive' };
  if (!hasDots(composition)) return undefined;
  return exportFailed('A photograph in dots is no SVG. Export LightBurn or PNG, or burn it as Tones.');
}

/** Returns why no file is made of what is on the stage; undefined when one can be. */
function sayUnfinished(editor: Editor, designs: DesignFlow): string | undefined {
  const { composition } = editor.getState();
  if (traceStatusOf(composition, designs.panels()) === 'failed') {
    return 'The picture is not traced. Trace it, or remove it.';
  }
  const isFailed = traceStatusOf(composition, designs.panels(), designs.engravings()) === 'failed';
  return isFailed ? 'The picture is not engraved. Step 3 says why.' : undefined;
}

function mockupSteps(ports: ExportPorts, state: EditorState, scene?: MockupScene): FileSteps {
  const turnDeg = turnOf(state);
  const view = { ...(turnDeg !== 0 && { turnDeg }), ...(scene && { scene }) };
  return {
    makeFile: (options) => ports.exportMockup(state.composition, { ...options, ...view }),
    format: 'PNG',
    readRecord: () => ({ kind: 'mockup' }),
    readSuccess: () => ({ title: messages.mockupExported, description: 'The PNG is in your downloads.' }),
    describeFailure: (error) => exportFailed(sentenceOf(error, 'The mockup could not be made. Please try again.')),
  };
}

const spinSteps = (ports: ExportPorts, state: EditorState): FileSteps => ({
  ...mockupSteps(ports, state),
  makeFile: (options) => ports.exportMockup(state.composition, { ...options, spin: true }),
  format: 'WebP',
  readSuccess: () => ({
    title: messages.mockupExported,
    description: 'The moving picture (WebP) is in your downloads.',
  }),
});

const sayProduced = ({ fellBack }: { readonly fellBack?: boolean | undefined }): Toast => ({
  title: messages.productionExported,
  description: `${fellBack ? 'Traced by the standard engine. ' : ''}True size, ready for your machine.`,
});

/** The pages that go with a file, and the notices of their exports. */
const papers = {
  sheet: { ...JOB_SHEET, description: 'One page for the machine: picture, size, layers and checks.' },
  paperTest: { ...PAPER_TEST, description: 'Print it at 100 %, cut it out and lay it round the blank.' },
} as const;
type PaperChoice = FormatChoice & { readonly format: keyof typeof papers };

/** The steps of such a page. What the server reports of it is that of the file. */
function paperSteps(ports: Ports & ExportPorts, composition: Composition, choice: PaperChoice, vectorMode: string) {
  const { name, description } = papers[choice.format];
  const readSuccess = () => ({ title: `${name} exported successfully!`, description });
  return { ...machineFileSteps(ports, composition, choice, vectorMode), readSuccess };
}

const isPaper = (format: FormatChoice['format']): format is keyof typeof papers => format in papers;

/** The steps of another format of the production file, which has no substitute that a browser could make. */
function machineFileSteps(
  ports: Ports & ExportPorts,
  composition: Composition,
  choice: FormatChoice,
  vectorMode: string,
): FileSteps {
  const { name, shortName } = isPaper(choice.format) ? papers[choice.format] : findFormat(composition.machine, choice);
  let description = '';
  return {
    async makeFile(options) {
      ports.notify({
        title: `Generating the ${name}...`,
        description: 'All formats of a design cost one export a month.',
        isProgress: true,
      });
      const { report, ...file } = await ports.exportFile({ composition, choice }, options);
      description = describeFile(choice, report);
      return file;
    },
    format: shortName,
    readRecord: () => ({ kind: 'vector', vectorMode }),
    readSuccess: () => ({ title: `${name} exported successfully!`, description }),
    describeFailure: (error) => exportFailed(sentenceOf(error, 'The file could not be made. Please try again.')),
  };
}

/**
 * True when the server can be reached. Files are made by the server, so a missing connection is reported at once and no
 * substitute is offered.
 */
function isReachable(ports: Ports): boolean {
  const description = ports.offline?.();
  if (description === undefined) return true;
  ports.notify(exportFailed(description));
  return false;
}

async function findProductName(editor: Editor, ports: Ports): Promise<string | undefined> {
  return (await findProduct(ports, editor.getState().composition).catch(() => undefined))?.name;
}

/** Saves the standard SVG as a substitute for the production file. The browser makes it alone, and it costs nothing. */
async function saveStandardSvg(
  ports: Ports & ExportPorts,
  scene: Scene,
  filename: string,
  drawing: Promise<typeof import('./standardSvg.ts')>,
): Promise<void> {
  try {
    const { drawStandardSvg } = await drawing;
    const file = { text: drawStandardSvg(scene), mediaType: 'image/svg+xml' };
    await ports.saveFile(file, filename);
  } catch (error) {
    ports.notify(exportFailed(sentenceOf(error, 'Please try again.')));
    return;
  }
  const isPaid = (ports.account().vectors?.limit ?? 0) > 0;
  ports.notify({
    title: messages.standardExported,
    description: isPaid
      ? 'Full vectorization failed, so this file cost nothing. Please try again later.'
      : 'Upgrade for full vectorization.',
  });
}
