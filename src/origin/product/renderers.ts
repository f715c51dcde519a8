/** A response format of a view. */
export interface Renderer {
  /** Value of `?format=`. */
  format: string;
  mediaType: string;
  /** Further media types in `Accept` that it satisfies. */
  alsoFor?: readonly string[];
}

export const JSON_RENDERER: Renderer = { format: 'json', mediaType: 'application/json' };

/** HTML page for browsers. */
export const PAGE_RENDERER: Renderer = { format: 'api', mediaType: 'text/html' };

export const DOCUMENT_RENDERER: Renderer = { format: 'html', mediaType: 'text/html' };

/** One JSON object per line. It is the route's only format, so requests for JSON get it too. */
export const LINES_RENDERER: Renderer = {
  format: 'ndjson',
  mediaType: 'application/x-ndjson',
  alsoFor: ['application/ndjson', 'application/jsonl', 'application/json'],
};
