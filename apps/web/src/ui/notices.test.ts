import { expect, test } from 'vitest';
import { closeToast, readToast, showPlace, toast } from './notices.ts';

test('a call that waits shows its place until it begins, and leaves a newer notice open', () => {
  for (const place of [3, 1]) {
    showPlace(place);
    const description = `You are number ${place} in line.`;
    expect(readToast()).toMatchObject({ title: 'The studio is busy', description, staysOpen: true, isOpen: true });
  }
  showPlace(0);
  expect(readToast()).toMatchObject({ isOpen: false });

  showPlace(2);
  const id = toast({ title: 'Saved' });
  showPlace(0);
  expect(readToast()).toMatchObject({ title: 'Saved', isOpen: true });
  closeToast(id);
});
