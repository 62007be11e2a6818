/** The production files that the account made, to be downloaded again. */
import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { MadeFile } from '@markwright/contract/schemas';
import { MADE_FILE_DAYS, messages } from '@markwright/contract/words';
import { buttonClass, IconButton } from '@markwright/controls';
import { useState } from 'react';
import { api } from '../../api.ts';
import { formatBytes } from '../../ui/bytes.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { useCopy } from '../../ui/clipboard.ts';
import { formatCount } from '../../ui/counts.ts';
import { formatDay, formatTime } from '../../ui/dates.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { Listing, usePages } from '../../ui/PagedList.tsx';
import { Badge } from '../../ui/sections.tsx';
import { useAttempt } from '../../ui/useAttempt.ts';

export function FilesTab() {
  const query = usePages([siteCalls.files.list.path], (cursor, signal) =>
    api.files.list({ query: cursor }, { signal }),
  );
  const attempt = useAttempt();
  const [fileToDelete, setFileToDelete] = useState<MadeFile>();
  const files = query.data?.pages.flatMap((page) => page.files) ?? [];
  return (
    <section aria-labelledby="made-files">
      <h2 id="made-files" className="text-lg">
        My files
      </h2>
      <p className="mt-0.5 mb-3 text-graphite">
        What you made for your machines. Each is kept {MADE_FILE_DAYS} days, and downloading it again is free.
      </p>
      <Listing
        query={query}
        failure="Your files could not be read."
        count={files.length}
        noun={['file', 'files']}
        empty={
          <EmptyState
            title="No files yet"
            action={
              <ButtonLink to="/studio" variant="secondary">
                Open the studio
              </ButtonLink>
            }
          >
            Each production file that you export is listed here, with its size and its SHA-256.
          </EmptyState>
        }
      >
        <ul aria-label="Files">
          {files.map((file) => (
            <li key={file.id} className="border-line not-first:border-t">
              <FileLine file={file} onDelete={() => setFileToDelete(file)} />
            </li>
          ))}
        </ul>
      </Listing>
      <ConfirmDialog
        isOpen={fileToDelete !== undefined}
        title="Delete this file?"
        description={`${fileToDelete?.filename ?? ''} goes from the list. Its export stays counted, and making it again this month is free.`}
        action="Delete it"
        onClose={() => setFileToDelete(undefined)}
        onConfirm={async () => {
          const isDone = await attempt(messages.requestFailed, async () => {
            await api.files.remove({ params: { id: fileToDelete!.id } });
            return { title: 'File deleted', description: fileToDelete!.filename };
          });
          await query.refetch();
          return isDone;
        }}
      />
    </section>
  );
}

function FileLine({ file, onDelete }: { file: MadeFile; onDelete(): void }) {
  const { filename, format, widthMm, heightMm, sizeBytes, designFilename, productName, createdAt } = file;
  const { url, deletedAt, sha256, pieces } = file;
  const ending = { package: 'zip', sheet: 'pdf' }[format as string] ?? format;
  const about = [productName, designFilename].filter(Boolean).join(', ');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-2 px-5 py-4 sm:grid-cols-[52px_minmax(0,1fr)_auto]">
      <span aria-hidden="true" className="pt-0.5 font-mono text-graphite text-xs max-sm:hidden">
        .{ending}
      </span>
      <div className="min-w-0">
        {/* The typeface would write the x of a size as a multiplication sign. */}
        <p className="font-medium [font-variant-ligatures:no-contextual] [overflow-wrap:anywhere]">{filename}</p>
        <p className="measure text-graphite">
          {pieces !== null && (pieces === 1 ? '1 piece, ' : `${formatCount(pieces)} pieces, each `)}
          {widthMm} × {heightMm} mm{sizeBytes !== null && `, ${formatBytes(sizeBytes)}`}
        </p>
        {about && <p className="text-graphite text-sm [overflow-wrap:anywhere]">{about}</p>}
        <p className="text-graphite text-sm">
          <span className="max-sm:block">Made {formatTime(createdAt)}.</span>{' '}
          {deletedAt && <span className="max-sm:block">Kept until {formatDay(deletedAt)}.</span>}
        </p>
      </div>
      <div className="flex items-start gap-1 sm:items-center">
        {url ? (
          <a
            href={url}
            download={filename}
            aria-label={`Download ${filename}`}
            className={buttonClass('secondary', 'md', 'max-sm:px-2.5')}
          >
            Download
          </a>
        ) : (
          <Badge tone="quiet">No longer kept</Badge>
        )}
        <IconButton icon="trash" label={`Delete ${filename}`} onClick={onDelete} />
      </div>
      {sha256 !== null ? (
        <Hash sha256={sha256} filename={filename} />
      ) : (
        url && (
          <p className="col-span-full text-graphite text-xs sm:col-start-2">
            Its SHA-256 is here once you have downloaded it.
          </p>
        )
      )}
    </div>
  );
}

function Hash({ sha256, filename }: { sha256: string; filename: string }) {
  const { isCopied, copy } = useCopy('Select it and copy it with your keyboard.');
  return (
    <div className="col-span-full flex items-center gap-1 text-graphite text-xs sm:col-start-2">
      <span className="shrink-0">SHA-256</span>
      <code className="min-w-0 select-all font-mono [overflow-wrap:anywhere]">{sha256}</code>
      <IconButton
        icon={isCopied ? 'check' : 'duplicate'}
        label={isCopied ? 'Copied' : `Copy the SHA-256 of ${filename}`}
        onClick={() => void copy(sha256)}
      />
    </div>
  );
}
