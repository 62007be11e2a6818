/**
 * Uploads the files of a folder in batches and keeps the state of each. An upload can be stopped and resumed. Uploading
 * the same folder again is safe: the server skips products that exist.
 */
import type { TableFields } from '@markwright/contract/productTable';
import { bulkSummary, isProductTable, messages } from '@markwright/contract/words';
import type { Notice } from '../ui/notices.ts';

export interface FolderFile {
  readonly file: File;
  /** From the chosen folder on. Read only as names of categories and products. */
  readonly path: string;
  /** The product's line in the folder's table. */
  readonly fields?: TableFields | undefined;
}

export type FileState = 'waiting' | 'sending' | 'uploaded' | 'duplicate' | 'skipped' | 'failed';

/** The outcome of one file. */
export interface Outcome {
  readonly state: Exclude<FileState, 'waiting' | 'sending'>;
  /** The reason why it was skipped or failed, as a sentence. */
  readonly message?: string | undefined;
  /** The category of its product. */
  readonly category?: string | undefined;
}

export interface FileLine {
  readonly path: string;
  readonly state: FileState;
  readonly message?: string | undefined;
  readonly category?: string | undefined;
}

interface FolderUploadState {
  readonly lines: readonly FileLine[];
  readonly isRunning: boolean;
  /** The number of files with an outcome, whatever it is. */
  readonly doneCount: number;
  /** The reason why the upload gave up. */
  readonly stopReason?: string | undefined;
}

export interface FolderUpload {
  getState(): FolderUploadState;
  subscribe(listener: () => void): () => void;
  /** Sends the files that wait or have failed. Resolves when none is left, or after a stop. Never rejects. */
  run(): Promise<void>;
  /** Aborts the requests that are running. Their files wait again. */
  stop(): void;
}

export interface Sender {
  /** The most files and bytes in one request. A larger file is sent alone. */
  readonly batch: { readonly files: number; readonly bytes: number };
  /** The number of requests at a time. */
  readonly concurrency: number;
  /**
   * Resolves with the outcomes in the order of the batch. A file without one is sent again. Rejects when there is no
   * outcome at all.
   */
  send(files: readonly FolderFile[], signal: AbortSignal): Promise<readonly (Outcome | undefined)[]>;
  /** Returns the sentence for a rejection. `isOver` is true when sending more makes no sense now. */
  explain(error: unknown): { readonly message: string; readonly isOver: boolean };
}

/** A file fails after this many batches of which the server handled no file. */
const MAX_TRIES = 4;

/**
 * Creates an upload. Files whose media type is not that of a picture are skipped at once. The server judges the others
 * by their bytes.
 */
export function createFolderUpload(files: readonly FolderFile[], sender: Sender): FolderUpload {
  const listeners = new Set<() => void>();
  const lines: FileLine[] = files.map(({ file, path }) =>
    file.type !== '' && !file.type.startsWith('image/')
      ? { path, state: 'skipped', message: NOT_A_PICTURE }
      : { path, state: 'waiting' },
  );
  const tries = new Uint8Array(files.length);
  let state: FolderUploadState = { lines: [...lines], isRunning: false, doneCount: 0 };
  let controller = new AbortController();
  let running: Promise<void> | undefined;
  let stopReason: string | undefined;

  function show(isRunning: boolean): void {
    const doneCount = lines.reduce(
      (sum, line) => sum + (line.state === 'waiting' || line.state === 'sending' ? 0 : 1),
      0,
    );
    state = { lines: [...lines], isRunning, doneCount, stopReason };
    for (const listener of listeners) listener();
  }
  show(false);

  function set(index: number, line: Omit<FileLine, 'path'>): void {
    lines[index] = { path: files[index]!.path, ...line };
  }

  function takeBatch(): number[] {
    const batch: number[] = [];
    let bytes = 0;
    for (let index = 0; index < lines.length && batch.length < sender.batch.files; index++) {
      if (lines[index]!.state !== 'waiting') continue;
      bytes += files[index]!.file.size;
      if (batch.length > 0 && bytes > sender.batch.bytes) break;
      batch.push(index);
    }
    for (const index of batch) set(index, { state: 'sending' });
    return batch;
  }

  async function sendBatches(signal: AbortSignal): Promise<void> {
    for (;;) {
      const batch = signal.aborted ? [] : takeBatch();
      if (batch.length === 0) return;
      show(true);
      try {
        const outcomes = await sender.send(
          batch.map((index) => files[index]!),
          signal,
        );
        const isStuck = batch.every((_, at) => outcomes[at] === undefined);
        for (const [at, index] of batch.entries()) {
          const outcome = outcomes[at];
          if (outcome) set(index, outcome);
          else if (!isStuck || ++tries[index]! < MAX_TRIES) set(index, { state: 'waiting' });
          else set(index, { state: 'failed', message: 'This file was not read. Please try again.' });
        }
      } catch (error) {
        const { message, isOver } = sender.explain(error);
        for (const index of batch) set(index, signal.aborted ? { state: 'waiting' } : { state: 'failed', message });
        if (isOver && !signal.aborted) {
          stopReason = message;
          controller.abort();
        }
      }
      show(true);
    }
  }

  async function run(): Promise<void> {
    controller = new AbortController();
    for (const [index, line] of lines.entries()) if (line.state === 'failed') set(index, { state: 'waiting' });
    tries.fill(0);
    stopReason = undefined;
    await Promise.all(Array.from({ length: sender.concurrency }, () => sendBatches(controller.signal)));
    show(false);
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    run() {
      running ??= run().finally(() => {
        running = undefined;
      });
      return running;
    },
    stop: () => controller.abort(),
  };
}

const NOT_A_PICTURE = 'This is no picture.';

/** Returns the notice for the end of an upload; undefined when it was stopped. */
export function noticeOf({ lines, doneCount, stopReason }: FolderUploadState): Notice | undefined {
  const count = (of: FileState) => lines.filter(({ state }) => state === of).length;
  const duplicates = count('duplicate');
  const failedLine = lines.find(({ state }) => state === 'failed');
  const isTotalFailure = failedLine !== undefined && count('uploaded') === 0 && duplicates === 0;
  if (stopReason !== undefined || (isTotalFailure && doneCount === lines.length)) {
    return {
      title: messages.bulkUploadFailed,
      description: stopReason ?? failedLine?.message ?? '',
      variant: 'destructive',
    };
  }
  if (doneCount < lines.length) return undefined;
  return {
    title: summaryOf(lines),
    description:
      duplicates > 0
        ? `${duplicates} ${duplicates === 1 ? 'was' : 'were'} there already.`
        : 'The dialog lists each file.',
    ...(failedLine && { variant: 'destructive' }),
  };
}

/** Returns the sentence about the result of an upload. */
export function summaryOf(lines: readonly FileLine[]): string {
  const uploadedLines = lines.filter(({ state }) => state === 'uploaded');
  const categories = [...new Set(uploadedLines.map(({ category }) => category ?? ''))].filter(Boolean).sort();
  return bulkSummary(uploadedLines.length, categories, lines.filter(({ state }) => state === 'failed').length);
}

/** The most files that a page can hold at once. */
const MAX_FOLDER_FILES = 20_000;

/** Returns the notice why a folder cannot be uploaded; undefined when it can. */
export function refusalOf(files: readonly FolderFile[]): Notice | undefined {
  if (files.length === 0) {
    return { title: 'There is no file in it', description: 'Choose a folder with pictures of your blanks.' };
  }
  if (files.length <= MAX_FOLDER_FILES) return undefined;
  return {
    title: 'Too many files at once',
    description: 'A folder can have up to 20,000 files. Send its folders one after the other.',
    variant: 'destructive',
  };
}

/** A folder with the lines of its table, or the sentences about the table's wrong lines. */
export type ReadFolder =
  | { readonly files: readonly FolderFile[]; readonly problems?: undefined }
  | { readonly files?: undefined; readonly problems: readonly string[] };

/** Reads the `products.csv` of a folder. Rejects when its code cannot be loaded or the file cannot be read. */
export async function readFolderTable(files: readonly FolderFile[]): Promise<ReadFolder> {
  if (!files.some(({ path }) => isProductTable(path))) return { files };
  const { matchRows, readProductTable } = await import('@markwright/contract/productTable');
  const pictures = files.filter(({ path }) => !isProductTable(path));
  const [first, second] = files.filter(({ path }) => isProductTable(path));
  if (second) return { problems: [`There are two tables: ${first!.path} and ${second.path}. Leave one of them.`] };
  const table = readProductTable(new Uint8Array(await first!.file.arrayBuffer()));
  const { rows, problems, missing } = matchRows(
    table,
    pictures.map(({ path }) => path),
  );
  const wrong = [...table.problems, ...problems, ...missing];
  if (wrong.length > 0) return { problems: wrong };
  return { files: pictures.map((file, i) => ({ ...file, fields: rows[i]?.fields })) };
}

/** Returns the files of a folder that was chosen in a file dialog. */
export function readChosen(list: Iterable<File>): FolderFile[] {
  return Array.from(list, (file) => ({ file, path: file.webkitRelativePath || file.name }));
}

/**
 * Returns the dropped files and those in dropped folders, up to the first one that is too many. A folder that cannot be
 * read counts as empty.
 */
export async function readDropped(items: DataTransferItemList): Promise<FolderFile[]> {
  // All entries are read before the first await: after it the list is empty.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const files: FolderFile[] = [];
  const open = [...entries];
  for (let entry = open.shift(); entry && files.length <= MAX_FOLDER_FILES; entry = open.shift()) {
    if (entry.isDirectory) open.push(...(await readFolder(entry as FileSystemDirectoryEntry)));
    else {
      const file = await new Promise<File | undefined>((resolve) =>
        (entry as FileSystemFileEntry).file(resolve, () => resolve(undefined)),
      );
      if (file) files.push({ file, path: entry.fullPath.replace(/^\//, '') });
    }
  }
  return files;
}

async function readFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    // Browsers return a hundred entries at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (some.length === 0) return entries;
    entries.push(...some);
  }
}
