import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createUi, dictionary, type Dictionaries, type Ui } from '#i18n/index.ts';

/** The texts of the site, for what is made without Astro. @returns Gives those in a language. */
export function readUi(root: string, mainLanguage: string): (language: string) => Ui {
  let dictionaries: Dictionaries | undefined;
  return (language) => createUi((dictionaries ??= readDictionaries(root)), language, mainLanguage);
}

function readDictionaries(root: string): Dictionaries {
  const folder = path.join(root, 'content/strings');
  return Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .map((file) => [
        path.basename(file, '.json'),
        dictionary.parse(JSON.parse(readFileSync(path.join(folder, file), 'utf8'))),
      ]),
  );
}
