/**
 * Sends the files of a folder, a few at a time, and keeps account of each: what is on its way can be stopped, and what
 * is left sent later. Sending the same folder again is safe: what is there already is skipped by the server.
 */
import { bulkSummary, messages } from '@markwright/contract/words';
import type { Notice } from '../ui/notices.ts';

export interface FolderFile {
  readonly file: File;
  /** From the chosen folder on; only ever read as labels. */
  readonly path: string;
}

export type FileState = 'waiting' | 'sending' | 'uploaded' | 'duplicate' | 'skipped' | 'failed';

/** The outcome of one file. */
export interface Outcome {
  readonly state: Exclude<FileState, 'waiting' | 'sending'>;
  /** Why it was skipped or failed, in a sentence. */
  readonly message?: string | undefined;
  /** Under which category its product is found. */
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
  /** Files that need not be sent any more, whatever became of them. */
  readonly done: number;
  /** Why there was no use in sending more. */
  readonly end?: string | undefined;
}

export interface FolderUpload {
  getState(): FolderUploadState;
  subscribe(listener: () => void): () => void;
  /** Sends what is waiting or failed. Resolves when nothing is left to send, or it was stopped. Never rejects. */
  run(): Promise<void>;
  /** Aborts the requests under way; their files wait again. */
  stop(): void;
}

export interface Sender {
  /** The most files and bytes in one request; one file may be larger. */
  readonly batch: { readonly files: number; readonly bytes: number };
  /** Requests at a time. */
  readonly lanes: number;
  /**
   * Resolves with each file's outcome, by its place in the batch; an absent one is sent again. Rejects when no outcome
   * is known.
   */
  send(files: readonly FolderFile[], signal: AbortSignal): Promise<readonly (Outcome | undefined)[]>;
  /** The sentence for a rejection. `isOver`: there is no use in sending more now. */
  explain(error: unknown): { readonly message: string; readonly isOver: boolean };
}

/** A file is given up after this many batches of which the server reached nothing. */
const MAX_TRIES = 4;

/**
 * Files that say themselves that they are no picture are not sent at all; the server decides about the rest by their
 * bytes.
 */
export function createFolderUpload(files: readonly FolderFile[], sender: Sender): FolderUpload {
  const listeners = new Set<() => void>();
  const lines: FileLine[] = files.map(({ file, path }) =>
    file.type !== '' && !file.type.startsWith('image/')
      ? { path, state: 'skipped', message: NOT_A_PICTURE }
      : { path, state: 'waiting' },
  );
  const tries = new Uint8Array(files.length);
  let state: FolderUploadState = { lines: [...lines], isRunning: false, done: 0 };
  let controller = new AbortController();
  let running: Promise<void> | undefined;
  let end: string | undefined;

  function show(isRunning: boolean): void {
    const done = lines.reduce((sum, line) => sum + (line.state === 'waiting' || line.state === 'sending' ? 0 : 1), 0);
    state = { lines: [...lines], isRunning, done, end };
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
          else set(index, { state: 'failed', message: 'The server did not get to this file. Please try again.' });
        }
      } catch (error) {
        const { message, isOver } = sender.explain(error);
        for (const index of batch) set(index, signal.aborted ? { state: 'waiting' } : { state: 'failed', message });
        if (isOver && !signal.aborted) {
          end = message;
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
    end = undefined;
    await Promise.all(Array.from({ length: sender.lanes }, () => sendBatches(controller.signal)));
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
export function noticeOf({ lines, done, end }: FolderUploadState): Notice | undefined {
  const count = (of: FileState) => lines.filter(({ state }) => state === of).length;
  const duplicates = count('duplicate');
  const failedLine = lines.find(({ state }) => state === 'failed');
  const isInVain = failedLine !== undefined && count('uploaded') === 0 && duplicates === 0;
  if (end !== undefined || (isInVain && done === lines.length)) {
    return { title: messages.bulkUploadFailed, description: end ?? failedLine?.message ?? '', variant: 'destructive' };
  }
  if (done < lines.length) return undefined;
  return {
    title: summaryOf(lines),
    ...(duplicates > 0 && { description: `${duplicates} ${duplicates === 1 ? 'was' : 'were'} there already.` }),
    ...(failedLine && { variant: 'destructive' }),
  };
}

/** The sentence for what a folder came to. */
export function summaryOf(lines: readonly FileLine[]): string {
  const uploadedLines = lines.filter(({ state }) => state === 'uploaded');
  const categories = [...new Set(uploadedLines.map(({ category }) => category ?? ''))].filter(Boolean).sort();
  return bulkSummary(uploadedLines.length, categories, lines.filter(({ state }) => state === 'failed').length);
}

/** More than this at once is more than a page can hold. */
const MAX_FOLDER_FILES = 20_000;

/** Why a folder cannot be sent as it is; nothing when it can. */
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

/** The files of a folder chosen in a dialog. */
export function readChosen(list: Iterable<File>): FolderFile[] {
  return Array.from(list, (file) => ({ file, path: file.webkitRelativePath || file.name }));
}

/**
 * The files of what was dropped, folders with all that is in them, up to the first that is too many. A folder that
 * cannot be read counts as empty.
 */
export async function readDropped(items: DataTransferItemList): Promise<FolderFile[]> {
  // All entries are taken before anything is waited for: afterwards the list is empty.
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
    // A hundred at a time, until none are left.
    const some = await new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (some.length === 0) return entries;
    entries.push(...some);
  }
}
