/** A node of linked data; the vocabulary is https://schema.org/version/30.0. */
export type JsonLdNode = Readonly<Record<string, unknown>>;

/** Writes the nodes of a page for a data block in HTML: no text in it can end the block. */
export function writeJsonLd(graph: readonly JsonLdNode[]): string {
  return JSON.stringify({ '@context': 'https://schema.org', '@graph': graph })
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
