/** A node of linked data; the vocabulary is https://schema.org/version/30.0. */
export type JsonLdNode = Readonly<Record<string, unknown>>;

/** Writes nodes for a data block in HTML: no text in them can end the block. */
export function writeJsonLd(nodes: readonly JsonLdNode[]): string {
  const graph = nodes.length === 1 ? nodes[0] : { '@graph': nodes };
  return JSON.stringify({ '@context': 'https://schema.org', ...graph })
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
