/** The three exports: checks the account, asks the host for the file, and reports the result. One runs at a time. */
import type { Product } from '@markwright/contract/schemas';
import { messages, vectorLimitReached } from '@markwright/contract/words';
import { hasContent, withoutHidden } from '@markwright/scene';
import type { Editor } from '../document/editor.ts';
import { type AccountReason, type ExportPorts, type MadeFile, type Ports, sentenceOf, statusOf } from '../ports.ts';
import type { DesignFlow } from '../trace/designFlow.ts';

export type ExportKind = 'production' | 'customSvg' | 'png';

export interface ExportState {
  readonly busy: ExportKind | undefined;
}

export interface ExportFlow {
  getState(): ExportState;
  subscribe(listener: () => void): () => void;
  exportProduction(): Promise<void>;
  exportCustomSvg(): Promise<void>;
  exportPng(): Promise<void>;
}

const suffixes = { production: '_production.svg', png: '_preview.png', customSvg: '_engraving-design.svg' } as const;

/** Returns the product's name with underscores and a suffix for the kind of file: `Slate_Coaster_production.svg`. */
export function exportFilename(productName: string | undefined, kind: ExportKind): string {
  const name = (productName ?? 'design')
    .trim()
    .replace(/[^\p{L}\p{N}.-]+/gu, '_')
    .replace(/^_+|_+$/g, '');
  return `${name || 'design'}${suffixes[kind]}`;
}

export function createExportFlow(editor: Editor, ports: Ports & ExportPorts, designs: DesignFlow): ExportFlow {
  const listeners = new Set<() => void>();
  let state: ExportState = { busy: undefined };

  function show(next: ExportState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  /**
   * True when the server can be reached. Files are made by the server, so a missing connection is reported at once and
   * no substitute is offered.
   */
  function isReachable(): boolean {
    const description = ports.offline?.();
    if (description === undefined) return true;
    ports.notify({ title: messages.customSvgFailed.title, description, variant: 'destructive' });
    return false;
  }

  async function run(kind: ExportKind, work: () => Promise<void>): Promise<void> {
    if (editor.getState().isExporting) return;
    show({ busy: kind });
    editor.setExporting(true);
    try {
      // A setting that was just let go belongs to the file.
      await designs.settled();
      await work();
    } finally {
      show({ busy: undefined });
      editor.setExporting(false);
    }
  }

  const accountMessages = {
    production: messages.productionRequiresAccount,
    customSvg: messages.customSvgRequiresAccount,
    png: messages.pngRequiresAccount,
  } as const;

  /** True when the visitor is signed in; otherwise the host asks for an account. */
  function hasAccount(kind: ExportKind): boolean {
    if (ports.account().isSignedIn) return true;
    ports.requireAccount(kind, accountMessages[kind]);
    return false;
  }

  function hasVectors(): boolean {
    const { vectors } = ports.account();
    if (!vectors || vectors.used < vectors.limit) return true;
    ports.requireAccount('vectorLimit', vectorLimitReached(vectors.limit));
    return false;
  }

  /** Handles an error that is about the account. Returns false when it is another error. */
  function isRefusal(kind: ExportKind, error: unknown): boolean {
    const status = statusOf(error);
    const ask = (reason: AccountReason, message: { title: string; description: string }) => {
      ports.requireAccount(reason, message);
      return true;
    };
    if (status === 401) return ask(kind, accountMessages[kind]);
    if (status !== 402) return false;
    if (kind === 'png') return ask('mockups', { title: 'Mockup limit reached', description: sentenceOf(error, '') });
    const { vectors } = ports.account();
    return ask('vectorLimit', vectorLimitReached(vectors?.limit ?? 0));
  }

  async function product(): Promise<Product | undefined> {
    const { productId } = editor.getState().composition;
    if (productId === undefined) return undefined;
    const products = await ports.products().catch((): readonly Product[] => []);
    return products.find((candidate) => candidate.productId === productId || candidate.id === productId);
  }

  const designFilename = () => editor.getState().composition.design?.filename;

  async function save(file: MadeFile, kind: ExportKind, productName: string | undefined): Promise<void> {
    await ports.saveFile(file, file.filename ?? exportFilename(productName, kind));
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    async exportProduction() {
      const { composition } = editor.getState();
      if (!hasContent(composition) || !isReachable()) return;
      if (!hasAccount('production') || !hasVectors()) return;
      await run('production', async () => {
        const { settings } = designs.getState();
        const productName = (await product())?.name;
        ports.notify({
          title: messages.generatingProduction,
          description: 'Full vectorization costs 1.0 credit.',
        });
        // Fetched while there is a connection, in case it is the connection that fails.
        const fallback = import('./standardSvg.ts');
        fallback.catch(() => undefined);
        let file: Awaited<ReturnType<ExportPorts['exportProduction']>>;
        try {
          file = await ports.exportProduction({ composition, designId: composition.design?.designId, settings });
        } catch (error) {
          if (isRefusal('production', error)) return;
          ports.notify({ ...messages.productionFallback, variant: 'destructive' });
          await saveStandardSvg(fallback, productName);
          return;
        }
        if (file.fellBack) ports.notify(messages.productionFallback);
        try {
          await save(file, 'production', productName);
        } catch (error) {
          const description = sentenceOf(error, 'The file could not be saved.');
          ports.notify({ title: messages.customSvgFailed.title, description, variant: 'destructive' });
          return;
        }
        ports.recordExport({
          kind: 'vector',
          productName,
          designFilename: designFilename(),
          vectorMode: settings.colorMode,
        });
        const tracer = file.fellBack ? 'Traced by the standard engine. ' : '';
        ports.notify({
          title: messages.productionExported,
          description: `${tracer}True size, ready for your machine.`,
        });
      });
    },

    async exportCustomSvg() {
      const composition = withoutHidden(editor.getState().composition);
      if (!isReachable()) return;
      if (!hasAccount('customSvg')) return;
      if (!composition.design) {
        ports.notify({ ...messages.noDesignToExport, variant: 'destructive' });
        return;
      }
      if (!hasVectors()) return;
      await run('customSvg', async () => {
        try {
          const productName = (await product())?.name;
          await save(await ports.exportCustomSvg(composition), 'customSvg', productName);
          const { colorMode } = designs.getState().settings;
          ports.recordExport({ kind: 'vector', productName, designFilename: designFilename(), vectorMode: colorMode });
          ports.notify({ title: messages.customSvgExported, description: '1000x1000px' });
        } catch (error) {
          if (isRefusal('customSvg', error)) return;
          ports.notify({ ...messages.customSvgFailed, variant: 'destructive' });
        }
      });
    },

    async exportPng() {
      const { composition } = editor.getState();
      if (!isReachable() || !hasAccount('png')) return;
      await run('png', async () => {
        try {
          const productName = (await product())?.name;
          await save(await ports.exportMockup(composition), 'png', productName);
          ports.recordExport({ kind: 'mockup', productName, designFilename: designFilename() });
          ports.notify({ title: messages.mockupExported });
        } catch (error) {
          if (isRefusal('png', error)) return;
          const description = sentenceOf(error, 'The mockup could not be made. Please try again.');
          ports.notify({ title: 'Export failed', description, variant: 'destructive' });
        }
      });
    },
  };

  /** Saves the file that the browser can make alone. It costs nothing. */
  async function saveStandardSvg(
    fallback: Promise<typeof import('./standardSvg.ts')>,
    productName: string | undefined,
  ): Promise<void> {
    try {
      const { drawStandardSvg } = await fallback;
      const text = drawStandardSvg(editor.getState().scene);
      await ports.saveFile({ text, mediaType: 'image/svg+xml' }, exportFilename(productName, 'production'));
    } catch (error) {
      const description = sentenceOf(error, 'Please try again.');
      ports.notify({ title: messages.customSvgFailed.title, description, variant: 'destructive' });
      return;
    }
    ports.notify({ title: messages.standardExported, description: 'Upgrade for full vectorization.' });
  }
}
