import { parse } from 'yaml';

/**
 * Splits a text into its YAML front matter (between two lines of `---`) and what follows.
 * `fields` is whatever the YAML says; the caller proves its shape. Throws with one plain sentence.
 */
export function readFrontMatter(text: string): { fields: unknown; body: string } {
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(text);
  if (!match) throw new Error('has no front matter between two lines of ---');
  return { fields: parse(match[1] ?? ''), body: (match[2] ?? '').trim() };
}
