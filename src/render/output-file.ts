/**
 * Returns the output file of a path, relative to the site's folder, as named by Astro with `build.format: 'directory'`.
 * Returns undefined for paths that need encoding in URLs: Astro handles those.
 */
export function outputFile(pathname: string, type: string): string | undefined {
  if (/[?#%\\\0]|(^|\/)\.{1,2}(\/|$)|\/\//.test(pathname)) return undefined;
  const bare = pathname.replace(/^\//, '').replace(/\/$/, '');
  if (type === 'endpoint') return bare === '' ? undefined : bare;
  if (type !== 'page') return undefined;
  if (bare === '404' || bare === '500') return `${bare}.html`;
  return bare === '' ? 'index.html' : `${bare}/index.html`;
}
