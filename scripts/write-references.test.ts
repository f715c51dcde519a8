import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import packageFile from '../package.json' with { type: 'json' };
import { checkArguments, readArguments, type Command } from './cli/index.ts';
import { COMMAND_LINES, PAGES, splitCommandLine } from './fixtures/documented-lines.ts';

vi.setConfig({ testTimeout: 120_000 });

const ROOT = path.dirname(import.meta.dirname);
const SCRIPT = path.join(import.meta.dirname, 'write-references.ts');
describe('the reference pages', () => {
  it('are up to date', () => {
    const { stderr, status } = spawnSync(process.execPath, [SCRIPT, '--check'], { cwd: ROOT, encoding: 'utf8' });
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  });

  it('list every command and every environment variable', () => {
    const commands = readFileSync(path.join(ROOT, 'content/docs/commands.md'), 'utf8');
    for (const name of Object.keys(packageFile.scripts))
      expect(commands).toMatch(new RegExp(`npm (?:run )?${name}\\b`));
    const configuration = readFileSync(path.join(ROOT, 'content/docs/configuration.md'), 'utf8');
    const settings = readFileSync(path.join(ROOT, 'src/config/settings.ts'), 'utf8');
    const declared = settings.split('const environment = z.object({')[1]?.split('});')[0] ?? '';
    const names = [...declared.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(configuration).toContain(`\`${name}\``);
  });
});

describe('links in README and content/docs', () => {
  it.each(PAGES)('of $file lead to files and headings', ({ file, text }) => {
    const prose = text.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');
    const dead = [...prose.matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !resolves(file, link));
    expect(dead).toEqual([]);
  });
});

function resolves(file: string, link: string): boolean {
  const [target = '', anchor] = link.split('#');
  const place = target === '' ? path.join(ROOT, file) : path.resolve(ROOT, path.dirname(file), target);
  if (!existsSync(place)) return false;
  return anchor === undefined || headingsOf(readFileSync(place, 'utf8')).includes(anchor);
}

/** Anchors as GitHub makes them of headings. */
function headingsOf(text: string): string[] {
  const prose = text.replaceAll(/^```[^]*?^```/gm, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('command lines in README and content/docs', () => {
  const json = execFileSync(process.execPath, [SCRIPT, '--json'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 });
  const commands = JSON.parse(json) as Command[];

  it('with an unknown command, option or word are found', () => {
    const hooks = commands.find(({ name }) => name.includes('hooks'));
    for (const line of ['tset site', 'test site --dry', 'test site more', 'drain --now --full'])
      expect(() => hooks && checkLine(hooks, line.split(' ')), line).toThrow();
  });

  it('are found', () => expect(COMMAND_LINES.length).toBeGreaterThan(50));

  it.each(COMMAND_LINES)('$line', ({ line }) => {
    const { name, words } = splitCommandLine(line);
    expect(Object.keys(packageFile.scripts)).toContain(name);
    const command = commands.find((one) => one.name.split(' ').includes(name));
    if (command) checkLine(command, words);
    else expect(words).toEqual([]);
  });
});

function checkLine(command: Command, words: string[]): void {
  const first = readArguments(words, command.args).words[0];
  const child = first && command.commands.find(({ name }) => name.endsWith(` ${first.text}`));
  if (child) return checkLine(child, words.toSpliced(first.index, 1));
  checkArguments(words, command.args, '');
}
