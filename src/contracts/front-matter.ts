import { parse } from 'yaml';
import type { z } from 'zod';

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

/** Reads one field of the front matter. Undefined if it is missing or invalid. */
export function readFrontMatterField<T>(text: string, name: string, schema: z.ZodType<T>): T | undefined {
  // Parsing YAML is slow, and most files may lack the field.
  if (!new RegExp(`^${name}:`, 'm').test(text)) return undefined;
  try {
    const { fields } = readFrontMatter(text);
    return schema.safeParse((Object(fields) as Record<string, unknown>)[name]).data;
  } catch {
    return undefined;
  }
}
