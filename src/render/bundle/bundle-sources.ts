import { z } from 'zod';

/** Sources of a bundle as reported by the bundler: paths relative to the project, or absolute outside of it. */
export const bundleSources = z.object({
  /** Modules, and files read by plugins. A package in `node_modules` is represented by its `package.json`. */
  files: z.array(z.string()),
  /** Folders in which a new file may become a source: those of glob imports and content collections. */
  folders: z.array(z.string()),
  /** Names of environment variables that it reads. */
  variables: z.array(z.string()),
  /** Modules with unrecorded reads (files, network, clock), and their importers. */
  unrecorded: z.array(z.string()),
});

export type BundleSources = z.output<typeof bundleSources>;

export const NO_SOURCES: BundleSources = { files: [], folders: [], variables: [], unrecorded: [] };
