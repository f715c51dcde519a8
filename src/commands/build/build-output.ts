/** What is printed meanwhile: all that Astro says, what concerns a person, or errors only. */
export type BuildOutput = 'all' | 'summary' | 'errors';
