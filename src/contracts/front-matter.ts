import { parse } from 'yaml';

const FRONT_MATTER = /^\uFEFF?---\r?\n(?:([^]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/;

/**
 * Splits a text into its YAML front matter, between two lines of `---`, and its body.
 *
 * @returns `fields` as parsed from YAML, without validation: `undefined` without front matter, `null` if it is empty.
 * @throws YAMLParseError
 */
export function readFrontMatter(text: string): { fields: unknown; body: string } {
  const match = FRONT_MATTER.exec(text);
  if (!match) return { fields: undefined, body: text };
  return { fields: parse(match[1] ?? ''), body: text.slice(match[0].length) };
}
