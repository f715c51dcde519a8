/** Every mirrored document, or other file, that a built file links to, each once. */
export function findDocumentPaths(text: string): string[] {
  return [...new Set(text.match(/\/documents\/[0-9a-f]{8}-[a-z0-9-]+\.[a-z0-9]{2,5}/g))];
}
