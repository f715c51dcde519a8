type Body = Record<string, unknown>;

interface LinkTarget {
  href: string;
  embeddable?: unknown;
}

/** Which relations to embed: all that can be, or those that are named. */
export type EmbedSelection = 'all' | ReadonlySet<string>;

/** Reads `_embed`: empty, `1` and `true` mean all; a list names relations as they are printed. */
export function readEmbed(sent: unknown): EmbedSelection | undefined {
  if (sent === undefined) return undefined;
  const parts = [sent].flat().filter((part) => typeof part === 'string');
  const names = parts.flatMap((part) => part.split(/[\s,]+/)).filter((name) => name !== '');
  return names.length === 0 || names.some((name) => name === '1' || name.toLowerCase() === 'true')
    ? 'all'
    : new Set(names);
}

/**
 * Adds to a row, or to each row of a list, what its embeddable links lead to: `_embedded[relation]` runs parallel
 * to the links of the relation. Relations that lead to nothing are left out.
 *
 * @param fetch reads an address of the interface in the embed context; errors are bodies too
 */
export async function embedLinks(
  body: unknown,
  wanted: EmbedSelection,
  fetch: (href: string) => Promise<unknown>,
): Promise<unknown> {
  if (Array.isArray(body)) return Promise.all(body.map((row) => embedLinks(row, wanted, fetch)));
  if (!isRow(body)) return body;
  const embedded: Body = {};
  for (const [relation, targets] of Object.entries(body._links)) {
    if (wanted !== 'all' && !wanted.has(relation)) continue;
    if (!targets.some(isEmbeddable)) continue;
    const found = await Promise.all(targets.map((target) => (isEmbeddable(target) ? fetch(target.href) : [])));
    if (found.some(isSomething)) embedded[relation] = found;
  }
  return Object.keys(embedded).length > 0 ? { ...body, _embedded: embedded } : body;
}

function isEmbeddable(target: LinkTarget): boolean {
  return target.embeddable === true;
}

function isSomething(found: unknown): boolean {
  return !(Array.isArray(found) && found.length === 0);
}

function isRow(body: unknown): body is Body & { _links: Record<string, LinkTarget[]> } {
  return typeof body === 'object' && body !== null && '_links' in body;
}
