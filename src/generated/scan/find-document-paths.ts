/** Returns the distinct paths of mirrored documents and other files that a built file links to. */
export function findDocumentPaths(text: string): string[] {
  return [...new Set(text.match(/\/documents\/[0-9a-f]{8}-[a-z0-9-]+\.[a-z0-9]{2,5}/g))];
}
