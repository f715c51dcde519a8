import { trimEndOf } from '#contracts/scan-text.ts';

/** Written by Vite. Not `import.meta.env.BASE_URL`: a variable of that name in the environment takes its place. */
declare const SORTIMENT_BASE: string | undefined;

/** The folder of the host that the site lies in: `/`, or `/project/` with a slash at both ends. */
let folder = typeof SORTIMENT_BASE === 'undefined' ? '/' : SORTIMENT_BASE;

/** `/project`, `project/` and `/project/` are the same folder. */
export function normaliseBase(base: string): string {
  const bare = trimEndOf(base, '/').replace(/^\/+/, '');
  return bare === '' ? '/' : `/${bare}/`;
}

/** Says where the site lies, where Vite has not written it. Call it before any address is built. */
export function useBase(base: string): void {
  folder = normaliseBase(base);
}

export function siteBase(): string {
  return folder;
}

/** The path by which a browser asks for a place in the site: `/de-de/` -> `/project/de-de/`. */
export function sitePath(place: string): string {
  return folder + place.slice(1);
}

/** The place in the site that a path leads to: `/project/de-de/` -> `/de-de/`. Paths outside of the site stay. */
export function placeOf(path: string): string {
  return path.startsWith(folder) ? path.slice(folder.length - 1) : path;
}

/** The same as a file or folder relative to the site's: `/project/changes.json` -> `changes.json`. */
export function fileAt(path: string): string {
  return placeOf(path).slice(1);
}
