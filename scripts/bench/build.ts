import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SortimentError } from '#contracts/index.ts';
import { cleanEnvironment, copyProject, type ProjectCopy } from '#e2e/project-copy.ts';
import { RANGE_PAGE } from '#build/testing/range-page.ts';
import { AUDIT_FOLDER } from '#files/testing/audit-tools.ts';
import { LANGUAGES, makeCatalogue } from '../fixtures/make-catalogue.ts';
import { measureNode, type Measurement } from './measure.ts';

export type BuilderName = 'sortiment' | 'astro' | 'eleventy';

/**
 * `cold`: without caches. `nochange`: once more. `one`: after the change of one price. `own-page`: after the change of
 * a name that an Astro page of the project shows, which lists all products.
 */
export type Scenario = 'cold' | 'nochange' | 'one' | 'own-page';

export interface BuildSample extends Measurement {
  scenario: Scenario;
  builder: BuilderName;
}

/** Medians of all runs. `ratio` is the time relative to that of this project. */
export type BuildRow = BuildSample & { ratio: number };

export interface BuildOptions {
  pages: number;
  /** This project first. */
  builders: readonly BuilderName[];
  scenarios: readonly Scenario[];
  runs: number;
  signal: AbortSignal;
  report: (message: string) => void;
}

interface Builder extends Pick<ProjectCopy, 'folder' | 'remove'> {
  name: BuilderName;
}

const ELEVENTY = path.join(AUDIT_FOLDER, 'node_modules/@11ty/eleventy/cmd.cjs');
const BUILD = ['scripts/build.ts', '--json'];
const COMMANDS: Record<BuilderName, readonly string[]> = {
  sortiment: BUILD,
  astro: [...BUILD, '--default-loop'],
  eleventy: [ELEVENTY, '--quiet', '--config=scripts/bench/eleventy.config.ts', '--input=public', '--output=dist'],
};
const OWN_PAGE = 'range/de-de';

/** @throws Error if a build fails, or if its pages have other content than those of this project */
export async function benchBuild({ scenarios, runs, signal, report, ...options }: BuildOptions): Promise<BuildRow[]> {
  if (options.builders.includes('eleventy') && !existsSync(ELEVENTY)) {
    const hint = 'Run "npm ci --prefix .config/audit", or omit it with --peers.';
    throw new SortimentError('ELEVENTY_MISSING', 'Eleventy is not installed.', { hint });
  }
  const pages = Math.ceil(options.pages / LANGUAGES.length) * LANGUAGES.length;
  const edited = Math.floor(pages / 2 / LANGUAGES.length) * LANGUAGES.length;
  const builders: Builder[] = [];
  const build = ({ name, folder }: Builder) => {
    // Peers hold all pages in memory.
    const heap = name === 'sortiment' ? {} : { NODE_OPTIONS: '--max-old-space-size=8192' };
    const env = { ...cleanEnvironment(), SORTIMENT_OFFLINE: '1', ...heap };
    return measureNode(COMMANDS[name], { cwd: folder, env, signal });
  };
  const edits = { one: 0, 'own-page': 0 };
  const updateCatalogue = (): string[] => {
    const [first, ...others] = builders.map(({ folder }) => path.join(folder, '.sortiment/snapshot.sqlite'));
    const paths = makeCatalogue(first ?? '', {
      pages,
      change: (record, page) =>
        page === edited ? { ...record, name: `${record.name} ${edits['own-page']}`, price: 900 + edits.one } : record,
    });
    for (const other of others) copySnapshot(first ?? '', other);
    return paths;
  };
  try {
    for (const name of options.builders) builders.push(await prepareBuilder(name));
    let paths = updateCatalogue();
    // The first builds also fill the caches of the system and of Node.
    for (const builder of builders) await build(builder);
    const samples: BuildSample[] = [];
    for (const scenario of scenarios) {
      const used = scenario === 'own-page' ? builders.filter(({ name }) => name !== 'eleventy') : builders;
      if (scenario === 'own-page') for (const builder of used) await build(addOwnPage(builder));
      for (let run = 1; run <= runs; run++) {
        const shown = () => readPage(used[0], scenario === 'own-page' ? OWN_PAGE : (paths[edited] ?? ''));
        const before = shown();
        if (scenario === 'one' || scenario === 'own-page') {
          edits[scenario]++;
          paths = updateCatalogue();
        }
        for (const builder of used) {
          if (scenario === 'cold') removeCaches(builder);
          // Flushes writes that would slow down the measured build.
          spawnSync('sync');
          const { seconds, peakMegabytes } = await build(builder);
          samples.push({ scenario, builder: builder.name, seconds, peakMegabytes });
          report(`${scenario}, run ${run}, ${builder.name}: ${seconds.toFixed(2)} s`);
        }
        comparePages(used, paths);
        if (scenario !== 'cold' && (before === shown()) !== (scenario === 'nochange'))
          throw new Error(`"${scenario}" and the page of the changed product do not match.`);
      }
    }
    return summarize(samples);
  } finally {
    for (const { remove } of builders) await remove();
  }
}

/** Copies the project without generators, because peers have no search, feeds and the like. */
async function prepareBuilder(name: BuilderName): Promise<Builder> {
  const { folder, configure, remove } = await copyProject();
  await configure({ shareImages: false });
  const file = path.join(folder, 'src/generated/generators.ts');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll(/(?<=GENERATORS: readonly FileGenerator\[\] = )\[[^\]]*\]/g, '[]'));
  return { name, folder, remove };
}

function copySnapshot(from: string, to: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(to + suffix, { force: true });
  mkdirSync(path.dirname(to), { recursive: true });
  copyFileSync(from, to);
}

function removeCaches({ folder }: Builder): void {
  const cached = readdirSync(path.join(folder, '.sortiment')).filter((file) => !file.startsWith('snapshot.sqlite'));
  for (const name of ['dist', '.astro', ...cached.map((file) => `.sortiment/${file}`)])
    rmSync(path.join(folder, name), { recursive: true, force: true });
}

function addOwnPage(builder: Builder): Builder {
  const file = path.join(builder.folder, 'src/pages/range/[language].astro');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, RANGE_PAGE);
  return builder;
}

function readPage(builder: Pick<Builder, 'folder'> | undefined, page: string): string {
  const file = path.join(builder?.folder ?? '', 'dist', page, 'index.html');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Eleventy has no notes on norms, and fewer links. */
const MIN_SHARED_WORDS = 0.7;

/** @throws Error if a page lacks too many words of the page of the first builder */
export function comparePages([first, ...others]: readonly Pick<Builder, 'name' | 'folder'>[], pages: string[]): void {
  for (const page of pages) {
    const words = wordsOf(readPage(first, page));
    if (words.size === 0) throw new Error(`${page} is missing.`);
    for (const other of others) {
      const missing = words.difference(wordsOf(readPage(other, page)));
      if (missing.size > words.size * (1 - MIN_SHARED_WORDS))
        throw new Error(
          `${page} by ${other.name} lacks ${missing.size} of ${words.size} words: ${[...missing].join(' ')}`,
        );
    }
  }
}

function wordsOf(html: string): Set<string> {
  return new Set(
    html
      .slice(html.indexOf('<body'))
      .replaceAll(/<[^>]*>|&#?\w+;/g, ' ')
      .match(/[\p{L}\p{N}]+/gu),
  );
}

export function summarize(samples: readonly BuildSample[]): BuildRow[] {
  const groups = Map.groupBy(samples, ({ scenario, builder }) => `${scenario} ${builder}`);
  const secondsOf = (key: string) => median(groups.get(key)?.map(({ seconds }) => seconds) ?? []);
  return [...groups].flatMap(([key, group]) => {
    const [{ scenario, builder } = { scenario: 'cold', builder: 'sortiment' } as const] = group;
    const ratio = secondsOf(key) / secondsOf(`${scenario} sortiment`);
    const peakMegabytes = median(group.map((sample) => sample.peakMegabytes ?? Number.NaN));
    return { scenario, builder, seconds: secondsOf(key), ratio, peakMegabytes };
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}
