#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs, styleText } from 'node:util';
import { contrastOf, MIN_CONTRAST, PAPER } from '../src/config/contrast.ts';
import { checkFolder, createProject, HOSTS, type ProjectAnswers, type Versions } from './create/create-project.ts';

const USAGE = `Usage: npm create sortiment [folder] -- [options]

Writes the files of a new catalogue. Asks for what the options leave open, unless --yes is given.

  --name <text>             Name of the manufacturer
  --languages <codes>       Languages, the main one first: nl-nl,en-gb
  --accent <colour>         Accent colour: #0a6bc9
  --host <name>             ${HOSTS.join(', ')}
  --product-url <address>   Product interface
  --publishing-url <address>  Publishing site
  --yes                     Use the defaults for everything else
`;

const LANGUAGE = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/;
const COLOUR = /^#[0-9a-f]{6}$/i;
const ADDRESS = 'an address such as https://example.com, or nothing';

/** Questions by option, with the default, the form of the answer, and its check. */
const QUESTIONS = {
  name: ['Name of the manufacturer', 'My company', 'a name', (text: string) => text.trim() !== ''],
  languages: [
    'Languages, the main one first',
    'en-gb',
    'codes such as nl-nl,en-gb',
    (text: string) => splitList(text).every((code) => LANGUAGE.test(code) && isKnownLanguage(code)),
  ],
  accent: [
    'Accent colour',
    '#0a5bb5',
    `a colour such as #0a6bc9, with a contrast of at least ${MIN_CONTRAST} on white`,
    (text: string) => COLOUR.test(text) && contrastOf(text, PAPER.light) >= MIN_CONTRAST,
  ],
  host: [
    `Host (${HOSTS.join(', ')})`,
    'none',
    `one of ${HOSTS.join(', ')}`,
    (text: string) => HOSTS.some((host) => host === text),
  ],
  'product-url': ['Address of the product interface, if known', '', ADDRESS, isAddressOrEmpty],
  'publishing-url': ['Address of the publishing site, if any', '', ADDRESS, isAddressOrEmpty],
} satisfies Record<string, [question: string, preset: string, form: string, isValid: (text: string) => boolean]>;

type Question = keyof typeof QUESTIONS;

async function run(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      name: text,
      languages: text,
      accent: text,
      host: text,
      'product-url': text,
      'publishing-url': text,
      yes: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return void process.stdout.write(USAGE);
  const [folder = '.', ...others] = positionals;
  if (others.length > 0)
    throw new TypeError(`"${others[0]}" is one argument too many. Put quotes around texts with spaces.`);
  checkFolder(path.resolve(folder));
  const isAsking = process.stdin.isTTY && !values.yes;
  const terminal = isAsking ? createInterface({ input: process.stdin, output: process.stdout }) : undefined;
  const answers = {} as Record<Question, string>;
  for (const key of Object.keys(QUESTIONS) as Question[]) {
    const [question, preset, form, isValid] = QUESTIONS[key];
    let answer = values[key];
    if (answer !== undefined && !isValid(answer)) throw new TypeError(`--${key} is "${answer}". Enter ${form}.`);
    while (answer === undefined) {
      const given = (await terminal?.question(`${question}${preset && ` (${preset})`}: `)) || preset;
      if (isValid(given)) answer = given;
      else console.log(`"${given}" is not valid. Enter ${form}.`);
    }
    answers[key] = answer;
  }
  terminal?.close();
  const project: ProjectAnswers = {
    name: answers.name,
    languages: splitList(answers.languages),
    accent: answers.accent,
    host: HOSTS.find((host) => host === answers.host) ?? 'none',
    productUrl: answers['product-url'],
    publishingUrl: answers['publishing-url'],
  };
  const files = createProject(path.resolve(folder), project, readVersions());
  const enter = folder === '.' ? '' : `  cd ${/^[\w./-]+$/.test(folder) ? folder : `"${folder}"`}\n`;
  console.log(`Wrote ${files.length} files. List your products in content/assortment/products.csv, and enter the address and
the token of the product interface in .env. Then:

${enter}  npm install
  npm run doctor
  npm start

Without a product interface, \`npm install @sortiment/origin\` adds a server for your products.
`);
}

function splitList(text: string): string[] {
  return [...new Set(text.split(',').map((part) => part.trim().toLowerCase()))];
}

function isKnownLanguage(code: string): boolean {
  return new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(code) !== undefined;
}

function isAddressOrEmpty(text: string): boolean {
  return text === '' || /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}

/** The package depends on nothing, and lists the versions for new projects as `sortiment`. */
function readVersions(): Versions {
  const file = new URL('../package.json', import.meta.url);
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as {
    version: string;
    dependencies: Record<string, string>;
    sortiment?: Versions;
  };
  const { version, dependencies } = manifest;
  return (
    manifest.sortiment ?? {
      sortiment: version,
      astro: dependencies['astro'] ?? '',
      mdx: dependencies['@astrojs/mdx'] ?? '',
    }
  );
}

try {
  await run();
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`${styleText('red', error.message)}\n`);
  process.exitCode = error instanceof TypeError ? 2 : 1;
}
