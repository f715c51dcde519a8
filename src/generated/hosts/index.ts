export { headerRules, type HeaderRule } from './header-rules.ts';
export { headersFor } from './headers-for.ts';
export { readRedirects, redirectsFile } from './hosts.ts';
