import { z } from 'zod';

/** What a bundle was made of, as the bundler says: paths relative to the project, or absolute outside of it. */
export const bundleSources = z.object({
  /** Modules, and files that plugins have read. Of a package in `node_modules` its `package.json`. */
  files: z.array(z.string()),
  /** Folders in which another file may become a part of it: those of glob imports and of content collections. */
  folders: z.array(z.string()),
  /** Names of variables of the environment that it reads. */
  variables: z.array(z.string()),
  /** Of these modules those that read what isn't recorded: files, the network, the clock; and those that import them. */
  unrecorded: z.array(z.string()),
});

export type BundleSources = z.output<typeof bundleSources>;

export const NO_SOURCES: BundleSources = { files: [], folders: [], variables: [], unrecorded: [] };
