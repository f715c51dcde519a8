/**
 * The file that a path is written to, relative to the folder of the site, as Astro names it with `build.format:
 * 'directory'`. Undefined for paths that addresses can't hold as they are: those are left to Astro.
 */
export function outputFile(pathname: string, type: string): string | undefined {
  if (/[?#%\\\0]|(^|\/)\.{1,2}(\/|$)|\/\//.test(pathname)) return undefined;
  const bare = pathname.replace(/^\//, '').replace(/\/$/, '');
  if (type === 'endpoint') return bare === '' ? undefined : bare;
  if (type !== 'page') return undefined;
  if (bare === '404' || bare === '500') return `${bare}.html`;
  return bare === '' ? 'index.html' : `${bare}/index.html`;
}
