/** Folders below the site that uploads are addressed by: this origin's, and that of sites content was moved from. */
const FOLDERS = /^\/(?:wp-content\/)?uploads\/(.+)$/;

/** The path below the uploads folder that an address of this site names. */
export function uploadPath(address: string, site: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address);
  const root = new URL(site);
  const base = root.pathname.replace(/\/$/, '');
  if (origin !== root.origin || !pathname.startsWith(base)) return undefined;
  try {
    const path = FOLDERS.exec(decodeURIComponent(pathname.slice(base.length)))?.[1];
    return path === undefined || /(^|\/)\./.test(path) ? undefined : path;
  } catch {
    return undefined;
  }
}
