import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';

const root = path.dirname(import.meta.dirname);

/** What reads and writes the store in every way; `npm run soak` takes all of the origin. */
const ON_POSTGRES = process.env['SORTIMENT_SOAK']
  ? ['src/origin/**/*.test.ts']
  : [
      'src/origin/core/posts.test.ts',
      'src/origin/core/{comments,revisions,schedule,terms}/*.test.ts',
      'src/origin/core/media/place-files.test.ts',
      'src/origin/core/writing/writing.test.ts',
      'src/origin/product/product-interface.test.ts',
    ];

/** Rooms without a state of their own: their tests share processes, which halves what it takes to run them. */
const PLAIN = [
  'src/{catalogue,client,config,contracts,enhance,files,i18n,loaders,snapshot}/**/*.test.ts',
  'src/integration/{hosts,images,outputs,search,site}/**/*.test.ts',
  'scripts/bench/**/*.test.ts',
];

const rooms = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  globalSetup: ['src/origin/serve-test-postgres.ts'],
  // Many tests start programs: loading them is most of what that takes.
  env: { NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/node-compile') },
};

// Rooms, tested each for itself; those of the origin that use the store again on PostgreSQL, where one is installed;
// and the journeys, tested on the built site in a real browser.
export default defineConfig({
  root,
  test: {
    // Left to itself it leaves one core free, and that is half of a small machine.
    maxWorkers: availableParallelism(),
    projects: [
      {
        root,
        test: {
          name: 'rooms',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['src/e2e/**', ...PLAIN],
          ...rooms,
        },
      },
      { root, test: { ...rooms, name: 'plain', include: PLAIN, isolate: false } },
      ...(existsSync('/usr/lib/postgresql')
        ? [
            {
              root,
              test: {
                ...rooms,
                name: 'postgres',
                include: ON_POSTGRES,
                env: { ...rooms.env, SORTIMENT_TEST_DATABASE: 'postgres' },
              },
            },
          ]
        : []),
      {
        root,
        test: {
          name: 'journeys',
          include: ['src/e2e/**/*.test.ts'],
          globalSetup: ['src/e2e/serve-catalogue.ts'],
          testTimeout: 180_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
