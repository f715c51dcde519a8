import { filterHtml } from './filter-html.ts';
import { plainText } from './plain-text.ts';

/** Footnotes as they are stored for users who may not write any HTML: a list in JSON, each with an id and a text. */
export function filterFootnotes(json: string): string {
  if (json === '') return json;
  try {
    const notes: unknown = JSON.parse(json);
    return Array.isArray(notes) ? JSON.stringify(notes.flatMap(filterFootnote)) : '';
  } catch {
    return '';
  }
}

function filterFootnote(note: unknown): { id: string; content: string }[] {
  if (typeof note !== 'object' || note === null || !('id' in note) || !('content' in note)) return [];
  return [{ id: plainText(String(note.id)), content: filterHtml(String(note.content)) }];
}
