/**
 * The tiles of the four ways: each shows the picture on its product as that way would burn it. They are made one after
 * the other on this device, a moment after the picture, its size or its material has changed, and never during a
 * gesture. The trace on the stage is no tile's business: tiles are traced aside.
 */
import { type ArtworkElement, type Engraving, elementIdOf, findArtwork, type SvgNode } from '@markwright/scene';
import type { Editor, EditorState } from '../document/editor.ts';
import type { EngravingReply, Ports, WaySuggestion } from '../ports.ts';
import { createStore, type Store } from '../store.ts';
import type { EngravedPanel } from './engravedElements.ts';
import { engraveRequestOf, requestKey } from './engraveRequest.ts';
import { drawWay, engravingOf, traceOf, type Way } from './ways.ts';

interface WayTiles {
  /** Undefined until the picture was looked at, and where this device cannot. */
  readonly suggestion: WaySuggestion | undefined;
  /** The drawings that are there by now. */
  readonly nodes: Readonly<Partial<Record<Way, SvgNode>>>;
}

/** Longer than the pause between two nudges. */
const REST_MS = 350;
/** A tile has a few thousand pixels on the screen. */
const TILE_PIXELS = 60_000;

const nothing: WayTiles = { suggestion: undefined, nodes: {} };

/** The state of the artwork's design. */
interface TilePanel extends EngravedPanel {
  readonly settings: TraceSettings;
}

type TraceSettings = Parameters<NonNullable<Ports['previewTrace']>>[1]['settings'];
type TilePorts = Pick<Ports, 'engraver' | 'previewTrace'>;
type Artworks = EditorState['assets']['artworks'];
type TracedArtwork = Artworks extends ReadonlyMap<string, infer A> ? A : never;

interface Tiles extends Store<WayTiles> {
  /** Looks at the picture, and makes the tiles while `hasTiles`. Returns a function that ends it. */
  connect(): () => void;
  setTiles(hasTiles: boolean): void;
}

/** Creates the tiles of the active artwork. */
export function createWayTiles(
  editor: Editor,
  ports: TilePorts,
  designs: { subscribe(listener: () => void): () => void; getState(): TilePanel },
): Tiles {
  const { getState, subscribe, setState } = createStore(nothing);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | undefined;
  let hasTiles = false;
  let lastKey = '';
  const traces = new Map<string, TracedArtwork>();
  const replies = new Map<Way, { readonly key: string; readonly reply: EngravingReply }>();
  let look: { readonly key: string; readonly suggestion: WaySuggestion | undefined } | undefined;

  /** Returns what the tiles show; undefined while it is not known. */
  function readSubject() {
    const state = editor.getState();
    const element = findArtwork(state.composition, state.activeArtworkId);
    const panel = designs.getState();
    if (!element || state.composition.machine !== 'laser') return undefined;
    // Any engraving tells whether one can be made, and its place.
    const request = engraveRequestOf(state, element, panel, anyEngraving);
    return request && { state, element, panel, request };
  }
  type Subject = NonNullable<ReturnType<typeof readSubject>>;

  async function suggest({ request }: Subject, signal: AbortSignal): Promise<WaySuggestion | undefined> {
    const { design, framing, surface } = request;
    const material = surface.material ?? 'other';
    const key = JSON.stringify([design.tracePictureUrl, framing, material]);
    if (look?.key !== key) {
      const suggestion = await ports.engraver?.suggestWay({ design, framing, material }, signal);
      signal.throwIfAborted();
      look = { key, suggestion };
    }
    return look.suggestion;
  }

  async function engraveTile(subject: Subject, way: 'tones' | 'photo', suggestion: WaySuggestion, signal: AbortSignal) {
    const { state, element, panel } = subject;
    const engraving = engravingOf(way, { ...suggestion, longerMm: longerSide(subject) }, element.engraving);
    const request = engraveRequestOf(state, element, panel, engraving);
    if (!request) return undefined;
    const key = requestKey(request);
    let tile = replies.get(way);
    if (tile?.key !== key) {
      const reply = await ports.engraver?.engrave({ ...request, maxPixels: TILE_PIXELS }, signal);
      if (!reply) return undefined;
      tile?.reply.release();
      tile = { key, reply };
      replies.set(way, tile);
      signal.throwIfAborted();
    }
    const engravings = new Map(state.assets.engravings).set(element.id, tile.reply.artwork);
    return drawWay(state, element, { engraving, engravings });
  }

  async function traceTile(
    { state, element, panel, request: { design, framing } }: Subject,
    way: 'silhouette' | 'lineArt',
    kind: WaySuggestion['kind'],
    signal: AbortSignal,
  ) {
    const { palette: _palette, ...rest } = panel.settings;
    const settings: TraceSettings = { ...rest, ...traceOf(way, kind) };
    const key = JSON.stringify([design.tracePictureUrl, framing, settings]);
    let artwork = traces.get(key);
    if (!artwork) {
      const options = { signal, isRough: true, isAside: true, onProgress: () => undefined };
      artwork = await ports.previewTrace?.(design, { settings, machine: 'laser' }, options);
      if (!artwork) return undefined;
      if (traces.size >= MAX_TRACES) traces.clear();
      traces.set(key, artwork);
    }
    const artworks = new Map(state.assets.artworks).set(element.id, artwork);
    return drawWay(state, element, { engraving: undefined, artworks });
  }

  async function make(subject: Subject): Promise<void> {
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    try {
      const suggestion = await suggest(subject, signal);
      if (suggestion !== getState().suggestion) setState({ ...getState(), suggestion });
      if (!suggestion || !hasTiles) return;
      for (const way of ['photo', 'tones', 'silhouette', 'lineArt'] as const) {
        const node = await (way === 'photo' || way === 'tones'
          ? engraveTile(subject, way, suggestion, signal)
          : traceTile(subject, way, suggestion.kind, signal)
        ).catch((error: unknown) => {
          if (signal.aborted) throw error;
          // A tile that cannot be made stays empty; its way can be taken all the same.
        });
        signal.throwIfAborted();
        if (node) setState({ ...getState(), nodes: { ...getState().nodes, [way]: node } });
      }
    } catch (error) {
      if (!signal.aborted) console.warn('The four ways to burn this picture could not be shown.', error);
    }
  }

  function follow(): void {
    const subject = readSubject();
    if (!subject) {
      // Another picture must not be shown under the tiles of the one before.
      const { element, design } = findPicture(editor.getState(), designs.getState());
      if (!element || element.designId !== design?.id) clear();
      return;
    }
    if (subject.state.isGesturing) return;
    const key = `${hasTiles} ${subjectKey(subject)}`;
    if (key === lastKey) return;
    if (idOf(key) !== idOf(lastKey)) clear();
    lastKey = key;
    clearTimeout(timer);
    timer = setTimeout(() => void make(readSubject() ?? subject), REST_MS);
  }

  function clear(): void {
    clearTimeout(timer);
    running?.abort();
    lastKey = '';
    look = undefined;
    for (const { reply } of replies.values()) reply.release();
    replies.clear();
    if (getState() !== nothing) setState(nothing);
  }

  return {
    getState,
    subscribe,
    setTiles(next) {
      if (hasTiles === next) return;
      hasTiles = next;
      follow();
    },
    connect() {
      const unsubscribers = [editor.subscribe(follow), designs.subscribe(follow)];
      follow();
      return () => {
        for (const each of unsubscribers) each();
        clear();
        traces.clear();
      };
    },
  };
}

const MAX_TRACES = 8;

const anyEngraving: Engraving = {
  method: 'jarvis',
  intervalMm: 0.1,
  tone: { brightness: 0, contrast: 0, gamma: 1, localContrast: 0, sharpen: 0 },
  invert: 'auto',
};

function findPicture({ composition, activeArtworkId }: EditorState, { design }: EngravedPanel) {
  return { element: findArtwork(composition, activeArtworkId), design };
}

interface SubjectOfKey {
  readonly state: EditorState;
  readonly element: ArtworkElement;
  readonly panel: TilePanel;
  readonly request: Parameters<typeof requestKey>[0];
}

/** Returns the key of all that the tiles show: the composition, the product and the picture. The id comes first. */
function subjectKey({ state: { assets, composition }, element, panel, request }: SubjectOfKey): string {
  const { brightness, contrast, threshold, despeckle, simplify } = panel.settings;
  const { elements, productId, productAngleDeg } = composition;
  const hasPainter = assets.markPainter !== undefined;
  const rest = [
    productId,
    productAngleDeg,
    hasPainter,
    elements,
    { brightness, contrast, threshold, despeckle, simplify },
  ];
  return `${elementIdOf(element)}/${request.design.id} ${requestKey(request)} ${JSON.stringify(rest)}`;
}

/** Returns the part of a key that names artwork and design. */
const idOf = (key: string): string | undefined => key.split(' ')[1];

function longerSide({ request: { place } }: { readonly request: Parameters<typeof requestKey>[0] }): number {
  const { a, b, c, d } = place.matrix;
  return Math.max(Math.hypot(a, b) * place.width, Math.hypot(c, d) * place.height);
}
