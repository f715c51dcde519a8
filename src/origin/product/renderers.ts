/** One form in which a view can answer. */
export interface Renderer {
  /** What `?format=` calls it. */
  format: string;
  mediaType: string;
  /** Further media types a caller may ask for and be content with. */
  alsoFor?: readonly string[];
}

export const JSON_RENDERER: Renderer = { format: 'json', mediaType: 'application/json' };

/** The page for a person at a browser. */
export const PAGE_RENDERER: Renderer = { format: 'api', mediaType: 'text/html' };

export const DOCUMENT_RENDERER: Renderer = { format: 'html', mediaType: 'text/html' };

/** One JSON object a line. Callers that always ask for JSON get it too: there is no other form. */
export const LINES_RENDERER: Renderer = {
  format: 'ndjson',
  mediaType: 'application/x-ndjson',
  alsoFor: ['application/ndjson', 'application/jsonl', 'application/json'],
};
