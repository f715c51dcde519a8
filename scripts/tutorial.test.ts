import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findBrokenUrls } from '#build/testing/find-broken-urls.ts';
import { cleanEnvironment } from '#e2e/project-copy.ts';
import { PAGES } from './fixtures/documented-lines.ts';
import { packOnce } from './fixtures/pack-once.ts';
import { serveRegistry } from './fixtures/serve-registry.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const folder = mkdtempSync(path.join(tmpdir(), 'tutorial-'));
const repository = path.join(folder, 'repository.git');
const site = path.join(folder, 'published');

interface Block {
  /** Name of the file or first command. */
  name: string;
  file: string | undefined;
  code: string;
}

/** Returns the files and the commands of a page in their order: blocks with a title, and those of the shell. */
function readBlocks(page: string): Block[] {
  const { text = '' } = PAGES.find(({ file }) => file === `content/docs/${page}`) ?? {};
  return [...text.matchAll(/^```(?:\w+ title="([^"]+)"|sh)\n([^]*?)^```/gm)].map(([, file, code = '']) => ({
    name: file ?? code.split('\n')[0] ?? '',
    file,
    code,
  }));
}

let registry: Awaited<ReturnType<typeof serveRegistry>>;
let cwd = folder;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  registry = await serveRegistry((await packOnce()).tarballs);
  // Shares downloads, but not the programs that `npm create` installs: those of an earlier run are others.
  const cache = path.join(folder, 'npm');
  mkdirSync(cache);
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'cache']);
  symlinkSync(path.join(stdout.trim(), '_cacache'), path.join(cache, '_cacache'));
  environment = {
    ...cleanEnvironment(),
    NODE_OPTIONS: '',
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH']}`,
    npm_config_registry: registry.url,
    npm_config_prefer_offline: 'true',
    npm_config_cache: cache,
    npm_config_yes: 'true',
    PORT: '0',
    GIT_AUTHOR_NAME: 'Anna',
    GIT_AUTHOR_EMAIL: 'anna@example.com',
    GIT_COMMITTER_NAME: 'Anna',
    GIT_COMMITTER_EMAIL: 'anna@example.com',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.${repository}.insteadOf`,
    GIT_CONFIG_VALUE_0: 'https://github.com/anna/my-catalogue.git',
  };
  await promisify(execFile)('git', ['init', '--bare', repository]);
});
afterAll(() => {
  registry.close();
  rmSync(folder, { recursive: true });
});

/** Runs commands in the folder in which the previous ones ended. */
async function run(commands: string): Promise<void> {
  const { stdout } = await promisify(execFile)('bash', ['-ec', `${commands}\npwd`], { cwd, env: environment });
  cwd = stdout.trimEnd().split('\n').at(-1) ?? cwd;
}

/** Runs a command until it has printed the address of the site, and returns the start page. */
async function readServed(command: string): Promise<string> {
  const server = spawn('bash', ['-ec', command], { cwd, env: environment, detached: true });
  const ended = once(server, 'close');
  let output = '';
  try {
    const url = await new Promise<string>((resolve, reject) => {
      for (const stream of [server.stdout, server.stderr])
        stream.on('data', (chunk: Buffer) => {
          output += chunk.toString();
          const [, found] = /Site +(http\S+)/.exec(output) ?? [];
          if (found) resolve(found);
        });
      void ended.then(() => reject(new Error(output)));
    });
    return await (await fetch(new URL('en-gb/', url))).text();
  } finally {
    if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid);
    await ended;
  }
}

describe('the tutorial', () => {
  it.each(readBlocks('tutorial.md'))('$name', async ({ file, code }) => {
    if (file !== undefined) {
      mkdirSync(path.dirname(path.join(cwd, file)), { recursive: true });
      writeFileSync(path.join(cwd, file), code);
    } else if (code.trim() === 'npm start') expect(await readServed(code)).toContain('Alpfolie 100');
    else await run(code);
  });

  it('publishes the site that it describes', async () => {
    await promisify(execFile)('git', ['clone', '--branch=gh-pages', repository, site]);
    const read = (file: string) => readFileSync(path.join(site, file), 'utf8');
    const product = read('en-gb/p/alpfolie-100-9524010000016/index.html');
    expect(product).toContain('Made in Zürich');
    expect(product).toMatch(/CHF\s?24\.90/);
    expect(read('en-gb/about/index.html')).toContain('We make membranes');
    for (const page of ['about', 'legal-notice'])
      expect(read('en-gb/index.html')).toContain(`href="/my-catalogue/en-gb/${page}/"`);
    const styles = globSync('_astro/*.css', { cwd: site }).map((file) => read(file));
    expect(styles.join('')).toMatch(/border-block-start:\s*4px/);
    expect(product + styles.join('')).toContain('#0b6e4f');
    expect(read('.nojekyll')).toBe('');
    expect(findBrokenUrls(site, 'https://anna.github.io/my-catalogue')).toEqual([]);
  });
});

describe('the upgrade from a fork', () => {
  /** The files of a fork, with the data and the content of the tutorial. */
  beforeAll(() => {
    const fork = path.join(folder, 'fork');
    const project = path.join(folder, 'my-catalogue');
    for (const part of ['content', 'public', 'src', '.env', '.sortiment'])
      cpSync(path.join(project, part), path.join(fork, part), { recursive: true });
    mkdirSync(path.join(fork, 'content/products'), { recursive: true });
    const file = path.join(fork, 'src/sortiment.config.ts');
    const config = readFileSync(file, 'utf8').replace(/ +(?:customCss|components).*\n/g, '');
    writeFileSync(file, config.replace('sortiment/config', '#config/index.ts'));
    cwd = folder;
  });

  it.each(readBlocks('upgrade.md'))('$name', async ({ code }) => {
    // Reuses the packages of the tutorial, which npm checks against the project.
    if (code.startsWith('npm install'))
      renameSync(path.join(folder, 'my-catalogue/node_modules'), path.join(cwd, 'node_modules'));
    await run(code);
  });

  it('leads to the same site', () => {
    const product = readFileSync(path.join(cwd, 'dist/en-gb/p/alpfolie-100-9524010000016/index.html'), 'utf8');
    expect(product).toMatch(/CHF\s?24\.90/);
    expect(readFileSync(path.join(cwd, 'dist/en-gb/about/index.html'), 'utf8')).toContain('We make membranes');
  });
});
