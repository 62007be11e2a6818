/** The shop's lasers: a list, and the dialog that edits one. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { Laser } from '@markwright/contract/schemas';
import { messages } from '@markwright/contract/words';
import { Button, IconButton, lazyPart } from '@markwright/controls';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { api } from '../../../api.ts';
import { materialNames } from '../../../products/names.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Unreadable } from '../../../ui/sections.tsx';
import { useAttempt } from '../../../ui/useAttempt.ts';
import { NamedLine } from './NamedLine.tsx';

const LaserDialog = lazyPart(() => import('./LaserDialog.tsx'));

export const useLasers = () => useQuery<Laser[]>({ queryKey: [siteCalls.lasers.list.path], refetchOnMount: 'always' });

export function Lasers({ query }: { query: UseQueryResult<Laser[]> }) {
  const attempt = useAttempt();
  const [openLaser, setOpenLaser] = useState<Laser | 'new'>();
  const [laserToDelete, setLaserToDelete] = useState<Laser>();
  if (!query.data) {
    return (
      <Unreadable what="Your lasers could not be read." error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  const add = (
    <Button icon="plus" onClick={() => setOpenLaser('new')}>
      Add a laser
    </Button>
  );
  return (
    <>
      {query.data.length === 0 ? (
        <EmptyState title="No laser yet" action={add}>
          Type in its speeds and powers, or read them from its LightBurn library. Until then projects have placeholders.
        </EmptyState>
      ) : (
        <>
          <ul aria-label="Lasers">
            {query.data.map((laser) => (
              <NamedLine key={laser.id} name={laser.name} text={sayMaterials(laser)}>
                <IconButton icon="pencil" label={`Edit ${laser.name}`} onClick={() => setOpenLaser(laser)} />
                <IconButton icon="trash" label={`Delete ${laser.name}`} onClick={() => setLaserToDelete(laser)} />
              </NamedLine>
            ))}
          </ul>
          <div className="border-line border-t px-5 py-4">{add}</div>
        </>
      )}
      {openLaser && (
        <Suspense>
          <LaserDialog
            laser={openLaser === 'new' ? undefined : openLaser}
            onClose={() => setOpenLaser(undefined)}
            onSaved={() => {
              setOpenLaser(undefined);
              void query.refetch();
            }}
          />
        </Suspense>
      )}
      <ConfirmDialog
        isOpen={laserToDelete !== undefined}
        title={`Delete ${laserToDelete?.name ?? ''}?`}
        description="Projects for it have placeholders from then on. Files that were made stay as they are."
        action="Delete it"
        onClose={() => setLaserToDelete(undefined)}
        onConfirm={async () => {
          const isDone = await attempt(messages.requestFailed, async () => {
            await api.lasers.remove({ params: { id: laserToDelete!.id } });
            return { title: `${laserToDelete!.name} is deleted`, description: 'Its settings are gone.' };
          });
          await query.refetch();
          return isDone;
        }}
      />
    </>
  );
}

const MOST_NAMES = 4;

/** `6 settings: Slate, Walnut and 2 more` */
function sayMaterials({ entries }: Laser): string {
  if (entries.length === 0) return 'No settings yet';
  const names = [...new Set(entries.map(({ material }) => materialNames[material]))];
  const rest = names.length - MOST_NAMES;
  const list = names.slice(0, MOST_NAMES).join(', ');
  return `${entries.length === 1 ? '1 setting' : `${entries.length} settings`}: ${list}${rest > 0 ? ` and ${rest} more` : ''}`;
}
