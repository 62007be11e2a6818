/**
 * The designs of an editor: one flow for each artwork, and the state of the one that the panel shows. An upload adds an
 * artwork. Jobs of one artwork do not cancel those of another.
 */
import { checkDesignUpload } from '@markwright/contract/words';
import { artworksOf, FIRST_ARTWORK, findArtwork, MAX_ARTWORKS } from '@markwright/scene';
import type { Editor } from '../document/editor.ts';
import { newId } from '../document/ids.ts';
import { createEngravings, type EngravingStates } from '../engraving/engravings.ts';
import type { Ports } from '../ports.ts';
import { createStore, type Store } from '../store.ts';
import { type ArtworkFlow, createArtworkFlow, type DesignActions } from './artworkFlow.ts';
import type { DesignState, VisitDesign } from './designStates.ts';
import { isSameTrace, withFraming } from './traceSettings.ts';

/** Its state and its acts are those of the active artwork, or of the one that is being uploaded. */
export interface DesignFlow extends Store<DesignState>, DesignActions {
  /** Uploads a picture into an artwork that is there, in the place of its own. */
  replace(artworkId: string, file: File): Promise<void>;
  /**
   * Follows the editor: loads a restored or undone design, and changes colors with the machine. Returns a function that
   * disconnects.
   */
  connect(): () => void;
  /** Returns the states of all artworks by their ids. The map keeps its identity while unchanged. */
  panels(): ReadonlyMap<string, DesignState>;
  /** Returns the states of engraved pictures by their artworks' ids; undefined where the host has no engraver. */
  engravings(): EngravingStates | undefined;
}

/** Creates the design flow of an editor. */
export function createDesignFlow(editor: Editor, ports: Ports): DesignFlow {
  const flows = new Map<string, ArtworkFlow>();
  const lastVisits = new Map<string, VisitDesign | undefined>();
  let panels: ReadonlyMap<string, DesignState> = new Map();
  /** The artwork of the latest upload, until it is placed. */
  let uploadId: string | undefined;
  const { getState, subscribe, setState } = createStore(flowOf(FIRST_ARTWORK).getState());

  const engravings = createEngravings(editor, ports, { readPanel: (id) => panels.get(id), onChange: update });

  function flowOf(artworkId: string): ArtworkFlow {
    const existing = flows.get(artworkId);
    if (existing) return existing;
    const findVisit = (designId: string) =>
      [...flows.values()].map((other) => other.readVisit()).find((visit) => visit?.design.id === designId);
    const flow = createArtworkFlow(editor, ports, { artworkId, findVisit });
    flows.set(artworkId, flow);
    panels = new Map(panels).set(artworkId, flow.getState());
    flow.subscribe(() => {
      panels = new Map(panels).set(artworkId, flow.getState());
      shareTrace(artworkId, flow);
      update();
      engravings.follow();
    });
    return flow;
  }

  /** Gives a fresh trace to the other artworks of its design, which has one stored trace. */
  function shareTrace(artworkId: string, flow: ArtworkFlow): void {
    const visit = flow.readVisit();
    if (visit === lastVisits.get(artworkId)) return;
    lastVisits.set(artworkId, visit);
    if (!visit?.artwork || !visit.settings) return;
    for (const [id, other] of flows) {
      const otherVisit = id === artworkId ? undefined : other.readVisit();
      if (otherVisit && otherVisit.design.id === visit.design.id && !isSameExceptFraming(visit, otherVisit)) {
        other.share(visit);
      }
    }
  }

  /** Returns the flow that the panel shows. */
  function shownFlow(): ArtworkFlow {
    const { activeArtworkId } = editor.getState();
    const status = uploadId === undefined ? undefined : flowOf(uploadId).getState().status;
    const isUploadShown = status === 'uploading' || (status === 'error' && activeArtworkId === undefined);
    return flowOf((isUploadShown ? uploadId : activeArtworkId) ?? FIRST_ARTWORK);
  }

  /** Shows the state of that flow. A change of any flow is a change of this one, because `panels` changes. */
  function update(): void {
    setState(shownFlow().getState());
  }

  function follow(): void {
    for (const { id } of artworksOf(editor.getState().composition)) flowOf(id);
    for (const flow of flows.values()) flow.followEditor();
    if (shownFlow().getState() !== getState()) update();
    engravings.follow();
  }

  /** Returns the id for the artwork of an upload; undefined, with a notice, when there are too many. */
  function findUploadId(): string | undefined {
    const { composition } = editor.getState();
    const uploadingIds = [...panels].flatMap(([id, { status }]) => (status === 'uploading' ? id : []));
    if (artworksOf(composition).length + uploadingIds.length >= MAX_ARTWORKS) {
      const description = `A product takes ${MAX_ARTWORKS} pictures. Remove one to add another.`;
      ports.notify({ title: 'Too many pictures', description, variant: 'destructive' });
      return undefined;
    }
    const isFirstFree = !findArtwork(composition, FIRST_ARTWORK) && !uploadingIds.includes(FIRST_ARTWORK);
    return isFirstFree ? FIRST_ARTWORK : newId();
  }

  return {
    getState,
    subscribe,
    panels: () => panels,
    engravings: engravings.states,
    connect() {
      follow();
      const unsubscribe = editor.subscribe(follow);
      return () => {
        unsubscribe();
        engravings.stop();
      };
    },
    async upload(file) {
      if (!mayUpload(ports, file)) return;
      const artworkId = findUploadId();
      if (artworkId === undefined) return;
      uploadId = artworkId;
      await flowOf(artworkId).upload(file);
      if (artworksOf(editor.getState().composition).length > 0) uploadId = undefined;
    },
    async replace(artworkId, file) {
      if (mayUpload(ports, file)) await flowOf(artworkId).upload(file);
    },
    remove() {
      const flow = shownFlow();
      uploadId = undefined;
      flow.remove();
    },
    changeSettings: (changes) => shownFlow().changeSettings(changes),
    frame: (framing) => shownFlow().frame(framing),
    acceptSkew: () => shownFlow().acceptSkew(),
    dismissSkew: () => shownFlow().dismissSkew(),
    acceptLettering: () => shownFlow().acceptLettering(),
    dismissLettering: () => shownFlow().dismissLettering(),
    keepSettings: () => shownFlow().keepSettings(),
    async waitUntilStored() {
      await Promise.all([...flows.values()].map((flow) => flow.waitUntilStored()));
    },
    readTracedSettings: (artworkId) => (artworkId === undefined ? shownFlow() : flowOf(artworkId)).readTracedSettings(),
    warmUp: () => shownFlow().warmUp(),
    retrace: () => shownFlow().retrace(),
    readBackground: () => shownFlow().readBackground(),
    cutOut: (clearEnclosed, onStage) => shownFlow().cutOut(clearEnclosed, onStage),
    removeBackground: (wish, onStage) => shownFlow().removeBackground(wish, onStage),
    restoreBackground: () => shownFlow().restoreBackground(),
    cancel: () => shownFlow().cancel(),
    undoPreview: () => shownFlow().undoPreview(),
  };
}

/** True when two stored traces of a design are one, or differ only in the part of the picture that they show. */
function isSameExceptFraming(a: VisitDesign, b: VisitDesign): boolean {
  if (!a.settings || !b.settings || a.design.backgroundRemovedUrl !== b.design.backgroundRemovedUrl) return false;
  return isSameTrace(withFraming(a.settings, undefined), withFraming(b.settings, undefined));
}

/** Returns true when the file is of a kind we take and the visitor has mockups left. Says why where it is not. */
function mayUpload(ports: Ports, file: File): boolean {
  const refusal = checkDesignUpload(file);
  if (refusal) {
    ports.notify({ ...refusal, variant: 'destructive' });
    return false;
  }
  const { isSignedIn, mockups } = ports.account();
  if (isSignedIn || !mockups || mockups.used < mockups.limit) return true;
  ports.requireAccount('mockups', {
    title: 'Free mockups used up',
    description: `You have used all ${mockups.limit} free mockups of this month. Create an account for unlimited mockups.`,
  });
  return false;
}
