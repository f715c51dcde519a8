import { parse } from 'yaml';

const FRONT_MATTER = /^\uFEFF?---\r?\n(?:([^]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/;

/**
 * Splits a text into its YAML front matter, between two lines of `---`, and what follows.
 *
 * @returns `fields` as the YAML says, for the caller to prove their shape: `undefined` without front matter, `null`
 *   where it is empty.
 * @throws YAMLParseError
 */
export function readFrontMatter(text: string): { fields: unknown; body: string } {
  const match = FRONT_MATTER.exec(text);
  if (!match) return { fields: undefined, body: text };
  return { fields: parse(match[1] ?? ''), body: text.slice(match[0].length) };
}
