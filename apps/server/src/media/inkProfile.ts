/** The job `inkProfile`: checks a stranger's ICC profile by its bytes, and by a trial. */
import { INK_PROFILE_LIMITS } from '@markwright/contract';
import { AppError } from '../platform/errors.ts';
import { convertColors } from './files/inks.ts';

const HEADER_BYTES = 132;
const TAG_BYTES = 12;
const MOST_TAGS = 100;
const MOST_LETTERS = 200;

const refuse = (sentence: string) => new AppError('unprocessable', sentence);
const broken = () => refuse('This color profile is damaged and could not be read.');

/**
 * Returns how a CMYK output profile calls itself. Throws tooLarge, and unprocessable for any other file, for one that
 * is broken, and for one by which white paper would be printed full of ink.
 */
export async function checkInkProfile(bytes: Uint8Array): Promise<{ description: string }> {
  if (bytes.length > INK_PROFILE_LIMITS.bytes) {
    throw new AppError('tooLarge', 'This color profile is too large. Profiles may be up to 4 MB.');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const letters = (at: number, length = 4) => String.fromCharCode(...bytes.subarray(at, at + length));
  if (bytes.length < HEADER_BYTES || letters(36) !== 'acsp') throw refuse('This file is no ICC profile.');
  if (letters(16) !== 'CMYK' || letters(12) !== 'prtr') {
    throw refuse('This profile is not for a CMYK printer. Please choose an output profile with four inks.');
  }
  const tagCount = view.getUint32(128);
  if (view.getUint32(0) !== bytes.length || tagCount > MOST_TAGS) throw broken();
  if (HEADER_BYTES + tagCount * TAG_BYTES > bytes.length) throw broken();
  const tags = new Map<string, { at: number; size: number }>();
  for (let i = 0; i < tagCount; i++) {
    const entry = HEADER_BYTES + i * TAG_BYTES;
    const [at, size] = [view.getUint32(entry + 4), view.getUint32(entry + 8)];
    if (at < HEADER_BYTES || at + size > bytes.length) throw broken();
    tags.set(letters(entry), { at, size });
  }
  if (!tags.has('B2A0')) throw refuse('This profile cannot turn colors into inks: it has no table for that.');
  await tryOut(bytes);
  const text = tags.get('desc');
  return { description: text ? readDescription(view, letters, text) : '' };
}

/** Reads the text of a tag: ASCII in version 2, UTF-16 in version 4. Returns an empty one where it is neither. */
function readDescription(
  view: DataView,
  letters: (at: number, length: number) => string,
  { at, size }: { at: number; size: number },
): string {
  if (size < 28) return '';
  const kind = letters(at, 4);
  if (kind === 'desc') {
    const length = Math.min(view.getUint32(at + 8), size - 12, MOST_LETTERS);
    return letters(at + 12, length).replace(/\0[\s\S]*$/, '');
  }
  if (kind !== 'mluc') return '';
  const length = Math.min(view.getUint32(at + 20), MOST_LETTERS * 2);
  const start = view.getUint32(at + 24);
  if (start + length > size) return '';
  return new TextDecoder('utf-16be').decode(new Uint8Array(view.buffer, view.byteOffset + at + start, length & ~1));
}

/** A share of 0…4 inks. */
const WHITE_AT_MOST = 0.6;
const DARK_AT_LEAST = 1;
const WHITE = 0xffffff;
/** Black itself is always black ink alone. */
const DARK = 0x101010;

async function tryOut(bytes: Uint8Array): Promise<void> {
  const inks = await convertColors([WHITE, DARK, 0xff0000, 0x00ff00, 0x0000ff], bytes).catch(() => {
    throw broken();
  });
  const sumOf = (color: number) => inks.subarray(4 * color, 4 * color + 4).reduce((sum, ink) => sum + ink / 255, 0);
  if (inks.length !== 20) throw broken();
  if (sumOf(0) > WHITE_AT_MOST || sumOf(1) < DARK_AT_LEAST) {
    throw refuse('By this profile, white paper would get ink or black would get none. Please choose another.');
  }
}
