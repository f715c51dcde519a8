import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { formatColumns } from './references/columns.ts';
import { formatCommands, readCommands } from './references/commands.ts';
import { formatConfiguration } from './references/configuration.ts';

// Writes the reference pages of content/docs. `--check` exits with 1 if a page is stale, `--json` prints the commands.

const DOCS = path.resolve(import.meta.dirname, '../content/docs');

function formatFeeds(): string {
  const page = readFileSync(path.join(DOCS, 'feeds.md'), 'utf8');
  return page.replace(/(?<=<!-- columns -->)[^]*(?=<!-- \/columns -->)/, () => `\n\n${formatColumns()}\n\n`);
}

const commands = await readCommands();
if (process.argv.includes('--json')) console.log(JSON.stringify(commands));
else {
  const pages = {
    'configuration.md': formatConfiguration(),
    'commands.md': formatCommands(commands),
    'feeds.md': formatFeeds(),
  };
  for (const [name, text] of Object.entries(pages)) {
    const file = path.join(DOCS, name);
    const page = await format(text, { ...(await resolveConfig(file)), filepath: file });
    if (!process.argv.includes('--check')) writeFileSync(file, page);
    else if (readFileSync(file, 'utf8') !== page) {
      console.error(`content/docs/${name} is stale. Run "node scripts/write-references.ts".`);
      process.exitCode = 1;
    }
  }
}
