import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { factFiles, readFacts } from './read-facts.ts';

/** Files of one folder, so that none gets too many. */
const FILES_IN_FOLDER = 1000;

/** Lays facts out as Hugo reads content: a file with front matter for each page. */
export function layOutHugo(siteFolder: string, factsFolder: string): void {
  let count = 0;
  for (const read of readFacts(factsFolder)) {
    const facts = read();
    const folder = path.join(siteFolder, 'content', `part-${Math.floor(count / FILES_IN_FOLDER)}`);
    if (count % FILES_IN_FOLDER === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `${count}.md`), `${JSON.stringify({ url: facts.path, facts })}\n`);
    count++;
  }
  mkdirSync(path.join(siteFolder, 'data'), { recursive: true });
  copyFileSync(factFiles(factsFolder).pageChromeFile, path.join(siteFolder, 'data/frames.json'));
}
