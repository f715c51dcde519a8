#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs, styleText } from 'node:util';
import { createProject, HOSTS, type ProjectAnswers, type Versions } from './create/create-project.ts';

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

/** Questions by option, with the default and the expected form of the answer. */
const QUESTIONS = {
  name: ['Name of the manufacturer', 'My company', (text: string) => text.trim() !== ''],
  languages: [
    'Languages, the main one first',
    'en-gb',
    (text: string) => splitList(text).every((code) => LANGUAGE.test(code)),
  ],
  accent: ['Accent colour', '#0a5bb5', (text: string) => COLOUR.test(text)],
  host: [`Host (${HOSTS.join(', ')})`, 'none', (text: string) => HOSTS.some((host) => host === text)],
  'product-url': ['Address of the product interface, if known', '', isAddressOrEmpty],
  'publishing-url': ['Address of the publishing site, if any', '', isAddressOrEmpty],
} satisfies Record<string, [question: string, preset: string, isValid: (text: string) => boolean]>;

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
  const isAsking = process.stdin.isTTY && !values.yes;
  const terminal = isAsking ? createInterface({ input: process.stdin, output: process.stdout }) : undefined;
  const answers = {} as Record<Question, string>;
  for (const key of Object.keys(QUESTIONS) as Question[]) {
    const [question, preset, isValid] = QUESTIONS[key];
    let answer = values[key];
    if (answer !== undefined && !isValid(answer)) throw new TypeError(`--${key} is "${answer}", which is not valid.`);
    while (answer === undefined) {
      const given = (await terminal?.question(`${question}${preset && ` (${preset})`}: `)) || preset;
      if (isValid(given)) answer = given;
    }
    answers[key] = answer;
  }
  terminal?.close();
  const [folder = '.'] = positionals;
  const project: ProjectAnswers = {
    name: answers.name,
    languages: splitList(answers.languages),
    accent: answers.accent,
    host: HOSTS.find((host) => host === answers.host) ?? 'none',
    productUrl: answers['product-url'],
    publishingUrl: answers['publishing-url'],
  };
  const files = createProject(path.resolve(folder), project, readVersions());
  const steps = [...(folder === '.' ? [] : [`cd ${folder}`]), 'npm install', 'npm run doctor', 'npm start'];
  console.log(`Wrote ${files.length} files. Next:\n\n${steps.map((step) => `  ${step}`).join('\n')}\n`);
}

function splitList(text: string): string[] {
  return text.split(',').map((part) => part.trim());
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
