/** The editor of a visit, loaded when a product is chosen. The rules of its session are in `widgetEditorMachine.ts`. */
import type { CallReply, OfferedProduct, SavedDesign, widget } from '@markwright/contract/schemas';
import { idsOf } from '@markwright/contract/words';
import {
  chooseProduct,
  createEditor,
  type DesignFlow,
  type Editor,
  type EditorLimits,
  type Ports,
  type ProductFinder,
  statusOf,
} from '@markwright/editor';
import {
  type ArtworkElement,
  artworksOf,
  elementIdOf,
  emptyComposition,
  findElement,
  type MachineMode,
  parseComposition,
  type Variant,
} from '@markwright/scene';
import { fillTemplate, openPartsOf } from '@markwright/scene/customer';
import type { WidgetApi } from './api.ts';
import { createEditorApi, type EditorApi } from './editorApi.ts';
import { createPorts } from './ports.ts';
import {
  initialSession,
  isOwnWork,
  reduce,
  type WidgetEffect,
  type WidgetEvent,
  type WidgetSession,
  type WidgetTemplate,
} from './widgetEditorMachine.ts';

export interface WidgetEditor {
  readonly api: EditorApi;
  readonly editor: Editor;
  readonly ports: Ports;
  getState(): WidgetSession;
  /** Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  /** Follows the picture's flow while it is mounted. Returns a function that disconnects it. */
  connect(designs: DesignFlow): () => void;
  setQuantity(quantity: number): void;
  /** Sets the words of each piece; undefined makes all alike. */
  setPieces(pieces: WidgetSession['pieces']): void;
  /**
   * Puts a product below what is on the stage; one that starts with a template takes the template's place. Rejects with
   * a sentence.
   */
  choose(product: OfferedProduct, variant: Variant | undefined): Promise<void>;
  /** True where `choose` would take away what a visitor made. */
  replaces(product: OfferedProduct): boolean;
  /** Brings back what `choose` took away. */
  undoReplacement(): void;
  /** Saves what is on the stage, when the picture is traced. Rejects with a sentence. */
  save(): Promise<SavedDesign>;
  /** Puts a saved design on the stage. */
  show(reply: CallReply<typeof widget.open>): Promise<void>;
  clear(): void;
}

interface WidgetEditorHost {
  readonly api: WidgetApi;
  readonly shop: string | undefined;
  readonly products: () => readonly OfferedProduct[];
  readonly finder: ProductFinder | undefined;
}

interface SaveCaller {
  resolve(design: SavedDesign): void;
  reject(error: unknown): void;
}

/** The product and machine that a visitor chose before the editor had loaded. */
export interface FirstChoice {
  readonly machine: MachineMode;
  readonly productId: string | undefined;
  readonly variant?: Variant | undefined;
}

export function createWidgetEditor(
  { api, shop, products, finder }: WidgetEditorHost,
  { machine, productId, variant }: FirstChoice,
): WidgetEditor {
  const editor = createEditor({
    composition: {
      ...emptyComposition,
      machine,
      ...(productId !== undefined && { productId }),
      ...(variant && { variant }),
    },
  });
  const editorApi = createEditorApi(api);
  const listeners = new Set<() => void>();
  const callers = new Map<number, SaveCaller>();
  let session = initialSession;
  let flow: DesignFlow | undefined;
  let saves = 0;
  let choices = 0;

  function removeArtworks(isMeant: (artwork: ArtworkElement) => boolean): void {
    const artworks = artworksOf(editor.getState().composition).filter(isMeant);
    const commands = artworks.map((artwork) => ({ type: 'remove', elementId: elementIdOf(artwork) }) as const);
    editor.dispatch({ type: 'several', commands });
  }

  function dispatch(event: WidgetEvent): void {
    const { composition } = editor.getState();
    const productIds = products().flatMap(idsOf);
    const next = reduce(session, event, { composition, productIds, picture: flow ? pictureOf(flow) : 'none' });
    const isChanged = next.session !== session;
    session = next.session;
    if (isChanged) for (const listener of listeners) listener();
    for (const effect of next.effects) run(effect);
  }

  function run(effect: WidgetEffect): void {
    switch (effect.type) {
      case 'load':
        editor.load(effect.composition, effect.template && toLimits(effect.template));
        return;
      case 'removeDesign':
        removeArtworks(() => true);
        return;
      case 'removeUntraced':
        // The picture's flow ends its job first.
        queueMicrotask(() => {
          removeArtworks(({ id }) => editor.getState().assets.artworks.get(id)?.imageHref !== undefined);
        });
        return;
      case 'storeSettings':
        (flow?.waitUntilStored() ?? Promise.resolve()).then(
          () => dispatch({ type: 'settingsStored', save: effect.save }),
          (error: unknown) => dispatch({ type: 'saveFailed', save: effect.save, error }),
        );
        return;
      case 'send': {
        const { composition, quantity, pieces, templateId } = effect;
        // Its mockup may wait for its turn on a busy server: a call that streams has time for that.
        editorApi.widget.save({ body: { shop, composition, quantity, pieces, templateId } }).then(
          (design) => dispatch({ type: 'saveStored', save: effect.save, design }),
          (error: unknown) => dispatch({ type: 'saveFailed', save: effect.save, error, status: statusOf(error) }),
        );
        return;
      }
      case 'resolve': {
        const previewUrl = new URL(effect.design.previewUrl, location.origin).href;
        takeCaller(effect.save)?.resolve({ ...effect.design, previewUrl });
        return;
      }
      case 'reject':
        takeCaller(effect.save)?.reject(effect.error);
    }
  }

  function takeCaller(save: number): SaveCaller | undefined {
    const caller = callers.get(save);
    callers.delete(save);
    return caller;
  }

  /** False for a product that goes below what is on the stage: its other color, or one that starts empty as well. */
  function startsAnew(product: OfferedProduct): boolean {
    const isOnStage = idsOf(product).includes(editor.getState().composition.productId ?? '');
    return session.template ? !isOnStage : product.templateId !== undefined;
  }

  return {
    api: editorApi,
    editor,
    ports: createPorts({
      api: editorApi,
      products,
      finder,
      onLimit: () => dispatch({ type: 'limitReached' }),
      onDesignGone: () => dispatch({ type: 'designMissing' }),
    }),
    getState: () => session,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    connect(designs) {
      flow = designs;
      const unsubscribe = designs.subscribe(() => dispatch({ type: 'pictureChanged' }));
      return () => {
        unsubscribe();
        flow = undefined;
        dispatch({ type: 'pictureChanged' });
      };
    },
    setQuantity: (quantity) => dispatch({ type: 'quantityChanged', quantity }),
    setPieces: (pieces) => dispatch({ type: 'piecesChanged', pieces }),
    replaces: (product) => startsAnew(product) && isOwnWork(session, editor.getState().composition),
    undoReplacement: () => dispatch({ type: 'replacementUndone' }),
    async choose(product, variant) {
      const { templateId } = product;
      const choice = { productId: product.productId, variant };
      const number = ++choices;
      if (!startsAnew(product)) return chooseProduct(editor, product, variant);
      if (templateId === undefined) return dispatch({ type: 'templateLeft', choice });
      const reply = await editorApi.widget.open({ params: { id: templateId }, body: {} });
      // Another product may have been chosen meanwhile.
      if (number === choices) dispatch({ type: 'templateFetched', reply, choice });
    },
    save: () =>
      new Promise((resolve, reject) => {
        const save = ++saves;
        callers.set(save, { resolve, reject });
        dispatch({ type: 'saveRequested', save });
      }),
    async show(reply) {
      const { productId } = parseComposition(reply.composition);
      // Of many products, this one may not be here yet.
      if (finder && productId !== undefined) await finder.find([productId]).catch(() => undefined);
      dispatch({ type: 'designFetched', reply });
    },
    clear: () => dispatch({ type: 'cleared' }),
  };
}

/** Returns the limits of a template: only what a customer may place is selected on the stage. */
const toLimits = ({ composition: template }: WidgetTemplate): EditorLimits => ({
  keep: (composition) => fillTemplate(template, composition),
  maySelect(elementId) {
    const element = findElement(template, elementId);
    return element !== undefined && openPartsOf(element).includes('place');
  },
});

function pictureOf(designs: DesignFlow): 'idle' | 'busy' {
  const { status, job } = designs.getState();
  return status === 'uploading' || job !== undefined ? 'busy' : 'idle';
}
