/**
 * Defined by Vite. `import.meta.env.BASE_URL` isn't used, because an environment variable of that name overrides it.
 */
declare const SORTIMENT_BASE: string | undefined;
/** Defined by Vite: base path and option `path`. */
declare const SORTIMENT_FOLDER: string | undefined;

/** Base path of the site on its host: `/`, or `/project/` with a slash at both ends. */
let base = typeof SORTIMENT_BASE === 'undefined' ? '/' : SORTIMENT_BASE;
/** Path of the catalogue on its host: the base path, and the option `path` below it. */
let folder = typeof SORTIMENT_FOLDER === 'undefined' ? '/' : SORTIMENT_FOLDER;

/** Normalises a base path: `/project`, `project/` and `/project/` all become `/project/`. */
export function normaliseBase(base: string): string {
  const bare = base.split('/').filter(Boolean).join('/');
  return bare === '' ? '/' : `/${bare}/`;
}

/**
 * Sets the paths where Vite hasn't defined them. Call it before building any URL.
 *
 * @param path Option `path` of the site.
 */
export function setBasePath(astroBase: string, path = '/'): void {
  base = normaliseBase(astroBase);
  folder = normaliseBase(base + path);
}

export const basePath = () => base;

/** Adds the base path to the path of a file in the output folder: `/_astro/a.css` -> `/project/_astro/a.css`. */
export const hostPath = (path: string) => base + path.slice(1);

/** Adds the base path and the path of the catalogue: `/de-de/` -> `/project/catalogue/de-de/`. */
export const sitePath = (path: string) => folder + path.slice(1);

/** Removes what `sitePath` adds. Paths outside the catalogue are returned unchanged. */
export function stripSitePath(path: string): string {
  return path.startsWith(folder) ? path.slice(folder.length - 1) : path;
}

/** Removes the base path: `/project/de-de/` -> `/de-de/`. Paths outside the site are returned unchanged. */
export function stripBasePath(path: string): string {
  return path.startsWith(base) ? path.slice(base.length - 1) : path;
}

/** Converts a path to a file path relative to the output folder: `/project/changes.json` -> `changes.json`. */
export function outputPath(path: string): string {
  return stripBasePath(path).slice(1);
}

/** Path of the JSON feed of catalogue changes in all languages, for shops and dealers. */
export const changesJsonPath = () => sitePath('/changes.json');
export const changesRssPath = () => sitePath('/changes.xml');

/** Path of the search file of a language. */
export const searchFilePath = (language: string) => sitePath(`/_search/${language}/index.json`);

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
