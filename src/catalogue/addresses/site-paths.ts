/**
 * Defined by Vite. `import.meta.env.BASE_URL` isn't used, because an environment variable of that name overrides it.
 */
declare const SORTIMENT_BASE: string | undefined;

/** Base path of the site on its host: `/`, or `/project/` with a slash at both ends. */
let folder = typeof SORTIMENT_BASE === 'undefined' ? '/' : SORTIMENT_BASE;

/** Normalises a base path: `/project`, `project/` and `/project/` all become `/project/`. */
export function normaliseBase(base: string): string {
  const bare = base.split('/').filter(Boolean).join('/');
  return bare === '' ? '/' : `/${bare}/`;
}

/** Sets the base path where Vite hasn't defined it. Call it before building any URL. */
export function setBasePath(base: string): void {
  folder = normaliseBase(base);
}

export function basePath(): string {
  return folder;
}

/** Adds the base path: `/de-de/` -> `/project/de-de/`. */
export function sitePath(path: string): string {
  return folder + path.slice(1);
}

/** Removes the base path: `/project/de-de/` -> `/de-de/`. Paths outside the site are returned unchanged. */
export function stripBasePath(path: string): string {
  return path.startsWith(folder) ? path.slice(folder.length - 1) : path;
}

/** Converts a path to a file path relative to the output folder: `/project/changes.json` -> `changes.json`. */
export function outputPath(path: string): string {
  return stripBasePath(path).slice(1);
}

/** Path of the JSON feed of catalogue changes in all languages, for shops and dealers. */
export function changesJsonPath(): string {
  return sitePath('/changes.json');
}

export function changesRssPath(): string {
  return sitePath('/changes.xml');
}

/** Path of the search file of a language. */
export function searchFilePath(language: string): string {
  return sitePath(`/_search/${language}/index.json`);
}

/** Path of a file of words of texts. @param version Version of the search file that it belongs to. @param number Zero-based. */
export function searchWordsPath(language: string, version: string, number: number): string {
  return sitePath(`/_search/${language}/words-${version}-${number}.json`);
}

/** Paths without characters that a URL parser would escape or normalise. */
const PLAIN_PATH = /^\/(?:_?[\da-z]+(?:[-._][\da-z]+)*(?:\/|$))*$/i;

/**
 * Resolves a path against the site's origin. Absolute URLs are returned unchanged. The pattern avoids a URL parser for
 * most paths, because each page has a dozen of them.
 */
export function absoluteUrl(path: string, site: URL): string {
  return PLAIN_PATH.test(path) ? site.origin + path : new URL(path, site).href;
}
