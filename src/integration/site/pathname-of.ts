/** The path of an address as files are named: `/de-de/journal/клей/`. */
export function pathnameOf(url: string): string {
  const { pathname } = new URL(url);
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}
