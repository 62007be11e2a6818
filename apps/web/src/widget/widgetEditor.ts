/** The editor of a visit with what goes around it. Loaded when a product is chosen. */
import type { CallReply, SavedDesign, widget } from '@markwright/contract/schemas';
import { createEditor, type DesignFlow, type Editor, type Ports, statusOf } from '@markwright/editor';
import {
  emptyComposition,
  hasContent,
  type MachineMode,
  parseComposition,
  saveComposition,
  withoutHidden,
} from '@markwright/scene';
import type { WidgetApi } from './api.ts';
import { createEditorApi, type EditorApi } from './editorApi.ts';
import { createPorts, type PortsHost } from './ports.ts';

export interface WidgetEditor {
  readonly api: EditorApi;
  readonly editor: Editor;
  readonly ports: Ports;
  /** Takes the picture's flow while it is mounted. Returns a function that lets it go. */
  connect(designs: DesignFlow): () => void;
  /** Saves what is on the stage, when the picture is traced. Rejects with a sentence. */
  save(quantity: number): Promise<SavedDesign>;
  /**
   * Puts a saved design on the stage. False when its product is not offered any more: another one has to be chosen for
   * it.
   */
  show(opened: CallReply<typeof widget.open>): boolean;
  clear(): void;
}

interface WidgetEditorHost extends Omit<PortsHost, 'api' | 'onDesignGone' | 'onLimit'> {
  readonly api: WidgetApi;
  readonly shop: string | undefined;
  onLimit(): void;
}

export function createWidgetEditor(
  { api, shop, products, onLimit }: WidgetEditorHost,
  { machine, productId }: { machine: MachineMode; productId: string | undefined },
): WidgetEditor {
  const editor = createEditor({
    composition: { ...emptyComposition, machine, ...(productId !== undefined && { productId }) },
  });
  let flow: DesignFlow | undefined;

  const editorApi = createEditorApi(api);
  const ports = createPorts({
    api: editorApi,
    products,
    onLimit() {
      onLimit();
      // A picture that could not be traced cannot be made either: it must not stay on the product.
      queueMicrotask(() => {
        if (editor.getState().assets.artwork?.imageHref !== undefined) editor.dispatch({ type: 'removeDesign' });
      });
    },
    onDesignGone: () => editor.dispatch({ type: 'removeDesign' }),
  });

  return {
    api: editorApi,
    editor,
    ports,
    connect(designs) {
      flow = designs;
      return () => {
        flow = undefined;
      };
    },
    async save(quantity) {
      if (flow) await whenIdle(flow);
      const composition = withoutHidden(editor.getState().composition);
      if (composition.productId === undefined) throw new Error('Please choose a product first.');
      if (!hasContent(composition)) throw new Error('Please add a picture or a text first.');
      const body = { shop, composition: saveComposition(composition), quantity };
      try {
        return await api.widget.save({ body });
      } catch (error) {
        if (statusOf(error) !== 422) throw error;
        throw new Error('The picture is not ready yet. Try “Trace again”, or take it off.', { cause: error });
      }
    },
    show({ composition }) {
      const { productId, ...rest } = parseComposition(composition);
      const isOffered = products.some((product) => product.productId === productId);
      editor.load(isOffered && productId !== undefined ? { ...rest, productId } : rest);
      return isOffered;
    },
    clear: () => editor.load({ ...emptyComposition, machine: editor.getState().composition.machine }),
  };
}

/** Resolves when no picture is on its way and what was let go of its settings is stored, or cannot be. */
async function whenIdle(designs: DesignFlow): Promise<void> {
  await designs.settled();
  const isBusy = () => designs.getState().status === 'uploading' || designs.getState().job !== undefined;
  if (!isBusy()) return;
  await new Promise<void>((resolve) => {
    const stop = designs.subscribe(() => {
      if (isBusy()) return;
      stop();
      resolve();
    });
  });
  await whenIdle(designs);
}
