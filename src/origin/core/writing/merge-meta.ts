import { plainText } from '../render/index.ts';
import { filterHtml } from './filter-html.ts';

export type Meta = Readonly<Record<string, string>>;

export interface MergedMeta {
  meta: Meta;
  /** The first key whose value is no text: it and those behind it are not merged. */
  wrongKey?: string;
}

/** The key whose text may hold HTML, inside JSON. */
const FOOTNOTES = 'footnotes';

/**
 * Values of a row as a write leaves them: known keys only, null takes a value away, others keep theirs.
 *
 * @param mayWriteHtml whether the HTML in footnotes stays as it is
 */
export function mergeMeta(
  keys: readonly string[],
  before: Meta,
  sent: Readonly<Record<string, unknown>>,
  mayWriteHtml: boolean,
): MergedMeta {
  const meta: Record<string, string> = { ...before };
  for (const key of keys) {
    const value = sent[key];
    if (value === undefined) continue;
    if (value === null) delete meta[key];
    else if (typeof value !== 'string') return { meta, wrongKey: key };
    else meta[key] = key === FOOTNOTES ? cleanFootnotes(value, mayWriteHtml) : plainText(value);
  }
  return { meta };
}

function cleanFootnotes(text: string, mayWriteHtml: boolean): string {
  if (mayWriteHtml || text === '') return text;
  try {
    const notes: unknown = JSON.parse(text);
    return Array.isArray(notes) ? JSON.stringify(notes.flatMap(cleanFootnote)) : '';
  } catch {
    return '';
  }
}

function cleanFootnote(note: unknown): { id: string; content: string }[] {
  if (typeof note !== 'object' || note === null || !('id' in note) || !('content' in note)) return [];
  return [{ id: plainText(String(note.id)), content: filterHtml(String(note.content)) }];
}
