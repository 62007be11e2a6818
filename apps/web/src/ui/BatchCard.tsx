/** A batch: how far it is, what it is called, and what can be done with it. */
import type { Batch } from '@markwright/contract/schemas';
import { Button, buttonClass } from '@markwright/controls';
import { formatDay } from './dates.ts';

interface BatchCardProps {
  readonly batch: Batch;
  onRemove(): void;
  /** Begins another list. */
  onLeave?: () => void;
}

const sayFiles = (count: number): string => `${count.toLocaleString('en-US')} ${count === 1 ? 'file' : 'files'}`;

/** The files of a batch, without its papers. */
const countFiles = ({ pieces, sheets }: Batch): number => sheets ?? pieces;

export function BatchCard({ batch, onRemove, onLeave }: BatchCardProps) {
  const { state, done, url } = batch;
  const isUnderWay = state === 'waiting' || state === 'making';
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2">
      <div className="min-w-0 flex-1 basis-52">
        <p className="truncate font-medium text-sm">{batch.filename}</p>
        <p role="status" className={`text-xs ${state === 'failed' ? 'text-danger' : 'text-graphite'}`}>
          {sayState(batch)}
        </p>
        {isUnderWay && (
          <progress
            aria-label="Files that are made"
            value={done}
            max={countFiles(batch)}
            className="mt-1.5 block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
          />
        )}
      </div>
      <div className="flex gap-2">
        {url && (
          <a href={url} download={batch.filename} className={buttonClass('primary', 'md')}>
            Download
          </a>
        )}
        <Button onClick={onRemove} aria-label={`${isUnderWay ? 'Cancel' : 'Delete'} ${batch.filename}`}>
          {isUnderWay ? 'Cancel' : 'Delete'}
        </Button>
        {onLeave && !isUnderWay && <Button onClick={onLeave}>Another list</Button>}
      </div>
    </div>
  );
}

function sayState(batch: Batch): string {
  const { state, sheets, done, problem, leftOut, deletedAt } = batch;
  const count = countFiles(batch);
  if (state === 'failed') return `${problem} Nothing was charged.`;
  if (state === 'waiting' && done === 0) return `${sayFiles(count)}, waiting for their turn.`;
  if (state !== 'done') return `${done.toLocaleString('en-US')} of ${sayFiles(count)} made. You may close this.`;
  const rest = leftOut.length > 0 ? ` ${leftOut.length === 1 ? '1 row' : `${leftOut.length} rows`} left out.` : '';
  const pieces = `${batch.pieces.toLocaleString('en-US')} ${batch.pieces === 1 ? 'piece' : 'pieces'}`;
  const files = sheets === null ? sayFiles(count) : `${pieces} on ${count === 1 ? '1 sheet' : `${count} sheets`}`;
  return `${files}, a list and a job sheet.${rest} Kept until ${formatDay(deletedAt)}.`;
}
