import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The text of a built page; undefined when there is no such file. */
export function readPage(folder: string, file: string): string | undefined {
  const place = path.join(folder, file);
  return existsSync(place) ? readFileSync(place, 'utf8') : undefined;
}
