import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Folder of the packages that only slow tests and benchmarks need. They are large, and partly GPL. */
export const AUDIT_FOLDER = path.resolve(import.meta.dirname, '../../../.config/audit');

/** Type checker of modules, pages and components. */
export const ASTRO_CHECK = path.join(AUDIT_FOLDER, 'node_modules/@astrojs/check/bin/astro-check.js');

const PACKAGE_FILE = path.join(AUDIT_FOLDER, 'package.json');
const requireTool = createRequire(PACKAGE_FILE);

/**
 * Loads a package of `.config/audit`. `audit-packages.d.ts` declares the types.
 *
 * @param dependent loads the copy that this package depends on
 */
export function loadAuditTool<T>(name: string, dependent?: string): T {
  const load = dependent === undefined ? requireTool : createRequire(requireTool.resolve(dependent));
  return load(name) as T;
}

/** Returns the path of a file in a package of `.config/audit`. */
export function resolveAuditFile(name: string): string {
  return requireTool.resolve(name);
}

/** True if every package of `.config/audit` is installed. */
export function hasAuditTools(): boolean {
  const { dependencies } = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as { dependencies: Record<string, string> };
  return Object.keys(dependencies).every((name) => existsSync(path.join(AUDIT_FOLDER, 'node_modules', name)));
}
