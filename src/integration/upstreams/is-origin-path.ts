import { PRODUCT_ROOT } from '#contracts/product/index.ts';

/** Paths of the origin next to those of the site. */
const OWN_FOLDERS = ['media', 'uploads', 'admin', 'healthz'];

/** Product records that the site has as files: the interface itself has no such paths. */
const IS_RECORD = new RegExp(`^/${PRODUCT_ROOT}(product|language)/.*\\.json$`);

/** True for paths that the embedded origin handles at the site's address. */
export function isOriginPath(pathname: string, restRoot: string): boolean {
  if (IS_RECORD.test(pathname)) return false;
  const roots = [PRODUCT_ROOT.replace(/\/$/, ''), restRoot, ...OWN_FOLDERS];
  return roots.some((root) => pathname === `/${root}` || pathname.startsWith(`/${root}/`));
}
