/** The autosave machine's state, its events, and the effects it asks for, as data. */
import type { CompositionSummary } from '@markwright/contract/schemas';
import type { Composition } from '@markwright/scene';
import type { DeviceComposition } from './blankCopy.ts';

export type SaveStatus =
  /** Nothing was arranged yet. */
  | 'blank'
  /** Stored on this device alone: a visitor has no account. */
  | 'device'
  | 'full'
  | 'saving'
  | 'saved'
  | 'offline'
  /** The server refused it or did not answer. It is sent again after a while, or on Retry. */
  | 'failed'
  /** Another tab or device saved it after it was opened here. */
  | 'changed'
  /** It belongs to an account, and nobody is signed in any more. */
  | 'signedOut';

export interface AutosaveModel {
  /** The open composition as this device has it; what is on the stage may be newer. */
  readonly open: DeviceComposition;
  /** The account that is signed in; null for a visitor, undefined until that is known. */
  readonly owner: number | null | undefined;
  readonly status: SaveStatus;
  /** A sentence that says why it is not saved. */
  readonly failure: string | undefined;
  /** One save of the open composition is under way at most. */
  readonly isSending: boolean;
  readonly isSavePlanned: boolean;
  /** False when the page does not follow the editor any more: then nothing is sent again by itself. */
  readonly isConnected: boolean;
  /** Failed saves in a row. */
  readonly failures: number;
  /** Counts what was opened, so that an answer that comes late opens nothing. */
  readonly openings: number;
}

/** The moment an event comes. */
export interface World {
  /** The editor's state. */
  readonly stage: { readonly composition: Composition; readonly isGesturing: boolean };
  readonly isOnline: boolean;
  readonly now: Date;
  newId(): string;
  /** Reads this device's copies, which other tabs may have changed. */
  readCopy(id: string): DeviceComposition | undefined;
  /** Returns all of them, everybody's, last changed first. */
  listCopies(): readonly DeviceComposition[];
}

export type ServerCopy = CompositionSummary & { readonly composition: Composition };
export type SavedRef = NonNullable<DeviceComposition['saved']>;

export type AutosaveEvent =
  | { readonly type: 'connected' | 'disconnected' | 'online' | 'offline' }
  /** The composition on the stage is another one than a moment ago. */
  | { readonly type: 'edited' }
  | { readonly type: 'storeDue' | 'saveDue' | 'flushed' | 'retried' }
  /** The page is left, or something else is about to be opened. */
  | { readonly type: 'left' }
  /** The tab has become visible again. */
  | { readonly type: 'shown' }
  /** This device could not store a copy. */
  | { readonly type: 'deviceFull'; readonly id: string; readonly purpose: 'edit' | 'load' }
  | { readonly type: 'ownerChanged'; readonly owner: number | null }
  | { readonly type: 'renamed'; readonly name: string }
  /** An answer is waited for that will open something. */
  | { readonly type: 'openingBegan' }
  | { readonly type: 'opened'; readonly copy: DeviceComposition; readonly isStored: boolean }
  | { readonly type: 'deletedByUser' }
  | { readonly type: 'mineKept' }
  /** A copy is about to be sent to the server. */
  | { readonly type: 'pushBegan'; readonly copy: DeviceComposition }
  | { readonly type: 'pushed'; readonly copy: DeviceComposition; readonly ref: SavedRef }
  | {
      readonly type: 'refused';
      readonly copy: DeviceComposition;
      readonly status: number | undefined;
      readonly message: string;
    }
  /** The save of the open composition is over, with whatever outcome. */
  | { readonly type: 'saveEnded'; readonly isOk: boolean }
  /** The server's version of the open composition came; null when it was deleted there. */
  | { readonly type: 'refreshed'; readonly id: string; readonly theirs: ServerCopy | null };

/** Why a copy is written: it was edited, it was opened, or something was learned of it. */
export type WritePurpose = 'edit' | 'load' | 'note';

export type Timer = 'store' | 'save';

export type Effect =
  | { readonly type: 'setTimer'; readonly timer: Timer; readonly delayMs: number }
  | { readonly type: 'clearTimer'; readonly timer: Timer }
  /** An `edit` becomes the composition a new tab begins with. A full device is an event, except for a `note`. */
  | { readonly type: 'write'; readonly copy: DeviceComposition; readonly purpose: WritePurpose }
  | { readonly type: 'setCurrent'; readonly id: string }
  | { readonly type: 'remove'; readonly id: string }
  /** Writes `copy` with the thumbnail of `from`, which goes first when `removesOld`. */
  | { readonly type: 'moveCopy'; readonly from: string; readonly copy: DeviceComposition; readonly removesOld: boolean }
  /** Writes `copy` with the thumbnail of `from`, which goes only when that succeeded. */
  | { readonly type: 'replaceCopy'; readonly from: string; readonly copy: DeviceComposition }
  /** Puts a composition on the stage, with an empty history. */
  | { readonly type: 'load'; readonly composition: Composition; readonly resetsView: boolean }
  /** Sends the open composition, then says `saveEnded`. */
  | { readonly type: 'save'; readonly copy: DeviceComposition }
  /** Sends the account's other copies that the server does not have, one after the other. */
  | { readonly type: 'sync' }
  /** Asks for the server's version of the open composition. */
  | { readonly type: 'refresh'; readonly id: string; readonly savedId: string }
  | { readonly type: 'notify'; readonly title: string; readonly description: string };

export interface Transition {
  readonly model: AutosaveModel;
  readonly effects: readonly Effect[];
}
