import path from 'node:path';
import type { Settings } from '#config/index.ts';
import type { Redirect } from '../redirects/index.ts';
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
  /** Links to folders, by name, beside those. */
  links?: Record<string, string>;
}

/** Holds the site in the folder that its address names. */
const ROOT_NAME = 'root';

/** Where files for the owner's server are put. */
export function hostsFolder({ home }: Pick<Settings, 'home'>): string {
  return path.join(home, 'hosts');
}

/**
 * What the chosen host has to be told: headers of the files, and pages that have moved.
 * @throws SortimentError HOST_LIMIT when the host would take only a part of it.
 */
export function hostFiles(
  settings: Pick<Settings, 'home' | 'distFolder' | 'siteUrl' | 'base' | 'options'>,
  redirects: readonly Redirect[],
): HostFiles {
  const { siteUrl, distFolder } = settings;
  const { host } = settings.options;
  const rules = headerRules(siteUrl);
  const folder = hostsFolder(settings);
  const { base } = settings;
  // In a folder of its host, the site is a folder of what the server serves.
  const root = path.join(folder, ROOT_NAME);
  const places = { siteUrl, rootFolder: base === '/' ? distFolder : root, hostsFolder: folder };
  const links = base === '/' ? {} : { [path.join(ROOT_NAME, base.slice(1, -1))]: distFolder };
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
      return { inSite: {}, besideSite: writeNginxFiles(rules, redirects, places), links };
    case 'caddy':
      return { inSite: {}, besideSite: writeCaddyFiles(rules, redirects, places), links };
    case 'none':
      return { inSite: {}, besideSite: {} };
  }
}
