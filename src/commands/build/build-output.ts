/** Output of a build: everything Astro logs, a summary, or errors only. */
export type BuildOutput = 'all' | 'summary' | 'errors';
