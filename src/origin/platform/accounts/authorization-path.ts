import { hasStockNames, type NamespaceMap } from '#contracts/index.ts';

/** Where applications ask for a password of their own. */
export const AUTHORIZATION_PATH = '/admin/authorize-application.php';

/** Where stock publishing servers have it; an origin with their names leads on from there. */
export const STOCK_AUTHORIZATION_PATH = '/wp-admin/authorize-application.php';

/** The path that the index tells. */
export function authorizationPath(namespaces: NamespaceMap): string {
  return hasStockNames(namespaces) ? STOCK_AUTHORIZATION_PATH : AUTHORIZATION_PATH;
}
