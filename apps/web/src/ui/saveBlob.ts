/** Hands data to the browser's downloads. */
export function saveBlob(blob: Blob, filename: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = filename;
  link.click();
  // The browser has taken its own hold of the data by the next minute.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
