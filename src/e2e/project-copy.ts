import { spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { OptionsInput } from '#config/index.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

export interface FinishedCommand {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunningCommand {
  process: ChildProcess;
  /** Everything it has printed so far. */
  output(): string;
  /** Resolves with the first match in its output; rejects if it ends before. */
  printed(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
  stop(): Promise<void>;
}

/** A separate checkout with the installed packages of this one, in which commands run as for a user. */
export interface ProjectCopy {
  folder: string;
  run(command: string, args?: string[], env?: Record<string, string>): Promise<FinishedCommand>;
  /** Runs a file of the copy that is not a command. */
  runFile(file: string, args?: string[], env?: Record<string, string>): Promise<FinishedCommand>;
  start(command: string, args?: string[], env?: Record<string, string>): RunningCommand;
  /** Adds options to `src/sortiment.config.ts`. */
  configure(options: Partial<OptionsInput>): Promise<void>;
  remove(): Promise<void>;
}

/** Files of a checkout that commands need. */
export const PROJECT_PARTS: readonly string[] = [
  'src',
  'content',
  'public',
  'scripts',
  '.config',
  'astro.config.mjs',
  'package.json',
  'tsconfig.json',
];

/** Skips nested `node_modules`. */
export const isProjectFile = (source: string): boolean => path.basename(source) !== 'node_modules';

/** Files that are slow to create and the same in every copy: derived images, and the bundle. */
const WARM_FOLDERS = ['.sortiment/images', '.sortiment/build/bundle'];

/** @param warmedBy An earlier copy whose generated files are reused, like a cache in CI. */
export async function copyProject(warmedBy?: string): Promise<ProjectCopy> {
  const parent = await mkdtemp(path.join(tmpdir(), 'sortiment-'));
  const folder = path.join(parent, 'project');
  for (const name of PROJECT_PARTS) {
    await cp(path.join(ROOT, name), path.join(folder, name), { recursive: true, filter: isProjectFile });
  }
  if (warmedBy !== undefined) {
    for (const cacheFolder of WARM_FOLDERS)
      await cp(path.join(warmedBy, cacheFolder), path.join(folder, cacheFolder), { recursive: true });
  }
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const shared = await shareCompiled(path.join(parent, 'compiled'));

  const launchFile = (file: string, args: string[], env: Record<string, string>): ChildProcess =>
    spawn(process.execPath, [file, ...args], {
      cwd: folder,
      env: { ...cleanEnvironment(), ...shared, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const launch = (command: string, args: string[], env: Record<string, string>): ChildProcess =>
    launchFile(path.join('scripts', `${command}.ts`), args, env);

  return {
    folder,
    run: (command, args = [], env = {}) => finish(launch(command, args, env)),
    runFile: (file, args = [], env = {}) => finish(launchFile(file, args, env)),
    start: (command, args = [], env = {}) => watch(launch(command, args, env)),
    configure: (options) => addOptions(path.join(folder, 'src/sortiment.config.ts'), options),
    remove: () => rm(parent, { recursive: true, force: true }),
  };
}

/** Shares the compile cache between copies: Node identifies files by their path relative to the cache folder. */
async function shareCompiled(link: string): Promise<Record<string, string>> {
  const folder = process.env['NODE_COMPILE_CACHE'];
  if (folder === undefined) return {};
  await mkdir(folder, { recursive: true });
  await symlink(folder, link);
  return { NODE_COMPILE_CACHE: link, NODE_COMPILE_CACHE_PORTABLE: '1' };
}

async function addOptions(file: string, options: Partial<OptionsInput>): Promise<void> {
  const before = await readFile(file, 'utf8');
  const after = before.replace(/^ *mainLanguage: /m, (found) => `  ...${JSON.stringify(options)},\n${found}`);
  if (after === before) throw new Error(`${file} names no main language.`);
  await writeFile(file, after);
}

/**
 * Returns the environment without variables that configure the project, or turn its builds into those of a dev server.
 */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const configured =
    /^(PRODUCT_|PUBLISHING_|SORTIMENT_|ORIGIN_|SITE_URL|DATABASE_URL|PORT$|REST_ROOT|DATA_DIR|BOOTSTRAP|VITEST|NODE_ENV$|ASTRO_|(DEV|PROD|MODE|SSR|TEST|BASE_URL)$)/;
  const rest = Object.fromEntries(Object.entries(process.env).filter(([name]) => !configured.test(name)));
  return { ...rest, NO_COLOR: '1', ASTRO_TELEMETRY_DISABLED: '1', ASTRO_DEV_BACKGROUND: '0' };
}

function finish(child: ChildProcess): Promise<FinishedCommand> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

function watch(child: ChildProcess): RunningCommand {
  let text = '';
  const listeners = new Set<() => void>();
  const add = (chunk: Buffer): void => {
    text += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout?.on('data', add);
  child.stderr?.on('data', add);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    process: child,
    output: () => text,
    printed: (pattern, timeoutMs = 240_000) =>
      new Promise((resolve, reject) => {
        const fail = (): void => reject(new Error(`it did not print ${pattern}:\n${text}`));
        const timer = setTimeout(fail, timeoutMs);
        const check = (): void => {
          const match = pattern.exec(text);
          if (!match) return;
          clearTimeout(timer);
          listeners.delete(check);
          resolve(match);
        };
        listeners.add(check);
        void ended.then(() => {
          check();
          fail();
        });
        check();
      }),
    stop: async () => {
      if (child.exitCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
}
