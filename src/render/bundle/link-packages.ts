import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/**
 * Lets what lies in a folder outside of the project find the project's packages: Node looks for them in the folders
 * above. Does nothing for a folder inside of the project.
 */
export function linkPackages(folder: string, root: string): void {
  const packages = findPackages(root);
  if (packages === undefined || isBelow(folder, path.dirname(packages))) return;
  const link = path.join(folder, 'node_modules');
  mkdirSync(folder, { recursive: true });
  rmSync(link, { recursive: true, force: true });
  symlinkSync(packages, link, 'junction');
}

/** The packages of a project, or of the workspace that it is part of. */
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
