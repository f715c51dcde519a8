/** Feeds of what changed in the catalogue, in all languages, for shops and dealers. */
export const CHANGES_JSON_PATH = '/changes.json';
export const CHANGES_RSS_PATH = '/changes.xml';
