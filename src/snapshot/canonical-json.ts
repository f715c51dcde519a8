/**
 * JSON that is the same for the same content: keys sorted, texts in NFC with `\n` line ends and trimmed, members
 * that are undefined left out.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.normalize('NFC').replaceAll('\r\n', '\n').trim());
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join()}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
    return `{${members.join()}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
