/** The text of a file's bytes, whatever a spreadsheet saved it as. */

const REPLACEMENT = '\ufffd';

/**
 * Returns the text of a file: UTF-16 of either order and UTF-8 by their byte order marks; without a mark UTF-16 where
 * every other byte is mostly 0, else UTF-8. Bytes that are no UTF-8 are Windows-1252, as Excel saves a plain CSV. The
 * mark itself is dropped. Cost: linear.
 */
export function decodeText(bytes: Uint8Array): string {
  const encoding = findEncoding(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  return encoding === 'utf-8' && text.includes(REPLACEMENT) && !isUtf8(bytes)
    ? new TextDecoder('windows-1252').decode(bytes)
    : text;
}

function findEncoding(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  const end = Math.min(bytes.length, 512);
  for (let i = 0; i < end; i++) if (bytes[i] === 0) zeros[i % 2]!++;
  const most = end / 4;
  if (zeros[1]! > most && zeros[0]! === 0) return 'utf-16le';
  if (zeros[0]! > most && zeros[1]! === 0) return 'utf-16be';
  return 'utf-8';
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
