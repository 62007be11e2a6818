import { Button, HiddenFileInput, Icon } from '@markwright/controls';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { messageOf } from '../request.ts';
import { toast } from '../ui/notices.ts';
import { useFileDrop } from '../ui/useFileDrop.ts';
import {
  createFolderUpload,
  type FileLine,
  type FileState,
  type FolderFile,
  noticeOf,
  readChosen,
  readDropped,
  readFolderTable,
  refusalOf,
  type Sender,
  type FolderUpload as Upload,
} from './folderUpload.ts';

interface Props {
  /** Explains how the folders are read. */
  readonly children: ReactNode;
  readonly sender: Sender;
  /** Called after products were added: lists that show them are out of date. */
  onAdd(): void;
}

/** Takes a folder by a button or by dropping it, and sends its files. The upload can be stopped and resumed. */
export function FolderUpload({ children, sender, onAdd }: Props) {
  const [upload, setUpload] = useState<Upload>();
  const [problems, setProblems] = useState<readonly string[]>();
  const picker = useRef<HTMLInputElement>(null);

  async function run(folderUpload: Upload) {
    await folderUpload.run();
    const state = folderUpload.getState();
    if (state.lines.some(({ state }) => state === 'uploaded')) onAdd();
    const notice = noticeOf(state);
    if (notice) toast(notice);
  }
  async function start(chosenFiles: readonly FolderFile[]) {
    const refusal = refusalOf(chosenFiles);
    if (refusal) {
      toast(refusal);
      return;
    }
    const { files, problems: wrong } = await readFolderTable(chosenFiles).catch((error: unknown) => ({
      files: undefined,
      problems: [`products.csv could not be read: ${messageOf(error)}`],
    }));
    setProblems(wrong);
    if (!files) return;
    const newUpload = createFolderUpload(files, sender);
    setUpload(newUpload);
    void run(newUpload);
  }
  const { isOver, dropProps } = useFileDrop((data) => void readDropped(data.items).then(start));

  if (upload) {
    return <Sending upload={upload} onRun={() => void run(upload)} onClose={() => setUpload(undefined)} />;
  }
  return (
    // Dropping is a shortcut for the button inside.
    <div
      {...dropProps}
      className={`grid justify-items-center gap-3 rounded-card border border-dashed px-5 py-8 text-center transition-colors ${isOver ? 'border-accent bg-accent-soft' : 'border-edge'}`}
    >
      <Icon name="upload" className="size-6 text-graphite" />
      <p className="max-w-[52ch] text-graphite">{children}</p>
      {problems ? <TableProblems problems={problems} /> : <TableHelp />}
      <Button icon="upload" onClick={() => picker.current?.click()}>
        Choose a folder
      </Button>
      <HiddenFileInput
        ref={(input) => {
          picker.current = input;
          input?.setAttribute('webkitdirectory', '');
        }}
        label="Folder of pictures"
        multiple
        onChoose={(files) => void start(readChosen(files))}
      />
    </div>
  );
}

/** Says which lines of the table are wrong. Nothing was sent then. */
function TableProblems({ problems }: { problems: readonly string[] }) {
  const some = problems.slice(0, MOST_LINES);
  return (
    <div role="alert" className="w-full rounded-control border border-danger px-3 py-2 text-left text-sm">
      <p className="font-medium text-danger">Nothing was sent: the table has wrong lines.</p>
      <ul className="mt-1 grid gap-1 text-xs">
        {some.map((problem) => (
          <li key={problem} className="[overflow-wrap:anywhere]">
            {problem}
          </li>
        ))}
        {problems.length > some.length && <li>And {problems.length - some.length} more.</li>}
      </ul>
    </div>
  );
}

const MOST_LINES = 12;

/** How the table is written, folded away: most folders have none. */
const TableHelp = () => (
  <details className="w-full max-w-[56ch] text-left text-graphite text-sm">
    <summary className="mx-auto w-fit cursor-pointer rounded-control text-xs underline underline-offset-4 focus-visible:outline-2 focus-visible:outline-accent">
      Sizes and materials from a products.csv
    </summary>
    <p className="mt-2 text-xs">
      A file of this name in the folder says what the pictures do not. Each line names a picture; what is left out stays
      as usual. Lengths are in mm, or with cm or in behind them.
    </p>
    <pre className="measure mt-2 whitespace-pre-wrap rounded-control border border-line bg-bone px-3 py-2 text-ink text-xs [overflow-wrap:anywhere]">
      {TABLE_EXAMPLE}
    </pre>
    <p className="mt-2 text-xs">
      More columns: <span className="measure">surface</span>, <span className="measure">top diameter</span>,{' '}
      <span className="measure">bottom diameter</span>, <span className="measure">cone height</span>.
    </p>
  </details>
);

const TABLE_EXAMPLE = `file,width,height,material,machines,diameter
Tumbler.png,2.2 in,5.5 in,stainless,laser uv,73
Coasters/Round.png,85,85,slate,laser,`;

function Sending({ upload, onRun, onClose }: { upload: Upload; onRun(): void; onClose(): void }) {
  const { lines, isRunning, doneCount } = useSyncExternalStore(upload.subscribe, upload.getState);
  useLeaveWarning(isRunning);
  useEffect(() => upload.stop, [upload]);
  const count = (...states: FileState[]) => lines.filter(({ state }) => states.includes(state)).length;
  const failureCount = count('failed');
  const isComplete = doneCount === lines.length;
  const counts: [text: string, count: number][] = [
    ['added', count('uploaded')],
    ['there already', count('duplicate')],
    ['skipped', count('skipped')],
    ['failed', failureCount],
  ];
  return (
    <div className="rounded-card border border-line">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4">
        <div className="min-w-0 flex-[1_1_260px]">
          <p className="font-medium">
            {isComplete
              ? 'Done'
              : isRunning
                ? `Sending ${doneCount + 1} of ${lines.length}`
                : `Stopped at ${doneCount} of ${lines.length}`}
          </p>
          <p role="status" className="measure mt-0.5 flex flex-wrap gap-x-3 text-graphite">
            {counts
              .filter(([, of]) => of > 0)
              .map(([text, of]) => (
                <span key={text} className={text === 'failed' ? 'text-danger' : ''}>
                  {of} {text}
                </span>
              ))}
          </p>
        </div>
        <div className="flex gap-2">
          {isRunning ? (
            <Button onClick={upload.stop}>Cancel</Button>
          ) : (
            <>
              {!isComplete && (
                <Button variant="primary" onClick={onRun}>
                  Resume
                </Button>
              )}
              {isComplete && failureCount > 0 && (
                <Button icon="refresh" onClick={onRun}>
                  Try the failed ones again
                </Button>
              )}
              <Button variant={isComplete && failureCount === 0 ? 'primary' : 'ghost'} onClick={onClose}>
                {isComplete ? 'Another folder' : 'Leave it'}
              </Button>
            </>
          )}
        </div>
        <div
          role="progressbar"
          aria-label="Files sent"
          aria-valuemin={0}
          aria-valuemax={lines.length}
          aria-valuenow={doneCount}
          className="h-1.5 w-full overflow-hidden rounded-full bg-line"
        >
          <div
            className="h-full rounded-full bg-accent transition-[width] duration-150 motion-reduce:transition-none"
            style={{ width: `${(100 * doneCount) / lines.length}%` }}
          />
        </div>
      </div>
      <ul
        aria-label="Files"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is scrolled with keys
        tabIndex={0}
        className="max-h-72 overflow-y-auto border-line border-t py-1 [scrollbar-width:thin] focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent"
      >
        {(isRunning ? lines : failedFirst(lines)).map((line) => (
          <Line key={line.path} line={line} />
        ))}
      </ul>
    </div>
  );
}

/** Puts failed files first, so that nobody has to look for one among thousands. */
const failedFirst = (lines: readonly FileLine[]): readonly FileLine[] => [
  ...lines.filter(({ state }) => state === 'failed'),
  ...lines.filter(({ state }) => state !== 'failed'),
];

/** Rows that are not in view cost nothing: thousands of them scroll smoothly. */
function Line({ line: { path, state, message } }: { line: FileLine }) {
  const { icon, tone, word } = stateLooks[state];
  return (
    <li className="flex min-h-8 items-center gap-2.5 px-4 py-1 text-sm [contain-intrinsic-size:auto_32px] [content-visibility:auto]">
      <span className={`grid size-4 shrink-0 place-items-center ${tone}`}>
        {icon ? <Icon name={icon} className="size-4" /> : <span className="size-1.5 rounded-full bg-current" />}
      </span>
      <span className="min-w-0 flex-1 truncate" title={path}>
        {path}
      </span>
      <span className={`shrink-0 max-w-[55%] text-right text-xs ${tone}`}>{message ?? word}</span>
    </li>
  );
}

const stateLooks = {
  waiting: { icon: undefined, tone: 'text-graphite', word: 'Waiting' },
  sending: { icon: undefined, tone: 'text-accent', word: 'Sending' },
  uploaded: { icon: 'check', tone: 'text-success', word: 'Added' },
  duplicate: { icon: undefined, tone: 'text-graphite', word: 'There already' },
  skipped: { icon: undefined, tone: 'text-graphite', word: 'Skipped' },
  failed: { icon: 'warning', tone: 'text-danger', word: 'Failed' },
} as const;

/** Makes the browser ask before the page is left while files are being sent. */
function useLeaveWarning(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isRunning]);
}
