import { forwardFinder } from '#contracts/scan-text.ts';

/** A mark of a block: where it opens, where it closes, or both at once. */
export interface BlockMark {
  kind: 'open' | 'close' | 'empty';
  /** Without `core/`. */
  name: string;
  /** Settings as JSON, as they stand in the mark. */
  settings: string;
  /** Where the mark begins and ends. */
  start: number;
  end: number;
}

/** A mark up to its end, or to where its settings begin. */
const HEAD = /<!--\s+(\/)?wp:([a-z][\w/-]*)\s+(?:(\/)?-->|\{)/g;
const END_OF_SETTINGS = /\}\s+(\/)?-->/;

/** The marks of blocks in stored content, in their order. */
export function* readBlockMarks(stored: string): Generator<BlockMark> {
  const settingsEnd = forwardFinder(stored, END_OF_SETTINGS);
  const heads = new RegExp(HEAD);
  for (let head = heads.exec(stored); head; head = heads.exec(stored)) {
    const [whole, closes, name = '', isEmpty] = head;
    const settingsStart = heads.lastIndex - 1;
    const settled = whole.endsWith('{') ? settingsEnd(settingsStart + 1) : undefined;
    if (whole.endsWith('{') && !settled) continue;
    const end = settled ? settled.index + settled[0].length : heads.lastIndex;
    heads.lastIndex = end;
    yield {
      kind: closes ? 'close' : isEmpty || settled?.[1] ? 'empty' : 'open',
      name: name.replace(/^core\//, ''),
      settings: settled ? stored.slice(settingsStart, settled.index + 1) : '',
      start: head.index,
      end,
    };
  }
}
