import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyProject, type Finished, type ProjectCopy } from '../src/e2e/project-copy.ts';

/** Nothing listens there: port 9 is "discard". */
const NOWHERE = { PRODUCT_API_URL: 'http://127.0.0.1:9', PRODUCT_API_TOKEN: 'c0ffee00'.repeat(5) };

let project: ProjectCopy;
beforeAll(async () => {
  project = await copyProject();
});
afterAll(() => project.remove());

function expectRefusal({ code, stdout, stderr }: Finished, ...words: RegExp[]): void {
  expect(code, stdout + stderr).toBe(1);
  for (const word of words) expect(stderr).toMatch(word);
  expect(stdout + stderr).not.toMatch(/^\s+at .+:\d+:\d+/m);
  expect(stdout + stderr).not.toContain(NOWHERE.PRODUCT_API_TOKEN);
}

describe('every command', () => {
  it.each(['start', 'dev', 'sync', 'build', 'serve', 'origin', 'announce', 'doctor', 'check'])(
    '%s explains itself, and refuses an unknown option by name',
    async (command) => {
      const [help, wrong] = await Promise.all([project.run(command, ['--help']), project.run(command, ['--hlep'])]);
      expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('USAGE') });
      expect(wrong).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/--hlep[^]*Did you mean --help/),
      });
    },
  );

  it('names an option that looks like none of its own', async () => {
    const { code, stderr } = await project.run('build', ['--colour']);
    expect(code).toBe(2);
    expect(stderr).toContain('--colour');
  });
});

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

  it('refuses what is no port, and tells when one is taken', async () => {
    expect((await project.run('serve', ['--port', 'http'])).code).toBe(2);
    await mkdir(path.join(project.folder, 'dist'), { recursive: true });
    await writeFile(path.join(project.folder, 'dist/index.html'), '<h1>Start</h1>');
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const port = String((other.address() as AddressInfo).port);
    const refused = await project.run('serve', ['--port', port, '--host', '127.0.0.1'], { SORTIMENT_OFFLINE: '1' });
    other.close();
    expectRefusal(refused, new RegExp(`Port ${port} .*taken`), /--port/);
  });

  it('says where it is, serves, and ends when it is told to', async () => {
    const server = project.start('serve', ['--port', '0'], { SORTIMENT_OFFLINE: '1' });
    const [, url = ''] = await server.printed(/Site\s+(http:\/\/localhost:\d+)/);
    expect(await (await fetch(url)).text()).toBe('<h1>Start</h1>');
    await server.stop();
    expect(server.process.exitCode).toBe(0);
  });
});
