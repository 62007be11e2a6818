/** The maker's own page while it is edited: the unsaved changes, saving, and listing it for others. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { OwnMaker } from '@markwright/contract/schemas';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api.ts';
import { toast } from '../../../ui/notices.ts';
import { useAttempt } from '../../../ui/useAttempt.ts';

export const OWN_MAKER = [siteCalls.makers.own.path];

/** The fields that are saved together. Photos are stored at once, each by itself. */
export type MakerDraft = Omit<OwnMaker, 'id' | 'photos' | 'isListed' | 'hiddenReason'>;

export function useMakerDraft(own: OwnMaker) {
  const client = useQueryClient();
  const attempt = useAttempt();
  const [changes, setChanges] = useState<Partial<MakerDraft>>({});
  const [busy, setBusy] = useState<'save' | 'listing'>();
  const savedDraft = toDraft(own);
  const draft = { ...savedDraft, ...changes };

  /** Runs a call that resolves with the page as it is now. Resolves with true when the call succeeded. */
  const update = (act: () => Promise<OwnMaker>): Promise<boolean> =>
    attempt('Your page was not changed', async () => {
      client.setQueryData(OWN_MAKER, await act());
      return undefined;
    });

  const store = ({ place, ...fields }: MakerDraft, rest: { isListed: boolean; photoIds?: string[] }) =>
    update(() => api.makers.save({ body: { ...fields, placeId: place?.id ?? null, ...rest } }));

  return {
    draft,
    busy,
    isUnsaved: JSON.stringify(draft) !== JSON.stringify(savedDraft),
    edit: (part: Partial<MakerDraft>) => setChanges((before) => ({ ...before, ...part })),
    discard: () => setChanges({}),
    update,
    /** Stores the order of the photos, and nothing that is not saved yet. */
    orderPhotos: (photoIds: string[]) => store(savedDraft, { isListed: own.isListed, photoIds }),

    async save() {
      setBusy('save');
      if (await store(draft, { isListed: own.isListed })) {
        setChanges({});
        toast({
          title: 'Your page is saved',
          description: own.isListed ? 'Others see it like this now.' : 'Nobody sees it until you list it.',
        });
      }
      setBusy(undefined);
    },

    /** Takes the page out of the search, whatever is not saved; or puts it into the search and saves everything. */
    async list(isListed: boolean) {
      setBusy('listing');
      const isStored = isListed ? await store(draft, { isListed }) : await update(() => api.makers.unlist());
      if (isStored) {
        if (isListed) setChanges({});
        toast(
          isListed
            ? { title: 'Your page is listed', description: 'People who search near you find it from now on.' }
            : { title: 'Your page is out of the search', description: 'Your text and photos stay here.' },
        );
      }
      setBusy(undefined);
    },
  };
}

function toDraft({ name, about, place, machines, materials, delivery, turnaroundDays }: OwnMaker): MakerDraft {
  return { name, about, place, machines, materials, delivery, turnaroundDays };
}
