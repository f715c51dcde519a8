import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import type { BuilderName, BuildRun, Peer, Scenario } from './build-rows.ts';
import { hasEleventy, hasHugo, hasIncrementalBuild, peerBuilder, projectBuilder, type Builder } from './builders.ts';
import type { Catalogue } from './catalogue.ts';
import { comparePages, readPage } from './compare-pages.ts';
import { copyProject, editFile } from './copy-project.ts';
import { CATALOGUE_LANGUAGES } from './make-catalogue.ts';
import {
  makeCatalogues,
  makeJournalCatalogues,
  makePicturedCatalogues,
  makePodcastCatalogues,
  makeRenamedCatalogues,
  type CataloguePair,
  type ChangingCatalogue,
} from './make-catalogues.ts';
import { RANGE_PAGE } from '#render/testing/range-page.ts';
import { isInMemory, memoryFolder } from './memory-folder.ts';
import { measureProcess } from './measure-process.ts';

/** What a template of the product page carries that is changed. */
const MAKER = /<div class="maker"[^>]*>/;

export interface BenchBuildOptions {
  /** Product pages; made a multiple of the languages, so that every product has its page in each. */
  sizes: readonly number[];
  peers: readonly Peer[];
  scenarios: readonly Scenario[];
  /** Of every scenario. */
  runs: number;
  /** Projects and pages are put into a new folder in this one. */
  folder: string;
  signal: AbortSignal;
  /** Called with the current step. */
  report: (message: string) => void;
}

/** Before anything is measured, all pages of a small catalogue are compared. */
const REHEARSED_PAGES = 300;
/** Later on, so many of the pages that were measured. */
const COMPARED_PAGES = 60;
/** Whether the page whose price changes has changed. */
const CHANGES_PAGE: Record<Scenario, boolean> = {
  cold: true,
  'cached-bundle': false,
  nochange: false,
  one: true,
  'one-picture': true,
  'one-article': true,
  'one-episode': true,
  'own-page': true,
  template: true,
};

/**
 * Builds the same product pages with this project and with peers, in turns. Peers make product pages only, of
 * facts that are calculated for them before; this project, and Astro's loop in it, calculate them from the records, and make
 * lists and a sitemap besides.
 * @throws Error when a peer's pages are not those of ours, or when a build fails.
 */
export async function* benchBuild(options: BenchBuildOptions): AsyncGenerator<BuildRun> {
  const { sizes, scenarios, runs, signal, report } = options;
  const folder = mkdtempSync(path.join(options.folder, 'sortiment-bench-'));
  try {
    report(`Preparing in ${folder}, ${isInMemory(folder) ? 'in memory' : 'on a disk'}`);
    const ours = projectBuilder(path.join(folder, 'ours'), 'ours');
    const peers = openPeers(options.peers, folder, report);
    const withHugo = peers.some(({ name }) => name === 'hugo');
    const bench: Bench = { ours, builders: [ours, ...peers], scenarios, runs, signal, report, templates: 1 };
    for (const [turn, size] of [REHEARSED_PAGES, ...sizes].entries()) {
      const pages = Math.ceil(size / CATALOGUE_LANGUAGES.length) * CATALOGUE_LANGUAGES.length;
      const place = path.join(folder, `of-${pages}`);
      const pair = await makeCatalogues(place, { pages, describer: ours, withHugo, signal });
      for (const builder of bench.builders) startOver(builder, pair.catalogues[0]);
      if (turn === 0) await rehearse(bench, pair);
      else yield* measure(bench, pages, pair);
      for (const scenario of turn > 0 ? OWN_SCENARIOS.filter((own) => scenarios.includes(own)) : [])
        yield* measureOurs(bench, arrangeOwn(scenario, bench, pair, { pages, place }));
      rmSync(place, { recursive: true });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Bench extends Pick<BenchBuildOptions, 'scenarios' | 'runs' | 'signal' | 'report'> {
  ours: Builder;
  /** With ours as the first. */
  builders: readonly Builder[];
  /** How many templates there were. */
  templates: number;
}

/** Builds once, so that everything that is used has been loaded before, and compares all pages. */
async function rehearse({ builders, signal, report }: Bench, { paths }: CataloguePair): Promise<void> {
  for (const builder of builders) await measureProcess(builder.command(), signal);
  comparePages(builders, paths);
  report(`All have made the same ${paths.length} pages; now they are measured.`);
}

async function* measure(bench: Bench, pages: number, pair: CataloguePair): AsyncGenerator<BuildRun> {
  const { ours, builders, scenarios, runs, signal, report } = bench;
  if (builders.some(({ name }) => isGivenFacts(name)))
    yield { pages, builder: 'facts', scenario: 'cold', ...pair.calculated };
  let [catalogue, other] = pair.catalogues;
  for (let run = 1; run <= runs; run++) {
    for (const scenario of scenarios.filter((each) => !OWN_SCENARIOS.some((own) => own === each))) {
      const before = readPage(ours, pair.changedPath);
      if (scenario === 'one') [catalogue, other] = [other, catalogue];
      if (scenario === 'template') bench.templates++;
      for (const builder of scenario === 'cached-bundle' ? [ours] : builders) {
        arrange(builder, scenario, { catalogue, template: bench.templates });
        flushDisk();
        const { output, ...measured } = await measureProcess(builder.command(), signal);
        const way = /"way":"([^"]+)"/.exec(output)?.[1];
        report(
          `${pages} pages, ${scenario}, ${builder.name}, run ${run}: ${measured.seconds.toFixed(2)} s${way ? ` (${way})` : ''}`,
        );
        yield { pages, builder: builder.name, scenario, ...measured };
      }
      if (run > 1) continue;
      comparePages(builders, samplePages(pair));
      const hasChanged = readPage(ours, pair.changedPath) !== before;
      if (hasChanged !== CHANGES_PAGE[scenario])
        throw new Error(`"${scenario}" has ${hasChanged ? 'changed' : 'not changed'} ${pair.changedPath}.`);
    }
  }
}

/** Those that peers can't be compared in. */
const OWN_SCENARIOS = ['one-picture', 'one-article', 'one-episode', 'own-page'] as const;
type OwnScenario = (typeof OWN_SCENARIOS)[number];

interface ArrangedScenario extends ChangingCatalogue {
  scenario: OwnScenario;
  builder: Builder;
  pages: number;
}

function arrangeOwn(
  scenario: OwnScenario,
  { ours }: Bench,
  { paths, changedPath }: CataloguePair,
  { pages, place }: { pages: number; place: string },
): ArrangedScenario {
  const folder = path.join(place, scenario);
  const own = { scenario, pages };
  if (scenario === 'one-picture') {
    const catalogues = makePicturedCatalogues(place, { pages, changedPage: paths.indexOf(changedPath) });
    return { ...own, builder: ours, catalogues, changedPath };
  }
  const project = path.join(folder, 'project');
  if (scenario === 'own-page') {
    const builder = projectBuilder(project, 'ours');
    mkdirSync(path.join(project, 'src/pages/range'));
    writeFileSync(path.join(project, 'src/pages/range/[language].astro'), RANGE_PAGE);
    return { ...own, builder, catalogues: makeRenamedCatalogues(folder, pages), changedPath: '/range/de-de/' };
  }
  // With everything beside the pages: the search has every word.
  const builder = projectBuilder(project, 'ours', { withFiles: true });
  const make = scenario === 'one-article' ? makeJournalCatalogues : makePodcastCatalogues;
  return { ...own, builder, ...make(folder, pages) };
}

/** Of ours alone. */
async function* measureOurs(
  { runs, signal, report }: Bench,
  { scenario, builder, pages, catalogues, changedPath }: ArrangedScenario,
): AsyncGenerator<BuildRun> {
  startOver(builder, (await catalogues.next()).value);
  await measureProcess(builder.command(), signal);
  for (let run = 1; run <= runs; run++) {
    const before = readPage(builder, changedPath);
    builder.take((await catalogues.next()).value);
    flushDisk();
    const { output: _, ...measured } = await measureProcess(builder.command(), signal);
    report(`${pages} pages, ${scenario}, ${builder.name}, run ${run}: ${measured.seconds.toFixed(2)} s`);
    if (readPage(builder, changedPath) === before) throw new Error(`"${scenario}" has not changed ${changedPath}.`);
    yield { pages, builder: builder.name, scenario, ...measured };
  }
}

function openPeers(names: readonly Peer[], folder: string, report: (message: string) => void): Builder[] {
  const shared = path.join(folder, 'peers');
  copyProject(shared);
  return names.flatMap((name) => {
    if (name === 'eleventy' && !hasEleventy()) {
      report('eleventy is left out: `npm ci --prefix .config/foreign-clients` installs it.');
      return [];
    }
    if (name === 'hugo' && !hasHugo()) {
      report('hugo is left out: there is no `hugo` in PATH.');
      return [];
    }
    if (name === 'astro-incremental' && !hasIncrementalBuild(shared)) {
      report('astro-incremental is left out: this version of Astro has no `experimental.incrementalBuild`.');
      return [];
    }
    const isAstro = name === 'astro' || name === 'astro-incremental';
    return isAstro ? projectBuilder(path.join(folder, name), name) : peerBuilder(shared, name);
  });
}

function isGivenFacts(name: BuilderName): boolean {
  return name === 'eleventy' || name === 'hugo' || name === 'bare';
}

/** Some of all pages, and the one whose price changes. */
function samplePages({ paths, changedPath }: CataloguePair): string[] {
  const step = Math.max(1, Math.floor(paths.length / COMPARED_PAGES));
  return [...paths.filter((_, place) => place % step === 0), changedPath];
}

/** Makes a builder begin with a catalogue, and with nothing that is kept. */
function startOver(builder: Builder, catalogue: Catalogue): void {
  builder.take(catalogue);
  builder.forget();
}

/**
 * Makes things as they are when a scenario begins; that isn't measured.
 * @param state `template` is the number of the template to use.
 */
function arrange(
  builder: Builder,
  scenario: Scenario,
  { catalogue, template }: { catalogue: Catalogue; template: number },
): void {
  if (scenario === 'cold') builder.forget();
  if (scenario === 'cached-bundle') {
    // All product pages, and all lists and texts of a language.
    for (const language of CATALOGUE_LANGUAGES) rmSync(path.join(builder.distFolder, language), { recursive: true });
  }
  if (scenario === 'one') builder.take(catalogue);
  if (scenario === 'template') editFile(builder.template, MAKER, `<div class="maker" data-edition="${template}">`);
}

/** Where builds are measured if nobody says otherwise: in memory, where that is, for a shared disk is slow at times. */
export function benchFolder(): string {
  return memoryFolder() ?? tmpdir();
}

/** Flushes the disk, where `sync` exists, so that pending writes don't disturb the measurement. */
function flushDisk(): void {
  spawnSync('sync');
}
