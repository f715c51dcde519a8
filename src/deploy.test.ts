import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const FOLDER = '.deploy';
const read = (name: string): string => readFileSync(path.join(FOLDER, name), 'utf8');
const dockerfile = read('Dockerfile');
const units = readdirSync(FOLDER).filter((name) => name.endsWith('.service'));

const service = z.object({
  build: z.unknown().optional(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.unknown()).default({}),
});
const { services } = z
  .object({ services: z.record(z.string(), service) })
  .parse(parse(read('compose.yaml'), { merge: true }));

const variables = [...readFileSync('.env.example', 'utf8').matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);

/** Command lines as they are written, of the image, the compose file and the units. */
const commands: string[][] = [
  z.array(z.string()).parse(JSON.parse(/^CMD (.*)$/m.exec(dockerfile)?.[1] ?? '')),
  ...Object.values(services).flatMap(({ build, command }) => (build === undefined ? [] : [command])),
  ...units.map((name) => (/^ExecStart=(?:\S*\/)?(.*)$/m.exec(read(name))?.[1] ?? '').split(' ')),
];

/** Copies what the image contains: the listed files, and packages without those for development. */
function copyImage(folder: string): void {
  const copied = [...dockerfile.matchAll(/^COPY (?!--)(.*) \S+$/gm)].flatMap(([, names = '']) => names.split(' '));
  for (const name of copied.filter((file) => file !== 'package-lock.json'))
    cpSync(name, path.join(folder, name), { recursive: true });
  const { packages } = z
    .object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) })
    .parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));
  for (const [name, { dev = false }] of Object.entries(packages)) {
    if (dev || name === '' || name.includes('/node_modules/') || !existsSync(name)) continue;
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    symlinkSync(path.resolve(name), path.join(folder, name), 'junction');
  }
}

const parent = mkdtempSync(path.join(tmpdir(), 'sortiment-image-'));
const app = path.join(parent, 'app');
const data = path.join(parent, 'data');
/** Permissions don't apply to root. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const env = { PATH: process.env['PATH'], TMPDIR: data, SORTIMENT_HOME: path.join(data, 'sortiment'), PORT: '0' };

beforeAll(() => {
  copyImage(app);
  chmodSync(parent, 0o755);
  mkdirSync(data);
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid);
  for (const name of ['', ...readdirSync(app)]) chmodSync(path.join(app, name), 0o555);
});
afterAll(() => {
  chmodSync(app, 0o755);
  rmSync(parent, { recursive: true, force: true });
});

it('sets documented variables only', () => {
  const own = Object.values(services).filter(({ build }) => build !== undefined);
  const foreign = Object.values(services).filter(({ build }) => build === undefined);
  const known = [...variables, ...foreign.flatMap(({ environment }) => Object.keys(environment))];
  const used = [...read('compose.yaml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name);
  expect(used.length).toBeGreaterThan(5);
  expect(used.filter((name) => !known.includes(name))).toEqual([]);
  const set = [
    ...own.flatMap(({ environment }) => Object.keys(environment)),
    ...[...dockerfile.matchAll(/^ENV (\w+)=/gm)].map(([, name = '']) => name),
    ...units.flatMap((name) => [...read(name).matchAll(/^Environment=(\w+)=/gm)].map(([, variable = '']) => variable)),
  ];
  expect(set.filter((name) => !variables.includes(name))).toEqual([]);
});

it('runs commands of the image with options that they have', async () => {
  expect(commands).toHaveLength(5);
  for (const [program, script = '', ...words] of commands) {
    expect(program).toBe('node');
    const { stdout } = await promisify(execFile)(process.execPath, [script, '--help'], { cwd: app, env, ...user });
    for (const word of words.filter((text) => text.startsWith('--'))) expect(stdout).toContain(word);
  }
});

it('serves the origin from a read-only copy as another user', async () => {
  const [, ...words] = commands[0] ?? [];
  const origin = spawn(process.execPath, [...words, '--json'], {
    cwd: app,
    env,
    ...user,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await Promise.race([once(origin.stdout, 'data'), once(origin, 'exit')])) as unknown[];
    const { url } = JSON.parse(String(line)) as { url: string };
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    origin.kill('SIGTERM');
    expect(await once(origin, 'exit')).toEqual([0, null]);
  } finally {
    origin.kill('SIGKILL');
  }
});

it('mounts and builds from files that exist', () => {
  const files = [...read('compose.yaml').matchAll(/(?:- \.\/|dockerfile: \.deploy\/)([\w.]+)/g)].map(
    ([, name]) => name,
  );
  expect(files).toHaveLength(2);
  expect(readdirSync(FOLDER)).toEqual(expect.arrayContaining(files));
});
