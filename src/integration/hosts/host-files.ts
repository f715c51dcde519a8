import path from 'node:path';
import type { Settings } from '../../config/index.ts';
import type { Redirect } from '../../loaders/index.ts';
import { headerRules } from './header-rules.ts';
import { writeAzureFile } from './write-azure-file.ts';
import { writeCaddyFiles } from './write-caddy-files.ts';
import { writeHeadersFile } from './write-headers-file.ts';
import { writeNginxFiles } from './write-nginx-files.ts';
import { writeRedirectsFile } from './write-redirects-file.ts';
import { writeVercelFile } from './write-vercel-file.ts';

export interface HostFiles {
  /** Text by name: files of the site itself, which its host reads and doesn't show. */
  inSite: Record<string, string>;
  /** Files for the owner's own server, which don't belong into what it serves. */
  besideSite: Record<string, string>;
}

/** Where files for the owner's server are put. */
export function hostsFolder({ home }: Pick<Settings, 'home'>): string {
  return path.join(home, 'hosts');
}

/**
 * What the chosen host has to be told: headers of the files, and pages that have moved.
 * @throws SortimentError HOST_LIMIT when the host would take only a part of it.
 */
export function hostFiles(
  settings: Pick<Settings, 'home' | 'distFolder' | 'siteUrl' | 'options'>,
  redirects: readonly Redirect[],
): HostFiles {
  const { siteUrl, distFolder } = settings;
  const { host } = settings.options;
  const rules = headerRules(siteUrl);
  const places = { siteUrl, distFolder, hostsFolder: hostsFolder(settings) };
  switch (host) {
    case 'cloudflare':
    case 'netlify':
      return {
        inSite: { _headers: writeHeadersFile(host, rules), _redirects: writeRedirectsFile(host, redirects) },
        besideSite: {},
      };
    case 'gitlab':
      return { inSite: { _redirects: writeRedirectsFile(host, redirects) }, besideSite: {} };
    case 'vercel':
      return { inSite: { 'vercel.json': writeVercelFile(rules, redirects) }, besideSite: {} };
    case 'azure':
      return { inSite: { 'staticwebapp.config.json': writeAzureFile(rules, redirects) }, besideSite: {} };
    case 'nginx':
      return { inSite: {}, besideSite: writeNginxFiles(rules, redirects, places) };
    case 'caddy':
      return { inSite: {}, besideSite: writeCaddyFiles(rules, redirects, places) };
    case 'none':
      return { inSite: {}, besideSite: {} };
  }
}
