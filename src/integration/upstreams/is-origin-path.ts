import { PRODUCT_ROOT } from '#contracts/product/index.ts';

/** Paths of the origin that stand beside those of the site. */
const OWN_FOLDERS = ['media', 'uploads', 'admin', 'healthz'];

/** Answers of the product interface that the site has as files: the interface itself has no such addresses. */
const IS_RECORD = new RegExp(`^/${PRODUCT_ROOT}(product|language)/.*\\.json$`);

/** True for what the embedded origin answers at the site's address. */
export function isOriginPath(pathname: string, restRoot: string): boolean {
  if (IS_RECORD.test(pathname)) return false;
  const roots = [PRODUCT_ROOT.replace(/\/$/, ''), restRoot, ...OWN_FOLDERS];
  return roots.some((root) => pathname === `/${root}` || pathname.startsWith(`/${root}/`));
}
