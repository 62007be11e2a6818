/**
 * The state of an editor, without a framework: the composition with its history, the selection, the view, and the scene
 * derived from it. Compositions are small and share their parts, so the history keeps whole ones. One file of more than
 * 500 lines, because all of it reads or changes this one state.
 */
import {
  type AlignTo,
  type Artwork,
  type ArtworkElement,
  type Assets,
  applyCommand,
  areaAspect,
  artworkElementId,
  artworksOf,
  type Command,
  type Composition,
  type ElementId,
  type EngravedArtwork,
  emptyComposition,
  findArtwork,
  findElement,
  isEngraved,
  leaveOut,
  measureInk,
  type Point,
  resolveScene,
  type Scene,
  textsOf,
  toZOrder,
  withGroupMembers,
} from '@markwright/scene';
import { createStore, type Store } from '../store.ts';
import type { RoundView } from './roundView.ts';
import { type BlankTurn, frontOf, toTurn } from './turn.ts';
import { addStep, emptyHistory, redoStep, type UndoHistory, undoStep } from './undoHistory.ts';
import { defaultViewOptions, type ViewOptions } from './viewOptions.ts';

export type { ElementId } from '@markwright/scene';
export type Selection = ElementId | 'machineArea' | undefined;
export type Unit = 'mm' | 'in';

export interface EditorState {
  readonly composition: Composition;
  readonly assets: Assets;
  readonly scene: Scene;
  /** The scene without the running gesture; the same object as `scene` while there is none. */
  readonly settledScene: Scene;
  /** The element that panels show: the one that was selected last. */
  readonly selection: Selection;
  /**
   * Every selected element. It contains `selection`, unless that is the machine area. The array keeps its identity
   * while unchanged.
   */
  readonly selectedIds: readonly ElementId[];
  /** The id of the artwork that panels and view options are about: the one selected last, or else the top one. */
  readonly activeArtworkId: string | undefined;
  /** The reference for aligning several selected elements. A single one is always aligned to the machine area. */
  readonly alignTo: AlignTo;
  /** The text that is to be edited in place, until its field has taken the caret. */
  readonly textToEdit: string | undefined;
  /** 1 fits the product into the stage. */
  readonly zoom: number;
  /** The offset of the product from the middle of the stage, in screen px. */
  readonly pan: Point;
  /**
   * The origin of zoom and pan: `fit` until something changes them, `stage` when the stage moved to the print area, and
   * `person` from the first zoom or pan on. The stage leaves a view alone that a person chose.
   */
  readonly viewOrigin: 'fit' | 'stage' | 'person';
  readonly unit: Unit;
  readonly isGesturing: boolean;
  /** True while a file is exported: what floats over the stage is hidden. */
  readonly isExporting: boolean;
  readonly viewOptions: ViewOptions;
  /** Absent: everything may change. */
  readonly limits: EditorLimits | undefined;
  /** True while the white ink is shown over the colors. */
  readonly showsWhite: boolean;
  /** How the stage shows a round blank: see `RoundView`. */
  readonly roundView: RoundView;
  /** How a round blank is turned in the Live Preview and in a mockup: see `turnOf`. */
  readonly turn: BlankTurn;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** Zoom ranges: the buttons reach further out than the keyboard; wheel, fingers and true size go furthest. */
export const ZOOM = {
  buttons: { min: 0.25, max: 3, step: 0.25 },
  keyboard: { min: 0.5, max: 3, step: 0.1 },
  pointer: { min: 0.1, max: 32 },
} as const;

/**
 * Returns the zoom after a step in or out, within `range`. From beyond the range, a step back leads to its end, and a
 * step further changes nothing.
 */
export function stepZoom(
  zoom: number,
  target: number,
  { min, max }: { readonly min: number; readonly max: number },
): number {
  const isBeyond = target > zoom ? zoom >= max : zoom <= min;
  return isBeyond ? zoom : clamp(target, min, max);
}

export const noAssets: Assets = {
  product: undefined,
  artworks: new Map(),
  fonts: { outline: () => undefined },
};

export interface Editor extends Store<EditorState> {
  /** Applies one discrete change: a key, a button, a chosen value. Ends a running gesture first. */
  dispatch(command: Command): void;
  /**
   * Begins a gesture, which previews as often as it likes and leaves at most one undo step. A running one is committed
   * first.
   */
  beginGesture(): void;
  /** Shows the composition of the gesture's start with `command` applied; rounding never adds up. */
  updateGesture(command: Command): void;
  /** Applies `command` to what the gesture shows now, for held keys. */
  stepGesture(command: Command): void;
  commitGesture(): void;
  cancelGesture(): void;
  undo(): void;
  redo(): void;
  /** Selects an element with its group. */
  select(selection: Selection): void;
  /** Selects these elements with their groups, and no others. The last one becomes the `selection`. */
  selectElements(elementIds: readonly ElementId[]): void;
  /** Selects an element alone, also in a group. `select` of it leads back to the group. */
  selectMember(elementId: ElementId): void;
  /**
   * Selects a text and requests the caret for its words. Without an id, the request is over. A locked text cannot be
   * edited.
   */
  editText(id: string | undefined): void;
  setAlignTo(alignTo: AlignTo): void;
  /**
   * Zooms to `zoom`, clamped to `range`. The pan grows with the zoom, so that the middle of the stage stays in place.
   */
  setZoom(zoom: number, range?: { readonly min: number; readonly max: number }): void;
  /**
   * Sets zoom and pan at once. Zoom is clamped to the pointer's range. `origin` is `stage` when nobody asked for the
   * change.
   */
  setView(view: { readonly zoom: number; readonly pan: Point }, origin?: 'stage' | 'person'): void;
  /** Fits the product into the stage, as for a new composition: the stage may move to its print area. */
  resetView(): void;
  setUnit(unit: Unit): void;
  /** Marks that an export runs. Resets the view options when it begins. */
  setExporting(isExporting: boolean): void;
  setViewOptions(changes: Partial<ViewOptions>): void;
  setShowsWhite(showsWhite: boolean): void;
  setRoundView(roundView: RoundView): void;
  /** Turns the present blank about its axis, in degrees. Another one faces the front again. */
  setTurn(degrees: number): void;
  setAssets(changes: Partial<Assets>): void;
  /** Sets what an artwork of the composition shows; undefined while there is nothing to show. */
  setArtwork(id: string, artwork: Artwork | undefined): void;
  /** Sets the engraving of an artwork's picture; undefined while there is none. */
  setEngravedArtwork(id: string, engravedArtwork: EngravedArtwork | undefined): void;
  /** Replaces the composition by another one (a saved project), with an empty history, within limits of its own. */
  load(composition: Composition, limits?: EditorLimits): void;
}

/** The state of a new editor. */
interface EditorStart {
  readonly composition?: Composition;
  readonly assets?: Assets;
  readonly unit?: Unit;
}

/** What may change of a composition, where that is less than everything. The machine area is not selected then. */
export interface EditorLimits {
  /** Returns a changed composition with what may not change as it was; the very composition when nothing else did. */
  keep(composition: Composition): Composition;
  /** False for an element that neither pointer nor keys select. */
  maySelect(elementId: ElementId): boolean;
}

/** Creates an editor. Each change costs one `resolveScene`. */
export function createEditor(start: EditorStart = {}): Editor {
  const { getState, subscribe, setState } = createStore(startState(start));
  let history: UndoHistory<Composition> = emptyHistory;
  /** The composition as it was when the gesture began. */
  let gestureBase: Composition | undefined;

  /** Returns the composition after a command, within its limits. */
  function apply(before: Composition, command: Command): Composition {
    const after = applyCommand(before, command);
    return after === before ? after : (getState().limits?.keep(after) ?? after);
  }

  function show(changes: Partial<EditorState>): void {
    setState({
      ...withChanges(getState(), changes, gestureBase !== undefined),
      canUndo: history.past.length > 0,
      canRedo: history.future.length > 0,
    });
  }

  function record(before: Composition, after: Composition): void {
    if (before !== after) history = addStep(history, before);
    show({ composition: after });
  }

  function commitGesture(): void {
    const base = gestureBase;
    if (!base) return;
    gestureBase = undefined;
    record(base, getState().composition);
  }

  function goTo(step: { value: Composition; history: UndoHistory<Composition> } | undefined): void {
    if (!step) return;
    history = step.history;
    show({ composition: step.value });
  }

  function showSelection(wish: Selection, elementIds: readonly ElementId[]): void {
    const before = getState();
    const { limits } = before;
    const selectedIds = limits ? elementIds.filter(limits.maySelect) : elementIds;
    const selection = limits && !selectedIds.includes(wish as ElementId) ? selectedIds.at(-1) : wish;
    if (selection !== before.selection || !isSameList(selectedIds, before.selectedIds))
      show({ selection, selectedIds });
  }

  function select(selection: Selection): void {
    if (selection === undefined || selection === 'machineArea') showSelection(selection, none);
    else selectElements([selection]);
  }

  function selectElements(elementIds: readonly ElementId[]): void {
    const ids = [...new Set(elementIds)];
    const others = withGroupMembers(getState().composition, ids).filter((id) => !ids.includes(id));
    showSelection(elementIds.at(-1), [...others, ...ids]);
  }

  const selectMember = (elementId: ElementId) => showSelection(elementId, [elementId]);

  return {
    getState,
    subscribe,
    dispatch(command) {
      commitGesture();
      const { composition } = getState();
      record(composition, apply(composition, command));
    },
    beginGesture() {
      commitGesture();
      gestureBase = getState().composition;
      show({});
    },
    updateGesture(command) {
      if (gestureBase) show({ composition: apply(gestureBase, command) });
    },
    stepGesture(command) {
      if (gestureBase) show({ composition: apply(getState().composition, command) });
    },
    commitGesture,
    cancelGesture() {
      const base = gestureBase;
      if (!base) return;
      gestureBase = undefined;
      show({ composition: base });
    },
    undo() {
      commitGesture();
      goTo(undoStep(history, getState().composition));
    },
    redo() {
      commitGesture();
      goTo(redoStep(history, getState().composition));
    },
    select,
    selectElements,
    selectMember,
    editText(id) {
      const text = textsOf(getState().composition).find((candidate) => candidate.id === id);
      if (text && !text.isLocked) selectMember(`text:${text.id}`);
      show({ textToEdit: text?.isLocked ? undefined : text?.id });
    },
    setAlignTo: (alignTo) => show({ alignTo }),
    setZoom(zoom, range = ZOOM.buttons) {
      const next = clamp(round(zoom, 2), range.min, range.max);
      const { zoom: before, pan } = getState();
      const factor = next / before;
      const nextPan = next === 1 ? { x: 0, y: 0 } : { x: pan.x * factor, y: pan.y * factor };
      show({ zoom: next, pan: nextPan, viewOrigin: 'person' });
    },
    setView({ zoom, pan }, origin = 'person') {
      show({ zoom: clamp(zoom, ZOOM.pointer.min, ZOOM.pointer.max), pan, viewOrigin: origin });
    },
    resetView: () => show({ ...fittedView }),
    setUnit: (unit) => show({ unit }),
    setExporting: (isExporting) => show({ isExporting, ...(isExporting && { viewOptions: defaultViewOptions }) }),
    setViewOptions: (changes) => show({ viewOptions: { ...getState().viewOptions, ...changes } }),
    setShowsWhite: (showsWhite) => show({ showsWhite }),
    setRoundView: (roundView) => show({ roundView }),
    setTurn: (degrees) => show({ turn: toTurn(getState(), degrees) }),
    setAssets: (changes) => show({ assets: { ...getState().assets, ...changes } }),
    setArtwork(id, artwork) {
      const { assets } = getState();
      if (assets.artworks.get(id) === artwork) return;
      const artworks = new Map(assets.artworks);
      if (artwork) artworks.set(id, artwork);
      else artworks.delete(id);
      show({ assets: { ...assets, artworks } });
    },
    setEngravedArtwork(id, engravedArtwork) {
      const { assets } = getState();
      if (assets.engravings?.get(id) === engravedArtwork) return;
      const engravings = new Map(assets.engravings);
      if (engravedArtwork) engravings.set(id, engravedArtwork);
      else engravings.delete(id);
      show({ assets: { ...assets, engravings } });
    },
    load(composition, limits) {
      gestureBase = undefined;
      history = emptyHistory;
      show({ composition, limits, selection: undefined, selectedIds: none });
    },
  };
}

function startState({ assets = noAssets, unit = 'mm', ...start }: EditorStart): EditorState {
  const composition = trimToInk(start.composition ?? emptyComposition, assets);
  const scene = resolveScene(composition, assets);
  return {
    composition,
    assets,
    scene,
    settledScene: scene,
    selection: undefined,
    selectedIds: none,
    activeArtworkId: artworksOf(composition).at(-1)?.id,
    alignTo: 'each other',
    textToEdit: undefined,
    ...fittedView,
    unit,
    isGesturing: false,
    isExporting: false,
    viewOptions: defaultViewOptions,
    limits: undefined,
    showsWhite: false,
    roundView: 'flat',
    turn: frontOf,
    canUndo: false,
    canRedo: false,
  };
}

/**
 * Returns the state after some changes, with everything that follows from them: the scene, and the selection of what is
 * still there. Another active artwork, or another design of it, resets the view options.
 */
function withChanges(state: EditorState, changes: Partial<EditorState>, isGesturing: boolean): EditorState {
  const assets = changes.assets ?? state.assets;
  const composition = trimToInk(changes.composition ?? state.composition, assets);
  const isSame = composition === state.composition && assets === state.assets;
  const scene = isSame ? state.scene : resolveScene(composition, assets);
  const { selection, selectedIds } = stillPresent(composition, { ...state, ...changes });
  const activeArtwork = findActiveArtwork(composition, selection, state.activeArtworkId);
  const isOther = activeArtwork?.designId !== findArtwork(state.composition, activeArtwork?.id)?.designId;
  const isOtherActive = activeArtwork?.id !== state.activeArtworkId;
  const textToEdit = 'textToEdit' in changes ? changes.textToEdit : state.textToEdit;
  return {
    ...state,
    ...((isOther || isOtherActive) && { viewOptions: defaultViewOptions }),
    ...changes,
    composition,
    assets,
    scene,
    settledScene: isGesturing && assets === state.assets ? state.settledScene : scene,
    selection,
    selectedIds,
    activeArtworkId: activeArtwork?.id,
    textToEdit: selection === `text:${textToEdit}` ? textToEdit : undefined,
    isGesturing,
  };
}

/** Returns the artwork that is selected, or else the one before, or else the top one. */
function findActiveArtwork(
  composition: Composition,
  selection: Selection,
  before: string | undefined,
): ArtworkElement | undefined {
  const artworks = artworksOf(composition);
  const selectedArtwork = artworks.find(({ id }) => artworkElementId(id) === selection);
  return selectedArtwork ?? artworks.find(({ id }) => id === before) ?? artworks.at(-1);
}

/** The design and its part that each artwork was made for: the artwork of another one comes after its composition. */
const frames = new WeakMap<Artwork, string>();

const frameOf = ({ designId, crop, straighten }: ArtworkElement): string =>
  JSON.stringify([designId, crop, straighten]);

/** Compositions by those that show the same with the boxes of artworks around other ink. */
const origins = new WeakMap<Composition, Composition>();

const originOf = (composition: Composition): Composition => origins.get(composition) ?? composition;

/**
 * True when the compositions are one, or differ only in the boxes that were measured around ink: then there
 * is nothing to save.
 */
export function isSameExceptInk(a: Composition, b: Composition): boolean {
  return originOf(a) === originOf(b);
}

/**
 * Returns the composition with the boxes of its artworks around their ink. It is no step of its own to undo: what is
 * measured changes with each trace and with the machine, and nothing moves because of it.
 */
function trimToInk(composition: Composition, { artworks, engravings, product }: Assets): Composition {
  // Without the facts about the product, the shape of the machine area is not known.
  const isAreaKnown = (composition.productId === undefined) === (product === undefined);
  return artworksOf(composition).reduce((before, element) => {
    const artwork = artworks.get(element.id);
    if (!artwork || artwork.isStandIn) return before;
    if (!frames.has(artwork)) frames.set(artwork, frameOf(element));
    const { machine } = composition;
    const isOfFrame = isAreaKnown && frames.get(artwork) === frameOf(element);
    const ink =
      isOfFrame &&
      (isEngraved(element, machine)
        ? engravings?.get(element.id)?.ink
        : measureInk(leaveOut(artwork, element), machine));
    if (!ink) return before;
    const aspect = artwork.width / artwork.height;
    const after = applyCommand(before, {
      type: 'trimDesign',
      id: element.id,
      ink,
      aspect,
      areaAspect: areaAspect(composition, product),
    });
    if (after !== before && element.ink) origins.set(after, originOf(before));
    return after;
  }, composition);
}

/** Returns the elements of a composition in the order a person tabs through them: z-order, from the bottom up. */
export const elementIds = (composition: Composition): ElementId[] => toZOrder(composition);

/** Returns the artwork that panels and view options are about. */
export const activeElement = ({ composition, activeArtworkId }: Pick<EditorState, 'composition' | 'activeArtworkId'>) =>
  findArtwork(composition, activeArtworkId);

/** Returns what the active artwork shows: without the shapes that it leaves out. */
export function activeArtwork({
  composition,
  assets,
  activeArtworkId,
}: Pick<EditorState, 'composition' | 'assets' | 'activeArtworkId'>): Artwork | undefined {
  const element = findArtwork(composition, activeArtworkId);
  const artwork = element && assets.artworks.get(element.id);
  return artwork && leaveOut(artwork, element);
}

/** Returns the text that an element id names. */
export function findText(composition: Composition, selection: Selection) {
  return textsOf(composition).find((text) => selection === `text:${text.id}`);
}

/** Returns the member of a group that is selected alone; undefined where there is none. */
export function loneMember({
  composition,
  selectedIds,
}: Pick<EditorState, 'composition' | 'selectedIds'>): ElementId | undefined {
  const [only, ...others] = selectedIds;
  return others.length === 0 && findElement(composition, only)?.groupId !== undefined ? only : undefined;
}

const none: readonly ElementId[] = [];

const fittedView = { zoom: 1, pan: { x: 0, y: 0 }, viewOrigin: 'fit' } as const;

/** Returns the part of a selection that the composition still has. */
function stillPresent(
  composition: Composition,
  before: { readonly selection: Selection; readonly selectedIds: readonly ElementId[] },
): { selection: Selection; selectedIds: readonly ElementId[] } {
  if (before.selection === undefined) return { selection: undefined, selectedIds: none };
  if (before.selection === 'machineArea') {
    return { selection: composition.productId === undefined ? undefined : 'machineArea', selectedIds: none };
  }
  const ids = elementIds(composition);
  const left = before.selectedIds.filter((id) => ids.includes(id));
  const remainingIds = left.length === before.selectedIds.length ? before.selectedIds : left;
  const selection = left.includes(before.selection) ? before.selection : left.at(-1);
  return { selection, selectedIds: left.length === 0 ? none : remainingIds };
}

const isSameList = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((id, index) => id === b[index]);

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));

function round(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
}
