/** Saves data as a download of the browser. */
export function saveBlob(blob: Blob, filename: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = filename;
  link.click();
  // By then the browser has its own reference to the data.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
