import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isProjectFile, PROJECT_PARTS } from '#e2e/project-copy.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const COPIED = [...PROJECT_PARTS, 'package-lock.json'];

/** A project of its own to build in, with the packages that are installed here; it shows net prices. */
export function copyProject(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of COPIED.filter((copied) => existsSync(path.join(ROOT, copied)))) {
    cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true, filter: isProjectFile });
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  // A changed price has to be seen.
  const config = path.join(folder, 'src/sortiment.config.ts');
  if (!readFileSync(config, 'utf8').includes('price:')) {
    editFile(config, /(?=mainLanguage:)/, "price: { show: 'net' },\n  ");
  }
}

/** @throws Error when the file has no such text. */
export function editFile(file: string, what: RegExp, replacement: string): void {
  const text = readFileSync(file, 'utf8');
  if (!what.test(text)) throw new Error(`${file} has no ${what} to be replaced.`);
  writeFileSync(file, text.replace(what, replacement));
}
