/**
 * Returns the number of pixels of a PNG or JPEG in a `data:` address, from its header and without decoding it; 0 where
 * the header cannot be read.
 */
export function countEmbeddedPixels(href: string): number {
  const body = href.slice(href.indexOf(',') + 1);
  if (body.startsWith('iVBORw0KGgo')) {
    const head = decodeBase64(body, 24);
    return head.length < 24 ? 0 : readUint(head, 16, 4) * readUint(head, 20, 4);
  }
  const bytes = decodeBase64(body);
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return 0;
    const marker = bytes[at + 1]!;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return readUint(bytes, at + 5, 2) * readUint(bytes, at + 7, 2);
    at += 2 + readUint(bytes, at + 2, 2);
  }
  return 0;
}

/** Decodes the first `bytes` bytes of base64 text, or all of it. */
function decodeBase64(text: string, bytes = Infinity): Uint8Array {
  const end = Math.min(text.length, Math.ceil(bytes / 3) * 4);
  const chars = atob(text.slice(0, end - (end % 4)));
  return Uint8Array.from(chars, (char) => char.charCodeAt(0));
}

function readUint(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let i = 0; i < size; i++) value = value * 256 + bytes[at + i]!;
  return value;
}
