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

/** Formats front matter. */
export function frontMatter(values: Readonly<Record<string, string>>): string {
  return ['---', ...Object.entries(values).map(([key, value]) => `${key}: ${JSON.stringify(value)}`), '---'].join('\n');
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
