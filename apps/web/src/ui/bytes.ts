const units = ['Bytes', 'KB', 'MB', 'GB'] as const;

/** Formats a size: `512 Bytes`, `1.5 KB`, `12 MB`, `2 GB`. 1 KB is 1,024 bytes. */
export function formatBytes(bytes: number): string {
  let size = Math.max(0, bytes);
  let unit = 0;
  // A size that rounds to 1,024 is shown as 1 of the next unit.
  while (unit < units.length - 1 && Number(size.toFixed(unit === 0 ? 0 : 1)) >= 1024) {
    size /= 1024;
    unit++;
  }
  const digits = unit > 0 && size < 10 ? 1 : 0;
  return `${Number(size.toFixed(digits))} ${units[unit]}`;
}
