/** Returns the 32-bit FNV-1a hash of a text in base 36. Ids made of it are equal exactly where their content is. */
export function hashText(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}
