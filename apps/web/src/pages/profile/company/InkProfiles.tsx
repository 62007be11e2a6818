/** The shop's own ICC profiles for CMYK files. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { InkProfile } from '@markwright/contract/schemas';
import { INK_PROFILE_LIMITS, messages } from '@markwright/contract/words';
import { Button, HiddenFileInput, IconButton } from '@markwright/controls';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../../../api.ts';
import { messageOf } from '../../../request.ts';
import { formatBytes } from '../../../ui/bytes.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { formatDay } from '../../../ui/dates.ts';
import { Unreadable } from '../../../ui/sections.tsx';
import { useAttempt } from '../../../ui/useAttempt.ts';
import { NamedLine } from './NamedLine.tsx';

export const useInkProfiles = () =>
  useQuery<InkProfile[]>({ queryKey: [siteCalls.inkProfiles.list.path], refetchOnMount: 'always' });

export function InkProfiles({ query }: { query: UseQueryResult<InkProfile[]> }) {
  const attempt = useAttempt();
  const input = useRef<HTMLInputElement>(null);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [profileToDelete, setProfileToDelete] = useState<InkProfile>();
  if (!query.data) {
    return (
      <Unreadable
        what="Your color profiles could not be read."
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  }

  async function send(file: File | undefined) {
    if (!file) return;
    if (file.size > INK_PROFILE_LIMITS.bytes) return setProblem('This color profile is too large. It may have 4 MB.');
    setSending(true);
    setProblem(undefined);
    try {
      await api.inkProfiles.add({ body: {}, file });
      await query.refetch();
    } catch (error) {
      setProblem(messageOf(error));
    }
    setSending(false);
  }

  return (
    <>
      {query.data.length > 0 && (
        <ul aria-label="Color profiles">
          {query.data.map((profile) => (
            <NamedLine
              key={profile.id}
              name={profile.name}
              text={`${formatBytes(profile.sizeBytes)}, added ${formatDay(profile.createdAt)}`}
            >
              <IconButton icon="trash" label={`Delete ${profile.name}`} onClick={() => setProfileToDelete(profile)} />
            </NamedLine>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t px-5 py-4 first:border-t-0">
        <HiddenFileInput ref={input} label="ICC profile" accept=".icc,.icm" onChoose={([file]) => void send(file)} />
        <Button icon="upload" isBusy={isSending} onClick={() => input.current?.click()}>
          Add an ICC profile
        </Button>
        <p
          role={problem ? 'alert' : undefined}
          className={`min-w-0 flex-[1_1_240px] text-sm ${problem ? 'text-danger' : 'text-graphite'}`}
        >
          {problem ?? 'A CMYK output profile of your printer or its program. Choose it beside the format.'}
        </p>
      </div>
      <ConfirmDialog
        isOpen={profileToDelete !== undefined}
        title={`Delete ${profileToDelete?.name ?? ''}?`}
        description="Files are made by the generic profile again. Those that were made stay as they are."
        action="Delete it"
        onClose={() => setProfileToDelete(undefined)}
        onConfirm={async () => {
          const isDone = await attempt(messages.requestFailed, async () => {
            await api.inkProfiles.remove({ params: { id: profileToDelete!.id } });
            return {
              title: `${profileToDelete!.name} is deleted`,
              description: 'The generic profile takes its place.',
            };
          });
          await query.refetch();
          return isDone;
        }}
      />
    </>
  );
}
