import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const step = z.looseObject({
  id: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
});
const workflow = z.object({
  env: z.record(z.string(), z.string()).optional(),
  jobs: z.record(z.string(), z.object({ env: z.record(z.string(), z.string()).optional(), steps: z.array(step) })),
});
const action = z.object({ runs: z.object({ steps: z.array(step) }) });

const packageFile = z
  .object({
    version: z.string(),
    engines: z.object({ node: z.string() }),
    scripts: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));
const read = (file: string): string => readFileSync(path.join('.github', file), 'utf8');
const syncAction = action.parse(parse(read('actions/sync/action.yml')));

/** Returns the jobs that sync, with the environment of their steps. */
function syncJobs(file: string) {
  const { env, jobs } = workflow.parse(parse(read(`workflows/${file}`)));
  return Object.values(jobs)
    .filter(({ steps }) => steps.some(({ uses }) => uses === './.github/actions/sync'))
    .map((job) => ({ ...job, env: { ...env, ...job.env } }));
}

/** Variables of .env.example for deployments, without those of the machine, the watch and the origin. */
const documented = [
  ...(readFileSync('.env.example', 'utf8').split('# Only for `npm run')[0] ?? '').matchAll(/^([A-Z_]+)=/gm),
]
  .map(([, name = '']) => name)
  .filter((name) => !['SITE_URL', 'SORTIMENT_OFFLINE', 'SORTIMENT_HOME', 'DATABASE_URL', 'PORT'].includes(name));
const isSecret = (name: string): boolean => /TOKEN|SECRET|PASSWORD|HOOK_URL/.test(name);
const passed = (name: string): string => `\${{ ${isSecret(name) ? 'secrets' : 'vars'}.${name} }}`;

it('a deployment gets every documented variable, and secrets as such', () => {
  expect(documented).toContain('PUBLISHING_NAMESPACES');
  const [job] = syncJobs('deploy.yml');
  expect(job?.env).toEqual(Object.fromEntries(documented.map((name) => [name, passed(name)])));
  expect(JSON.stringify(job?.steps)).toContain('SITE_URL=$SITE_ADDRESS');
});

it('a build in shards reads the same upstreams, and announces nothing', () => {
  const [job] = syncJobs('build-in-shards.yml');
  const read = documented.filter((name) => !name.startsWith('SORTIMENT_HOOK_'));
  expect(job?.env).toEqual(Object.fromEntries(['SITE_URL', ...read].map((name) => [name, passed(name)])));
});

it('no workflow syncs but by the action that requires the snapshot', () => {
  for (const file of ['deploy.yml', 'build-in-shards.yml']) {
    expect(read(`workflows/${file}`)).not.toContain('npm run sync');
    expect(syncJobs(file)).toHaveLength(1);
  }
  const restored = syncAction.runs.steps.find(({ uses }) => uses?.startsWith('actions/cache/restore'))?.with?.['path'];
  expect(read('workflows/deploy.yml')).toContain('uses: actions/cache/save');
  const [{ steps = [] } = {}] = syncJobs('deploy.yml');
  expect(steps.find(({ uses }) => uses?.startsWith('actions/cache/save'))?.with?.['path']).toBe(restored);
});

it('every workflow calls scripts and files that exist', () => {
  const { scripts } = packageFile;
  const lines = readdirSync('.github/workflows')
    .flatMap((file) => Object.values(workflow.parse(parse(read(`workflows/${file}`))).jobs))
    .flatMap(({ steps }) => steps.map(({ run = '' }) => run));
  const files = lines.flatMap((line) => line.match(/(?<!\/)\b(?:src|scripts)\/[\w./-]+/g) ?? []);
  expect(files).toContain('scripts/sync.ts');
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  const called = lines.flatMap((line) => [...line.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name = '']) => name));
  expect(called.filter((name) => !(name in scripts))).toEqual([]);
});

it('tests the oldest supported version of Node on each system', () => {
  const { jobs } = z
    .object({
      jobs: z.object({
        smoke: z.object({ strategy: z.object({ matrix: z.record(z.string(), z.array(z.string())) }) }),
      }),
    })
    .parse(parse(read('workflows/test.yml')));
  const { os, node = [] } = jobs.smoke.strategy.matrix;
  expect(`>=${node[0]}`).toBe(packageFile.engines.node);
  expect(os).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest']);
});

describe('a release', () => {
  const { test, publish } = z
    .object({ jobs: z.record(z.string(), z.looseObject({ needs: z.string().optional(), steps: z.array(step) })) })
    .parse(parse(read('workflows/release.yml'))).jobs;
  const scriptOf = (name: string) => publish?.steps.find(({ id }) => id === name)?.run ?? '';
  const { version } = packageFile;
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'sortiment-release-'));
    for (const file of ['package.json', 'CHANGELOG.md']) copyFileSync(file, path.join(folder, file));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const run = (name: string, env: Record<string, string> = {}) =>
    promisify(execFile)('bash', ['-eo', 'pipefail', '-c', scriptOf(name)], {
      cwd: folder,
      env: { PATH: `${folder}${path.delimiter}${process.env['PATH']}`, ...env },
    });

  it('is published after all tests, with its provenance and without a token', () => {
    expect(test?.steps.at(-1)?.run).toBe('.ci/run');
    expect(publish).toMatchObject({ needs: 'test', permissions: { contents: 'write', 'id-token': 'write' } });
    expect(read('workflows/release.yml')).not.toContain('secrets.');
  });

  it('has the entries of its version, and no others', async () => {
    await run('notes', { GITHUB_REF_NAME: `v${version}` });
    const notes = readFileSync(path.join(folder, 'notes.md'), 'utf8');
    expect(notes.trim()).toBe(
      readFileSync('CHANGELOG.md', 'utf8')
        .split(`## [${version}]`)[1]
        ?.split(/^## \[/m)[0]
        ?.replace(/.*/, '')
        .trim(),
    );
    expect(notes).toContain('\n- ');
  });

  it('is refused with the tag of another version', async () => {
    const ran = run('notes', { GITHUB_REF_NAME: 'v99.0.0' });
    await expect(ran).rejects.toMatchObject({ stdout: `The tag is v99.0.0, package.json has ${version}.\n` });
  });

  it('publishes the tarballs of all packages', async () => {
    writeFileSync(path.join(folder, 'npm'), `#!/bin/sh\necho "$@" >> published\n`);
    chmodSync(path.join(folder, 'npm'), 0o755);
    const files = ['create-sortiment-1.0.0.tgz', 'sortiment-1.0.0.tgz', '@sortiment/sortiment-origin-1.0.0.tgz'];
    for (const file of files) {
      const tarball = path.join(folder, '.sortiment/packages', file);
      mkdirSync(path.dirname(tarball), { recursive: true });
      writeFileSync(tarball, '');
    }
    await run('publish');
    const published = readFileSync(path.join(folder, 'published'), 'utf8').trim().split('\n');
    const command = (file: string) => `publish ./.sortiment/packages/${file} --provenance --access public`;
    expect(published).toEqual(files.map(command));
  });
});

it.each([
  ['push', '', 0, '--require-snapshot', 'changed=true'],
  ['schedule', 'false', 0, '--require-snapshot', 'changed=false'],
  ['schedule', '', 10, '--require-snapshot', 'changed=true'],
  ['workflow_dispatch', 'true', 10, '', 'changed=true'],
  ['schedule', '', 1, '--require-snapshot', undefined],
])('on %s (from scratch: "%s") a sync that ends with %i', async (event, fromScratch, code, flag, output) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-workflow-'));
  writeFileSync(path.join(folder, 'npm'), `#!/bin/sh\necho "$@" > "${folder}/asked"\nexit ${code}\n`);
  chmodSync(path.join(folder, 'npm'), 0o755);
  writeFileSync(path.join(folder, 'output'), '');
  const script = syncAction.runs.steps.find(({ id }) => id === 'sync')?.run ?? '';
  const ran = promisify(execFile)('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    env: {
      PATH: `${folder}${path.delimiter}${process.env['PATH']}`,
      EVENT: event,
      FROM_SCRATCH: fromScratch,
      GITHUB_OUTPUT: path.join(folder, 'output'),
    },
  });
  if (output === undefined) await expect(ran).rejects.toMatchObject({ code });
  else await ran;
  expect(readFileSync(path.join(folder, 'output'), 'utf8').trim()).toBe(output ?? '');
  expect(readFileSync(path.join(folder, 'asked'), 'utf8').trim()).toBe(`run sync${flag && ` -- ${flag}`}`);
  rmSync(folder, { recursive: true });
});
