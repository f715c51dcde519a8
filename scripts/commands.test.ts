import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyProject, type FinishedCommand, type ProjectCopy, type RunningCommand } from '#e2e/project-copy.ts';
import packageFile from '../package.json' with { type: 'json' };

/** Nothing listens there: port 9 is "discard". */
const NOWHERE = { PRODUCT_API_URL: 'http://127.0.0.1:9', PRODUCT_API_TOKEN: 'c0ffee00'.repeat(5) };

let project: ProjectCopy;
beforeAll(async () => {
  project = await copyProject();
});
afterAll(() => project.remove());

function expectRefusal({ code, stdout, stderr }: FinishedCommand, ...words: RegExp[]): void {
  expect(code, stdout + stderr).toBe(1);
  for (const word of words) expect(stderr).toMatch(word);
  expect(stdout + stderr).not.toMatch(/^\s+at .+:\d+:\d+/m);
  expect(stdout + stderr).not.toContain(NOWHERE.PRODUCT_API_TOKEN);
}

/** Scripts of package.json that this project implements. */
const COMMANDS = Object.entries(packageFile.scripts)
  .filter(([, line]) => line.includes('scripts/'))
  .map(([name]) => name);

describe('every command', () => {
  it.each(COMMANDS)('%s explains itself, and refuses an unknown option by name', async (command) => {
    const [help, wrong] = await Promise.all([project.run(command, ['--help']), project.run(command, ['--hlep'])]);
    expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('USAGE') });
    expect(wrong).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/--hlep[^]*Did you mean --help/),
    });
  });

  it('tells its version', async () => {
    const version = await project.run('build', ['--version']);
    expect(version).toEqual({ code: 0, stderr: '', stdout: `sortiment ${packageFile.version}\n` });
  });

  it('names an option that looks like none of its own', async () => {
    const { code, stderr } = await project.run('build', ['--colour']);
    expect(code).toBe(2);
    expect(stderr).toContain('--colour');
  });
});

/** Invalid command lines, and a part of the correct form that the message must contain. */
const WRONG: [line: string, names: string][] = [
  ['start --port http', '--port'],
  ['start now', 'npm start -- --help'],
  ['dev --port 70000', '--port'],
  ['serve --port http', '--port'],
  ['serve dist', 'npm run serve -- --help'],
  ['sync --accept', 'npm run sync -- --help'],
  ['sync --max-requests 0', 'above 0'],
  ['sync --max-minutes soon', 'npm run sync -- --help'],
  ['sync --full=blog', '--full=publishing'],
  ['build --shard 9/4', '3/16'],
  ['build --shard', 'npm run build -- --help'],
  ['build --threads many', 'npm run build -- --help'],
  ['build merge', 'npm run build -- merge --help'],
  ['build mrege', 'Did you mean merge?'],
  ['watch --interval soon', '5m'],
  ['watch --port http', '--port'],
  ['strings add', 'npm run strings -- add --help'],
  ['strings add sv_SE', 'sv-se'],
  ['completions', 'npm run completions -- --help'],
  ['completions csh', 'bash, zsh or fish'],
  ['origin --port http', '--port'],
  ['origin --public-url data.example.com', '--public-url https://'],
  ['origin --trusted-proxies everybody', '10.0.0.0/8'],
  ['origin product', 'npm run origin -- product --help'],
  ['origin product set', 'npm run origin -- product set --help'],
  ['origin product set 123', 'npm run origin -- product set --help'],
  ['origin product set 123 price=1', 'npm run origin -- product set --help'],
  ['origin product import', 'npm run origin -- product import --help'],
  ['origin product import nothing.json', 'Check its name'],
  ['origin product fetch', 'npm run origin -- product fetch --help'],
  ['origin product fetch there --token secret', 'https://'],
  ['origin product remove', 'npm run origin -- product remove --help'],
  ['origin product list --language german', 'npm run origin -- product list --help'],
  ['origin token create --user', 'npm run origin -- token create --help'],
  ['origin token revoke', 'npm run origin -- token revoke --help'],
  ['origin token revoke mine', 'token list'],
  ['origin user create', 'npm run origin -- user create --help'],
  ['origin user create anna', 'npm run origin -- user create --help'],
  ['origin user create anna --email anna --role king', 'administrator'],
  ['origin user disable', 'npm run origin -- user disable --help'],
  ['origin language add', 'npm run origin -- language add --help'],
  ['origin language add DE', 'npm run origin -- language add --help'],
  ['origin import', 'npm run origin -- import --help'],
  ['origin import https://blog.example.com', '--user'],
  ['origin import blog --user anna', 'https://'],
  ['hooks', 'npm run hooks -- --help'],
  ['hooks retry', '--all'],
  ['hooks test', 'npm run hooks -- test --help'],
  ['announce pages', 'npm run announce -- --help'],
  ['doctor product', 'npm run doctor -- --help'],
  ['check types', 'npm run check -- --help'],
  ['bench', 'npm run bench -- --help'],
  ['bench build --pages many', 'such as 1000'],
  ['bench build --peers gatsby', 'eleventy'],
  ['bench build --scenarios none', 'cold'],
  ['bench sync --records many', 'such as 1000'],
  ['bench origin --seconds long', 'npm run bench -- origin --help'],
  ['conformance posts', 'npm run conformance -- --help'],
  ['conformance --names none', 'neutral'],
  ['package now', 'npm run package -- --help'],
  ['docs --url nowhere', '--url'],
];

/** Each needs a process: the first of each command and a fifth of the others, or all in a soak. */
const TRIED = WRONG.filter(([line], i) => {
  const command = line.split(' ')[0] ?? '';
  return process.env['SORTIMENT_SOAK'] || i % 5 === 0 || WRONG.findIndex(([other]) => other.startsWith(command)) === i;
});

describe('what is written wrongly', () => {
  it('is tried with every command', () => {
    expect(COMMANDS.filter((command) => !TRIED.some(([line]) => line.startsWith(command)))).toEqual([]);
  });

  it.each(TRIED)('"%s" ends with 2 and names the right form: %s', async (line, names) => {
    const [command = '', ...words] = line.split(' ');
    const { code, stdout, stderr } = await project.run(command, words);
    expect([code, stdout], stderr).toEqual([2, '']);
    expect(stderr).toContain(names);
    expect(stderr).not.toMatch(/^\s+at .+:\d+/m);
  });
});

describe('a user name and a password in an address', () => {
  const address = 'https://stage:geheimnis@blog.example';

  it.each([
    ['sync'],
    ['doctor'],
    ['watch', '--port', '0'],
    ['build'],
    ['hooks', 'list'],
    ['origin', 'import', address, '--user', 'anna', '--app-password', 'x'],
    ['origin', 'product', 'fetch', address, '--token', 'x'],
  ])('are refused by %s, shown nowhere, and written nowhere', async (command, ...words) => {
    const environment = words.includes(address) ? {} : { ...NOWHERE, PUBLISHING_URL: address };
    const { code, stdout, stderr } = await project.run(command, words, environment);
    expect(code, stdout + stderr).not.toBe(0);
    expect(stdout + stderr).toMatch(/a user name or password[^]*(PUBLISHING_USER|--user)/);
    expect(stdout + stderr).not.toContain('geheimnis');
    const files = await readdir(path.join(project.folder, '.sortiment'), { recursive: true }).catch(() => []);
    for (const file of files) {
      const text = await readFile(path.join(project.folder, '.sortiment', file), 'latin1').catch(() => '');
      expect(text, file).not.toContain('geheimnis');
    }
  });
});

describe('Ctrl+C', () => {
  it.each(['origin', 'watch'])('ends %s with 130', async (command) => {
    const running = project.start(command, ['--port', '0'], NOWHERE);
    await running.printed(/Ctrl\+C stops it/);
    expect(await interrupt(running)).toBe(130);
  });

  it.each(['sync', 'start', 'dev', 'build', 'watch', 'doctor'])('ends %s with 130 while it waits', async (command) => {
    const asked = Promise.withResolvers<void>();
    const silent = createServer(() => asked.resolve());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const ports = ['start', 'dev', 'watch'].includes(command) ? ['--port', '0'] : [];
    const running = project.start(command, ports, { ...NOWHERE, PRODUCT_API_URL: `http://127.0.0.1:${port}/` });
    await asked.promise;
    expect(await interrupt(running)).toBe(130);
    expect(running.output()).not.toMatch(/bug in Sortiment/);
    silent.closeAllConnections();
    silent.close();
  });
});

/** Returns the exit code as a shell shows it: 128 plus the signal if it isn't handled. */
async function interrupt({ process: child }: RunningCommand): Promise<number | null> {
  const ended = once(child, 'close');
  child.kill('SIGINT');
  const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null];
  return signal === 'SIGINT' ? 130 : code;
}

describe('an upstream that is not there', () => {
  it('fails a sync in words', async () => {
    expectRefusal(await project.run('sync', [], NOWHERE), /127\.0\.0\.1:9/);
  });

  it('fails a sync in JSON for a machine', async () => {
    const { code, stdout } = await project.run('sync', ['--json'], NOWHERE);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: expect.stringMatching(/^UPSTREAM_/) } });
  });

  it('is what doctor is for', async () => {
    const { code, stdout } = await project.run('doctor', ['--json'], NOWHERE);
    expect(code).toBe(1);
    const findings = JSON.parse(stdout) as { check: string; status: string }[];
    expect(findings.find(({ check }) => check === 'Product interface')?.status).toBe('fail');
    expect(findings.find(({ check }) => check === 'GTIN list')?.status).toBe('ok');
  });
});

describe('without the network and without a snapshot', () => {
  it('a build says what is missing', async () => {
    expectRefusal(await project.run('build', [], { SORTIMENT_OFFLINE: '1' }), /no snapshot/i, /npm run sync/);
  });

  it('a sync says why it does nothing', async () => {
    expectRefusal(await project.run('sync', [], { SORTIMENT_OFFLINE: '1' }), /SORTIMENT_OFFLINE/);
  });
});

describe('serve', () => {
  it('needs a built site', async () => {
    expectRefusal(
      await project.run('serve', ['--port', '0'], { SORTIMENT_OFFLINE: '1' }),
      /no built site/,
      /npm run build/,
    );
  });

  it('tells when a port is taken, as start and dev do, and takes no other', async () => {
    await mkdir(path.join(project.folder, 'dist'), { recursive: true });
    await writeFile(path.join(project.folder, 'dist/index.html'), '<h1>Start</h1>');
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const port = String((other.address() as AddressInfo).port);
    const args = ['--port', port, '--host', '127.0.0.1'];
    const refused = await Promise.all(
      ['serve', 'start', 'dev', 'watch', 'origin'].map((command) =>
        project.run(command, args, { SORTIMENT_OFFLINE: '1', DATA_DIR: path.join(project.folder, `data-${command}`) }),
      ),
    );
    other.close();
    for (const one of refused)
      expectRefusal(one, new RegExp(`Port ${port} on 127.0.0.1 is used by another program`), /--port/);
  });

  it('says where it is, serves, and ends when it is told to', async () => {
    const server = project.start('serve', ['--port', '0'], { SORTIMENT_OFFLINE: '1' });
    const [, url = ''] = await server.printed(/Site\s+(http:\/\/localhost:\d+)/);
    expect(await (await fetch(url)).text()).toBe('<h1>Start</h1>');
    await server.stop();
    expect(server.process.exitCode).toBe(0);
  });
});
