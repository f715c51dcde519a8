/** A mark of a block: where it opens, where it closes, or both at once. */
export interface BlockMark {
  kind: 'open' | 'close' | 'empty';
  /** Without `core/`. */
  name: string;
  /** Settings as JSON, as they stand in the mark. */
  settings: string;
}

export const BLOCK_MARK = /<!--\s+(\/)?wp:([a-z][\w/-]*)\s+(\{[\s\S]*?\}\s+)?(\/)?-->/g;

export function readBlockMark(match: RegExpMatchArray): BlockMark {
  const [, closes, name = '', settings = '', isEmpty] = match;
  const kind = closes ? 'close' : isEmpty ? 'empty' : 'open';
  return { kind, name: name.replace(/^core\//, ''), settings: settings.trim() };
}
