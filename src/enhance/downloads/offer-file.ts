/** How long the browser may take to get hold of it. */
const KEPT_MS = 60_000;

/** Hands a file made in the page to the browser's downloads. */
export function offerFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
