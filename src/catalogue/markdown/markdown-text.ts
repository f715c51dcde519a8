/** Text of a page for Markdown: characters that would mean something stand for themselves. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>|]|&(?=#?\w+;)/g, String.raw`\$&`)
    .replace(/^[#+-](?=\s)/, String.raw`\$&`)
    .replace(/^(\d+)([.)])(?=\s)/, String.raw`$1\$2`);
}

/** Where a link leads: a bracket or a space in its address would end it. */
export function linkTarget(address: string): string {
  return address.replace(/[()<>\s]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** A table; cells are escaped already. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** What stands above a text for programs. */
export function frontMatter(values: Readonly<Record<string, string>>): string {
  return ['---', ...Object.entries(values).map(([key, value]) => `${key}: ${JSON.stringify(value)}`), '---'].join('\n');
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
