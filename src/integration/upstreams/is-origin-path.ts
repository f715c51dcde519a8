import { PRODUCT_ROOT } from '../../contracts/product/index.ts';

/** Paths of the origin that stand beside those of the site. */
const OWN_FOLDERS = ['media', 'uploads', 'admin'];

/** True for what the embedded origin answers at the site's address. */
export function isOriginPath(pathname: string, restRoot: string): boolean {
  const roots = [PRODUCT_ROOT.replace(/\/$/, ''), restRoot, ...OWN_FOLDERS];
  return roots.some((root) => pathname === `/${root}` || pathname.startsWith(`/${root}/`));
}
