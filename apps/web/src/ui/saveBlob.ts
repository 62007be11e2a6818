/** Saves data and files as downloads of the browser. */
export function saveBlob(blob: Blob, filename: string): void {
  const address = URL.createObjectURL(blob);
  saveUrl(address, filename);
  // By then the browser has its own reference to the data.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Saves what an address of this site returns. */
export function saveUrl(url: string, filename: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
}
