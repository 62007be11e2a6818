import { messages } from '@markwright/contract/words';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  closeOfflineToasts,
  closeToast,
  durationOf,
  holdToast,
  readingTimeOf,
  readToast,
  showPause,
  showPlace,
  toast,
} from './notices.ts';

beforeEach(() => void vi.useFakeTimers());

/** Closes what is open and what waits: the notices are state of the module. */
afterEach(() => {
  showPlace(0);
  showPause(false);
  for (let notice = readToast(); notice?.isOpen; notice = readToast()) closeToast(notice.id);
  vi.useRealTimers();
});

const shownTitle = (): string | undefined => (readToast()?.isOpen ? readToast()!.title : undefined);
const failure = { ...messages.productionFallback, variant: 'destructive' as const };
const success = { title: messages.standardExported, description: 'Upgrade for full vectorization.' };

test('a call that waits shows its place until it begins, and leaves a newer notice open', () => {
  for (const place of [3, 1]) {
    showPlace(place);
    const description = `You are number ${place} in line.`;
    expect(readToast()).toMatchObject({ title: 'The studio is busy', description, staysOpen: true, isOpen: true });
  }
  showPlace(0);
  expect(readToast()).toMatchObject({ isOpen: false });

  showPlace(2);
  const id = toast({ title: 'Saved', description: '' });
  showPlace(0);
  expect(readToast()).toMatchObject({ title: 'Saved', isOpen: true });
  closeToast(id);
  expect(shownTitle()).toBeUndefined();
});

test('the place in the queue comes back after another notice, with its latest number', () => {
  showPlace(4);
  const id = toast({ title: 'Saved', description: '' });
  showPlace(2);
  expect(shownTitle()).toBe('Saved');
  closeToast(id);
  expect(readToast()).toMatchObject({ description: 'You are number 2 in line.', isOpen: true });
});

test('a page that waits for its server says so once, in quiet words, until it is back', () => {
  showPause(true);
  const notice = readToast();
  expect(notice).toMatchObject({ title: 'One moment', staysOpen: true, isOpen: true });
  expect(notice?.variant).toBeUndefined();
  showPause(true);
  expect(readToast()).toBe(notice);
  const id = toast({ title: 'Saved', description: '' });
  showPause(true);
  showPause(false);
  closeToast(id);
  expect(shownTitle()).toBeUndefined();
});

describe('the next notice', () => {
  test('waits three seconds for a failed production file', () => {
    toast(failure);
    vi.advanceTimersByTime(30);
    toast(success);
    expect(shownTitle()).toBe('Production upgrade failed');
    vi.advanceTimersByTime(2900);
    expect(shownTitle()).toBe('Production upgrade failed');
    vi.advanceTimersByTime(readingTimeOf(failure) - 2930);
    expect(shownTitle()).toBe(messages.standardExported);
  });

  test('waits until the losses of an SVG can have been read', () => {
    const loss = {
      title: 'Some of it stays behind',
      description: 'Left out: 2 texts, 1 filter and 3 pictures inside.',
    };
    toast(loss);
    vi.advanceTimersByTime(1500);
    toast({ title: messages.vectorized, description: 'sign.svg' });
    expect(shownTitle()).toBe(loss.title);
    vi.advanceTimersByTime(4000);
    expect(shownTitle()).toBe(messages.vectorized);
  });

  test('takes the place of one about work that is over, whether that one shows or waits', () => {
    const progress = { title: messages.generatingProduction, description: '', isProgress: true };
    const cancelNotice = { title: 'Export canceled', description: 'No file was saved.' };
    toast(progress);
    const id = toast(cancelNotice);
    expect(shownTitle()).toBe(cancelNotice.title);
    closeToast(id);

    toast(failure);
    toast(progress);
    toast(cancelNotice);
    vi.advanceTimersByTime(readingTimeOf(failure));
    expect(shownTitle()).toBe(cancelNotice.title);
  });

  test('shows at once where the first one was read', () => {
    toast(failure);
    vi.advanceTimersByTime(4000);
    toast(success);
    expect(shownTitle()).toBe(messages.standardExported);
  });

  test('shows at once where the first one is closed', () => {
    const id = toast(failure);
    toast(success);
    closeToast(id);
    expect(shownTitle()).toBe(messages.standardExported);
  });

  test('waits while the pointer or the focus is on the first one, and a second longer', () => {
    toast(failure);
    vi.advanceTimersByTime(4000);
    holdToast(true);
    toast(success);
    vi.advanceTimersByTime(60_000);
    expect(shownTitle()).toBe('Production upgrade failed');
    holdToast(false);
    vi.advanceTimersByTime(900);
    expect(shownTitle()).toBe('Production upgrade failed');
    vi.advanceTimersByTime(200);
    expect(shownTitle()).toBe(messages.standardExported);
  });
});

test('a failure of the time offline goes with the connection, and no other notice does', () => {
  vi.stubGlobal('navigator', { onLine: false });
  toast(failure);
  toast({ ...failure, title: 'Export failed' });
  toast(success);
  vi.stubGlobal('navigator', { onLine: true });
  closeOfflineToasts();
  expect(shownTitle()).toBe(messages.standardExported);
  toast(failure);
  vi.advanceTimersByTime(4000);
  closeOfflineToasts();
  expect(shownTitle()).toBe('Production upgrade failed');
  vi.unstubAllGlobals();
});

test('the same notice again takes its own place and starts to be read anew', () => {
  const first = toast(failure);
  vi.advanceTimersByTime(2000);
  const second = toast(failure);
  expect(readToast()).toMatchObject({ id: second });
  closeToast(first);
  expect(shownTitle()).toBe('Production upgrade failed');
  closeToast(second);
  expect(shownTitle()).toBeUndefined();
});

test('of many notices at once all failures are shown', () => {
  toast({ title: 'Failure 0', description: '', variant: 'destructive' });
  for (const number of [1, 2]) {
    toast({ title: `Failure ${number}`, description: '', variant: 'destructive' });
    for (const letter of ['a', 'b', 'c']) toast({ title: `Note ${number}${letter}`, description: '' });
  }
  const titles = new Set<string | undefined>();
  for (let second = 0; second < 30; second++) {
    titles.add(shownTitle());
    vi.advanceTimersByTime(1000);
  }
  expect([...titles]).toEqual(expect.arrayContaining(['Failure 0', 'Failure 1', 'Failure 2']));
  expect(titles.size).toBe(4);
});

test('a notice stays five seconds, a failure eight, and one that stays has no end', () => {
  expect(durationOf({ title: 'Saved', description: '' })).toBe(5000);
  expect(durationOf(failure)).toBe(8000);
  expect(durationOf({ title: 'Busy', description: '', staysOpen: true })).toBe(Number.POSITIVE_INFINITY);
});

test('no notice is safe for longer than it stays open', () => {
  for (const length of [0, 10, 100, 1000]) {
    for (const variant of ['default', 'destructive'] as const) {
      const notice = { title: 'x'.repeat(length), description: '', variant };
      expect(readingTimeOf(notice)).toBeLessThan(durationOf(notice));
      expect(readingTimeOf(notice)).toBeGreaterThanOrEqual(variant === 'destructive' ? 3000 : 1000);
    }
  }
});
