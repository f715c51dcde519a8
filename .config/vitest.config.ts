import path from 'node:path';
import { defineConfig } from 'vitest/config';

const root = path.dirname(import.meta.dirname);

// Two projects: rooms, tested each for itself, and the journeys, tested on the built site in a real browser.
export default defineConfig({
  root,
  test: {
    projects: [
      {
        root,
        test: {
          name: 'rooms',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['src/e2e/**'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Many tests start programs: loading them is most of what that takes.
          env: { NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/node-compile') },
        },
      },
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
