import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/**
 * Lets files in a folder outside of the project resolve the project's packages, which Node looks up in parent folders.
 * Does nothing for folders inside the project.
 */
export function linkPackages(folder: string, root: string): void {
  const packages = findPackages(root);
  if (packages === undefined || isBelow(folder, path.dirname(packages))) return;
  const link = path.join(folder, 'node_modules');
  mkdirSync(folder, { recursive: true });
  rmSync(link, { recursive: true, force: true });
  symlinkSync(packages, link, 'junction');
}

/** Finds the packages of a project, or of the workspace it belongs to. */
function findPackages(root: string): string | undefined {
  const packages = path.join(root, 'node_modules');
  if (existsSync(path.join(packages, 'astro'))) return packages;
  const above = path.dirname(root);
  return above === root ? undefined : findPackages(above);
}

function isBelow(folder: string, root: string): boolean {
  const relative = path.relative(root, folder);
  return !relative.startsWith('..') && !path.isAbsolute(relative);
}
