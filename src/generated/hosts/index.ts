export { headerRules, type HeaderRule } from './header-rules.ts';
export { matchHeaders } from './match-headers.ts';
export { readRedirects, redirectsFile } from './hosts.ts';
