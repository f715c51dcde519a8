/** One form in which a view can answer. */
export interface Renderer {
  /** Its name in `?format=`. */
  format: string;
  mediaType: string;
  /** Further media types in `Accept` that it satisfies. */
  alsoFor?: readonly string[];
}

export const JSON_RENDERER: Renderer = { format: 'json', mediaType: 'application/json' };

/** The page for a person at a browser. */
export const PAGE_RENDERER: Renderer = { format: 'api', mediaType: 'text/html' };

export const DOCUMENT_RENDERER: Renderer = { format: 'html', mediaType: 'text/html' };

/** One JSON object per line. It is the only format, so requests for JSON get it too. */
export const LINES_RENDERER: Renderer = {
  format: 'ndjson',
  mediaType: 'application/x-ndjson',
  alsoFor: ['application/ndjson', 'application/jsonl', 'application/json'],
};
