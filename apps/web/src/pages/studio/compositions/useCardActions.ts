/** The actions of the cards in the list "My designs". */
import { useState } from 'react';
import { api } from '../../../api.ts';
import { messageOf } from '../../../request.ts';
import { ask } from '../../../studioHost/ask.ts';
import { type DeviceComposition, newCompositionId } from './blankCopy.ts';
import type { Card } from './compositionCards.ts';
import type { CompositionSaving } from './compositionSaving.ts';
import { readDeviceComposition, writeDeviceComposition } from './deviceComposition.ts';
import {
  listDeviceCompositions,
  MAX_DEVICE_COMPOSITIONS,
  readThumbnail,
  removeDeviceComposition,
  writeThumbnail,
} from './deviceCompositionList.ts';
import { copyName } from './openPlan.ts';

/** A card that was deleted, with all that brings it back. */
export interface Deletion {
  readonly key: string;
  readonly title: string;
  readonly savedId: string | undefined;
  readonly here: DeviceComposition | undefined;
  readonly picture: string | undefined;
  readonly wasCurrent: boolean;
}

interface CardHost {
  readonly saving: CompositionSaving;
  readonly owner: number | null;
  isCurrent(card: Card): boolean;
  titleOf(card: Card): string;
  /** Reads the account's list again. */
  refetch(): Promise<void>;
  /** Shows what this device has now. */
  redraw(): void;
  onClose(): void;
}

export function useCardActions({ saving, owner, isCurrent, titleOf, refetch, redraw, onClose }: CardHost) {
  const { autosave } = saving;
  const [failure, setFailure] = useState<string>();
  const [busyKey, setBusyKey] = useState<string>();
  const [deletion, setDeletion] = useState<Deletion>();
  /** The place of the card that went: the one that takes it gets the focus. */
  const [focusIndex, setFocusIndex] = useState<number>();

  /** Does something with one card. What goes wrong is shown above the list. */
  async function attempt(key: string | undefined, work: () => Promise<void> | void): Promise<void> {
    setFailure(undefined);
    setBusyKey(key);
    try {
      await work();
    } catch (reason) {
      setFailure(reason instanceof Error && reason.message ? reason.message : messageOf(reason));
    } finally {
      setBusyKey(undefined);
    }
  }

  const openCard = (card: Card) =>
    attempt(card.key, async () => {
      const { savedId, deviceId } = card;
      if (savedId !== undefined) await autosave.open({ savedId });
      else if (deviceId !== undefined) await autosave.open({ id: deviceId });
      onClose();
    });
  const startNew = () =>
    attempt(undefined, () => {
      autosave.startNew();
      onClose();
    });
  const rename = (card: Card, name: string) =>
    attempt(card.key, async () => {
      if (isCurrent(card)) autosave.rename(name);
      else if (card.savedId !== undefined) {
        await ask(api.compositions.rename({ params: { id: card.savedId }, body: { name } }));
        const here = listDeviceCompositions(owner).find(({ saved }) => saved?.id === card.savedId);
        if (here) writeDeviceComposition({ ...here, name });
      } else {
        const here = readDeviceComposition(card.deviceId ?? '');
        if (here) writeDeviceComposition({ ...here, name });
      }
      if (isCurrent(card)) await autosave.flush();
      await refetch();
      redraw();
    });
  const duplicate = (card: Card) =>
    attempt(card.key, async () => {
      if (isCurrent(card)) await autosave.flush();
      if (card.savedId !== undefined) {
        await ask(api.compositions.duplicate({ params: { id: card.savedId }, body: { key: newCompositionId() } }));
        await refetch();
      } else copyOnDevice(card, titleOf(card), owner);
      redraw();
    });
  const remove = (card: Card, index: number) =>
    attempt(card.key, async () => {
      const wasCurrent = isCurrent(card);
      if (wasCurrent) await autosave.flush();
      const here = card.deviceId
        ? readDeviceComposition(card.deviceId)
        : listDeviceCompositions(owner).find((work) => work.saved?.id === card.savedId);
      const picture = here && readThumbnail(here.id);
      if (card.savedId !== undefined) await ask(api.compositions.remove({ params: { id: card.savedId } }));
      if (here) removeDeviceComposition(here.id);
      if (wasCurrent) autosave.leaveDeleted();
      setDeletion({ key: card.key, title: titleOf(card), savedId: card.savedId, here, picture, wasCurrent });
      setFocusIndex(index);
      await refetch();
      redraw();
    });
  const undo = ({ savedId, here, picture, wasCurrent }: Deletion) =>
    attempt(undefined, async () => {
      if (savedId !== undefined) await ask(api.compositions.restore({ params: { id: savedId } }));
      else if (here) {
        writeDeviceComposition(here);
        if (picture) writeThumbnail(here.id, picture);
      }
      setDeletion(undefined);
      if (wasCurrent && savedId !== undefined) await autosave.open({ savedId });
      else if (wasCurrent && here) await autosave.open({ id: here.id });
      await refetch();
      redraw();
    });

  return {
    failure,
    busyKey,
    deletion,
    focusIndex,
    isCurrent,
    titleOf,
    forgetFocus: () => setFocusIndex(undefined),
    openCard,
    startNew,
    rename,
    duplicate,
    remove,
    undo,
  };
}

function copyOnDevice(card: Card, title: string, owner: number | null): void {
  const original = readDeviceComposition(card.deviceId ?? '');
  if (!original) throw new Error('This design is not on this device any more.');
  if (owner === null && listDeviceCompositions(null).length >= MAX_DEVICE_COMPOSITIONS) {
    throw new Error(
      `This device keeps ${MAX_DEVICE_COMPOSITIONS} designs. Delete one, or create an account to keep them all.`,
    );
  }
  const id = newCompositionId();
  const updatedAt = new Date().toISOString();
  const isKept = writeDeviceComposition({
    ...original,
    id,
    name: copyName(title),
    updatedAt,
    saved: null,
    isUnsaved: true,
    pending: [],
  });
  if (!isKept) throw new Error('This browser stores no more. Delete a design first.');
  const picture = readThumbnail(original.id);
  if (picture) writeThumbnail(id, picture);
}
