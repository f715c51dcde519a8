import { decodeEntities } from '#contracts/html/html-text.ts';

const PIECES = /<(\/?)([a-z]+\d?)(?:\s[^<>]*)?>|[^<]+/gi;

/** Maximum indentation depth of nested lists. */
const MAX_DEPTH = 12;

/**
 * Converts sanitised product texts to Markdown: paragraphs, lists, emphasis and links. Superscript, subscript and table
 * tags are preserved, because Markdown has no equivalent.
 */
export function htmlToMarkdown(html: string): string {
  const text = new GrowingText();
  const lists: { ordered: boolean; items: number }[] = [];
  const links: string[] = [];
  const open = (block: string): void => {
    text.trimEnd();
    if (!text.isEmpty) text.add(block);
  };
  for (const [piece, slash, name] of html.matchAll(PIECES)) {
    const tag = name?.toLowerCase();
    if (tag === undefined) {
      const words = escapeText(piece);
      text.add(text.isAtLineStart ? words.trimStart() : words);
    } else if (tag === 'ul' || tag === 'ol') {
      if (slash) lists.pop();
      else lists.push({ ordered: tag === 'ol', items: 0 });
      if (lists.length === 0 || (!slash && lists.length === 1)) open('\n\n');
    } else if (tag === 'li') {
      const list = lists.at(-1);
      if (slash || !list) continue;
      list.items += 1;
      open(list.items === 1 && lists.length === 1 ? '\n\n' : '\n');
      const depth = Math.min(lists.length, MAX_DEPTH);
      text.add(`${'   '.repeat(depth - 1)}${list.ordered ? `${list.items}.` : '-'} `);
    } else if (tag === 'br') {
      text.trimEnd();
      text.add('  \n');
    } else if (tag === 'strong' || tag === 'b') text.add('**');
    else if (tag === 'em' || tag === 'i') text.add('*');
    else if (tag === 'a') {
      if (!slash) links.push(decodeEntities(/href="([^"]*)"/.exec(piece)?.[1] ?? ''));
      text.add(slash ? `](${linkTarget(links.pop() ?? '')})` : '[');
    } else if (/^h\d$/.test(tag)) {
      open('\n\n');
      // Headings are nested below that of the field.
      if (!slash) text.add(`${'#'.repeat(Math.max(3, Number(tag[1])))} `);
    } else if (['p', 'div', 'blockquote', 'figure'].includes(tag)) {
      if (lists.length === 0) open('\n\n');
    } else text.add(piece);
  }
  return String(text)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** A text builder. It inspects its end after each piece without joining the pieces. */
class GrowingText {
  readonly #pieces: string[] = [];

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  get isAtLineStart(): boolean {
    return this.#pieces.at(-1)?.endsWith('\n') ?? true;
  }

  add(piece: string): void {
    if (piece !== '') this.#pieces.push(piece);
  }

  trimEnd(): void {
    while (this.#pieces.length > 0) {
      const last = (this.#pieces.pop() ?? '').trimEnd();
      this.add(last);
      if (last !== '') return;
    }
  }

  toString(): string {
    return this.#pieces.join('');
  }
}

/** Escapes a text and preserves single spaces at both ends. */
function escapeText(piece: string): string {
  const text = decodeEntities(piece);
  const [start = '', end = ''] = [/^\s/.exec(text)?.[0], /\s$/.exec(text)?.[0]].map((space) => (space ? ' ' : ''));
  const words = escapeMarkdown(text);
  return words === '' ? start : `${start}${words}${end}`;
}

/** Escapes characters with a meaning in Markdown. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>|]|&(?=#?\w+;)/g, String.raw`\$&`)
    .replace(/^[#+-](?=\s)/, String.raw`\$&`)
    .replace(/^(\d+)([.)])(?=\s)/, String.raw`$1\$2`);
}

/** Escapes brackets and spaces in the target of a link. */
export function linkTarget(address: string): string {
  return address.replace(/[()<>\s]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** Formats a table. Cells must be escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function frontMatter(values: Readonly<Record<string, string>>): string {
  return ['---', ...Object.entries(values).map(([key, value]) => `${key}: ${JSON.stringify(value)}`), '---'].join('\n');
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
