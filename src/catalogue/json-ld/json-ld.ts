/** A JSON-LD node with the vocabulary https://schema.org/version/30.0. */
export type JsonLdNode = Readonly<Record<string, unknown>>;

/** Serialises the nodes of a page for a script element. Texts can't close the element. */
export function serializeJsonLd(graph: readonly JsonLdNode[]): string {
  return JSON.stringify({ '@context': 'https://schema.org', '@graph': graph })
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
