import { filterHtml } from './filter-html.ts';
import { plainText } from './plain-text.ts';

/**
 * Filters footnotes for users without the right to unfiltered HTML. Footnotes are a JSON list of entries with ID and
 * text.
 */
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
