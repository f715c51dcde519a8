import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listOptions } from './options.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Reads `.env.example`: each variable with the comment before it. */
function formatVariables(): string {
  let doc = '';
  return readFileSync(path.join(ROOT, '.env.example'), 'utf8')
    .split(/\n\n+/)
    .flatMap((block) => {
      const names = [...block.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => `\`${name}\``);
      doc = [...block.matchAll(/^# ?(.*)/gm)].map(([, line]) => line).join(' ');
      return names.length > 0 ? [`- ${names.join(', ')}${doc && `: ${doc.replaceAll('<', '\\<')}`}`] : [];
    })
    .join('\n');
}

const keyOf = (line: string) => /^- `(\w+)/.exec(line)?.[1] ?? '';

/** Returns the page of all options and environment variables. */
export function formatConfiguration(): string {
  const lines = listOptions();
  const isSection = (key: string) =>
    lines.some((line) => line.startsWith(`- \`${key}.`) || line.startsWith(`- \`${key}[`));
  let section = '';
  const sections = Object.groupBy(lines, (line) => {
    if (line.startsWith('- ')) section = isSection(keyOf(line)) ? keyOf(line) : 'General';
    return section;
  });
  const { General = [], ...others } = sections;
  const parts = Object.entries(others).map(([name, list = []]) => `## ${name}\n\n${list.join('\n')}`);
  return `# Which options are there?

\`\`\`ts
// src/sortiment.config.ts
import { defineConfig } from '#config/index.ts';

export default defineConfig({ host: 'netlify', mainLanguage: 'de-de' /* … */ });
\`\`\`

Unknown options are errors. \`npm run doctor\` checks the configuration.

## General

${General.join('\n')}

${parts.join('\n\n')}

## Environment variables

Set them in the shell or in \`.env\`. The shell takes precedence, and an empty value counts as not set.

${formatVariables()}
`;
}
