import type { MakerPhoto, OwnMaker } from '@markwright/contract/schemas';
import { checkUpload, MAKER_LIMITS } from '@markwright/contract/words';
import { Button, HiddenFileInput, IconButton } from '@markwright/controls';
import { useId, useRef, useState } from 'react';
import { api } from '../../../api.ts';
import { Photo } from '../../../makers/Photo.tsx';
import { toast } from '../../../ui/notices.ts';

interface Props {
  readonly photos: readonly MakerPhoto[];
  /** Runs a call that resolves with the page as it is now. On failure it shows a notice and resolves with false. */
  update(act: () => Promise<OwnMaker>): Promise<boolean>;
  /** Stores the order of the photos. */
  order(photoIds: string[]): Promise<boolean>;
}

/** The photos of a maker's page, up to six. Each is stored at once. The first one stands in the list of makers. */
export function Photos({ photos, update, order }: Props) {
  const [busy, setBusy] = useState<string>();
  const picker = useRef<HTMLInputElement>(null);
  const id = useId();
  const room = MAKER_LIMITS.photos - photos.length;

  async function add(files: readonly File[]) {
    for (const [index, file] of files.slice(0, room).entries()) {
      const refusal = checkUpload(file);
      if (refusal) {
        toast({ ...refusal, variant: 'destructive' });
        continue;
      }
      setBusy(files.length > 1 ? `Adding ${index + 1} of ${Math.min(files.length, room)}…` : 'Adding…');
      if (!(await update(() => api.makers.addPhoto({ file })))) break;
    }
    setBusy(undefined);
    if (files.length > room) {
      toast({ title: 'Some photos were left out', description: `A page shows ${MAKER_LIMITS.photos} of them.` });
    }
  }
  async function run(name: string, act: () => Promise<boolean>) {
    setBusy(name);
    await act();
    setBusy(undefined);
  }
  const first = (photo: MakerPhoto) =>
    run('Moving…', () => order([photo.id, ...photos.filter((one) => one !== photo).map((one) => one.id)]));
  const remove = (photo: MakerPhoto) =>
    run('Removing…', () => update(() => api.makers.deletePhoto({ params: { id: photo.id } })));

  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-1.5 font-medium text-graphite text-xs">
        Photos
      </h3>
      <HiddenFileInput
        ref={picker}
        label="Photos of your work"
        accept="image/*"
        multiple
        onChoose={(files) => void add(files)}
      />
      {photos.length > 0 && (
        <ul className="mb-3 grid grid-cols-2 gap-3 sm:grid-cols-3">
          {photos.map((photo, index) => (
            <li key={photo.id} className="overflow-hidden rounded-control border border-line">
              <div className="aspect-[4/3]">
                <Photo photo={photo} alt={`Photo ${index + 1}`} sizes="240px" className="size-full" />
              </div>
              <div className="flex h-10 items-center justify-between gap-1 border-line border-t pr-1 pl-2">
                {index === 0 ? (
                  <span className="text-graphite text-xs">In the list</span>
                ) : (
                  <Button
                    size="sm"
                    variant="ghost"
                    className="-ml-1"
                    disabled={busy !== undefined}
                    aria-label={`Put photo ${index + 1} first`}
                    onClick={() => void first(photo)}
                  >
                    Put first
                  </Button>
                )}
                <IconButton
                  icon="trash"
                  size="sm"
                  label={`Remove photo ${index + 1}`}
                  disabled={busy !== undefined}
                  onClick={() => void remove(photo)}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button icon="upload" isBusy={busy !== undefined} disabled={room <= 0} onClick={() => picker.current?.click()}>
          {busy ?? (photos.length === 0 ? 'Add photos' : 'Add more')}
        </Button>
        <p className="text-graphite text-sm">
          {room > 0
            ? 'Up to six, 20 MB each. Place and camera are taken out of the file.'
            : 'Six are as many as a page shows.'}
        </p>
      </div>
    </section>
  );
}
