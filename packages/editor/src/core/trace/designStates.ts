/** The types of the design machine: its states, its events, and its effects. */
import type { Design } from '@markwright/contract/schemas';
import type { TraceStage } from '@markwright/contract/words';
import type { Artwork, ArtworkLettering, Command, Framing, MachineMode, PlacedLettering } from '@markwright/scene';
import type { LoadedDesign, Skew, Toast } from '../ports.ts';
import type { LiveTraceRequest, TraceProgress } from './liveTrace.ts';
import type { PreviewHistory } from './previewHistory.ts';
import type { TraceRequest, TraceSettings } from './traceSettings.ts';

export type UploadStatus = 'idle' | 'uploading' | 'success' | 'error';
/** `store`: the server traces what the stage shows already. */
export type DesignJob = 'vectorize' | 'preview' | 'store' | 'removeBackground' | 'load';

/** The state that the panel shows. */
export interface DesignState {
  readonly status: UploadStatus;
  /** Progress of the upload, whole per cent. */
  readonly progress: number;
  readonly filename: string | undefined;
  readonly design: Design | undefined;
  readonly job: DesignJob | undefined;
  /** The stage of a trace that the server makes. */
  readonly traceStage: TraceStage | undefined;
  /** Why the upload or the latest job failed. */
  readonly failure: string | undefined;
  /** `straighten` and `crop` repeat the composition's. */
  readonly settings: TraceSettings;
  /** True when the stage shows a trace, not the picture itself. */
  readonly isTraced: boolean;
  /** True when the settings on the panel are not those of the stored trace. */
  readonly isStale: boolean;
  /** Progress of a trace on this device that keeps the person waiting. */
  readonly liveProgress: TraceProgress | undefined;
  readonly history: PreviewHistory;
  /** The tilt of the picture, which is offered to be straightened. */
  readonly skew: Skew | undefined;
  /** A line of the trace that looks like a bundled font, which is offered to be made live text. */
  readonly lettering: ArtworkLettering | undefined;
}

export interface VisitDesign extends LoadedDesign {
  /** The settings its artwork was traced with; absent while it has none, and where the server does not know. */
  readonly settings?: TraceSettings | undefined;
}

interface StoredTrace {
  readonly designId: string;
  readonly artwork: Artwork;
  readonly settings: TraceSettings;
}

export interface RunningJob {
  readonly id: number;
  readonly kind: DesignJob | 'upload';
  /** The design that is asked about; absent for an upload. */
  readonly designId?: string | undefined;
  /** True when its success is not announced. */
  readonly isQuiet?: boolean;
  /** Keeps a setting that was let go; when it fails, the stage goes back to the stored trace. */
  readonly isStore?: boolean;
}

export interface DesignMachine {
  readonly panel: DesignState;
  readonly running: RunningJob | undefined;
  readonly lastJobId: number;
  /** The settings of the stored trace on the stage. */
  readonly storedSettings: TraceSettings | undefined;
  /** True when an earlier trace is back on the stage and the server still has the later one. */
  readonly isBroughtBack: boolean;
  /** The panel's state before the running upload. */
  readonly beforeUpload: DesignState;
  /** Designs of this visit by id, so that undo and redo need no server. */
  readonly designs: ReadonlyMap<string, VisitDesign>;
  /** The latest traces of this visit, for a crop that is undone and done again. */
  readonly traces: readonly StoredTrace[];
  /** The part of the picture that the server traced last. */
  readonly storedFraming: Framing | undefined;
  /** True while a setting waits for the timer that stores it. */
  readonly isStorePending: boolean;
  /** True while this device can trace. After a failure it is tried again with the next stored trace. */
  readonly canTraceLive: boolean;
  /** The upload of which nobody knows yet whether it is tilted. */
  readonly unseenDesignId: string | undefined;
  /** How the picture of an upload was found to be tilted, until the offer is dismissed. */
  readonly foundSkew: { readonly designId: string; readonly skew: Skew } | undefined;
  /** The lines of lettering in a stored trace. */
  readonly foundLettering: { readonly artwork: Artwork; readonly lines: readonly ArtworkLettering[] } | undefined;
  /** The keys of the lines that stay outlines by the person's wish. */
  readonly outlineLines: readonly string[];
  /** The design the device was made ready for. */
  readonly readyDesign: Design | undefined;
  /** The design that could not be opened: it is reported once. */
  readonly missingDesignId: string | undefined;
  readonly machine: MachineMode;
}

/** The editor's state at the time of an event. */
export interface Surroundings {
  readonly machine: MachineMode;
  /** The id of the artwork that the machine is about. */
  readonly artworkId: string;
  /** The design of the placement with its trace, as another artwork shows it. */
  readonly sharedVisit?: VisitDesign | undefined;
  readonly placement: (Framing & { readonly designId: string; readonly isLocked: boolean }) | undefined;
  /** The machine area. */
  readonly area: { readonly widthMm: number; readonly heightMm: number };
  /** The host can trace on this device. */
  readonly hasLiveTrace: boolean;
  /** Returns the command that makes live text of a line; undefined where it cannot be text, or is text already. */
  readonly toLiveText?: (line: PlacedLettering, textId: string) => Command | undefined;
}

export type DesignEvent =
  | { readonly type: 'editorChanged' }
  | { readonly type: 'upload'; readonly file: File }
  /** `fraction` 0…1; absent: a tick of the simulated progress. */
  | { readonly type: 'uploadProgress'; readonly jobId: number; readonly fraction?: number }
  | { readonly type: 'uploaded'; readonly jobId: number; readonly design: Design }
  | { readonly type: 'traceStage'; readonly jobId: number; readonly stage: TraceStage }
  | { readonly type: 'traced'; readonly jobId: number; readonly artwork: Artwork }
  | { readonly type: 'loaded'; readonly jobId: number; readonly design: LoadedDesign | undefined }
  | { readonly type: 'failed'; readonly jobId: number; readonly error: unknown }
  /** Another artwork of the same design has a fresh trace. */
  | { readonly type: 'sharedTrace'; readonly visit: VisitDesign }
  | { readonly type: 'openBackground' }
  | { readonly type: 'closeBackground'; readonly jobId: number }
  /** The design has another picture now. */
  | { readonly type: 'pictureChanged'; readonly design: LoadedDesign; readonly title: string }
  | { readonly type: 'liveProgress'; readonly progress: TraceProgress | undefined }
  | { readonly type: 'liveUnavailable' }
  | { readonly type: 'remove' }
  | { readonly type: 'cancel' }
  | { readonly type: 'changeSettings'; readonly changes: Partial<TraceSettings> }
  /** Absent parts of the framing: not straightened, not cropped. */
  | { readonly type: 'frame'; readonly framing: Framing }
  | { readonly type: 'skewFound'; readonly designId: string; readonly skew: Skew }
  /** Accepts the offer to straighten the picture. */
  | { readonly type: 'acceptSkew' }
  | { readonly type: 'dismissSkew' }
  | { readonly type: 'letteringFound'; readonly artwork: Artwork; readonly lines: readonly ArtworkLettering[] }
  /** Accepts the offer to make live text of a line. */
  | { readonly type: 'acceptLettering'; readonly textId: string }
  | { readonly type: 'dismissLettering' }
  | { readonly type: 'keepSettings' }
  /** Stores the pending settings now. */
  | { readonly type: 'store' }
  | { readonly type: 'warmUp' }
  | { readonly type: 'retrace' }
  | { readonly type: 'undoPreview' };

export type DesignEffect =
  | { readonly type: 'abort'; readonly jobId: number }
  | { readonly type: 'upload'; readonly jobId: number; readonly file: File }
  | {
      readonly type: 'vectorize';
      readonly jobId: number;
      readonly designId: string;
      readonly request: TraceRequest;
      /** `waitUntilStored` waits for it. */
      readonly isAwaited: boolean;
    }
  | { readonly type: 'preview'; readonly jobId: number; readonly designId: string; readonly settings: TraceSettings }
  | { readonly type: 'load'; readonly jobId: number; readonly designId: string }
  | { readonly type: 'findSkew'; readonly design: Design }
  | { readonly type: 'findLettering'; readonly artwork: Artwork }
  | { readonly type: 'startStoreTimer' }
  | { readonly type: 'stopStoreTimer' }
  | { readonly type: 'showLive'; readonly request: LiveTraceRequest }
  | { readonly type: 'warmUpLive'; readonly request: LiveTraceRequest }
  | { readonly type: 'stopLive' }
  | { readonly type: 'showArtwork'; readonly artwork: Artwork | undefined }
  | { readonly type: 'dispatch'; readonly command: Command }
  | { readonly type: 'selectDesign' }
  | { readonly type: 'selectText'; readonly textId: string }
  | { readonly type: 'notify'; readonly toast: Toast }
  | { readonly type: 'requireAccount'; readonly title: string; readonly description: string };
