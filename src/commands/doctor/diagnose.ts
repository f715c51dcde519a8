import { existsSync } from 'node:fs';
import { statfs, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { addressesToConnect, createTransport, type Transport } from '#client/create-transport.ts';
import {
  describeAmbiguous,
  detectPublishing,
  findNamespace,
  unusedNamespaces,
  type PublishingSite,
} from '#client/detect-publishing.ts';
import type { Settings, Upstreams, PublishingUpstream } from '#config/index.ts';
import { isSortimentError } from '#contracts/index.ts';
import { listKindRoutes, SYNCED_KINDS } from '#contracts/synced/index.ts';
import { BUILD_FILE } from '#build/shard.ts';
import { hasStore } from '#build/upstreams/demo-start.ts';
import { openUpstreams } from '#build/upstreams/ensure-snapshot.ts';
import { importOrigin } from '#build/upstreams/embedded-origin.ts';
import { languageCodes } from '#catalogue/read-model/with-snapshot.ts';
import { PACKAGE_FOLDER } from '#files/package-folder.ts';
import { openSnapshot, readDigest, type Snapshot } from '#snapshot/index.ts';
import { listHooks } from '#sync/hooks/list-outbox.ts';
import { plainText } from '#sync/publishing/sanitise-html.ts';
import { describeUnused } from '#sync/report/format-report.ts';
import {
  ARTICLE_HEAD_ADVICE,
  checkArticleHeads,
  type ArticleHeadProblem,
  formatHiddenCount,
  findHiddenLanguages,
  checkProductHeads,
} from '../checks/check-article-heads.ts';
import { readBuildFile } from '../build/build-file.ts';
import { checkSecurityContact, findUntranslatedLanguages } from '../checks/build-warnings.ts';
import { findDeadLinks } from '../checks/inspect-site.ts';
import {
  checkAssortment,
  checkCompleteness,
  checkProductInterface,
  SAMPLE_CHECK,
  checkProfile,
} from './check-upstreams.ts';
import { toFailure, ok, skip, type Finding, warn, fail } from './finding.ts';

const DAY_MS = 86_400_000;
const OLD_AFTER_DAYS = 7;

/** Checks the snapshot, and pages as a build will show them. */
function checkSnapshot(settings: Settings, upstreams: Upstreams): Finding[] {
  let opened: Snapshot;
  try {
    opened = openSnapshot(settings.snapshotPath, { readOnly: true });
  } catch (error) {
    if (!isSortimentError(error)) throw error;
    const isMissing = error.code === 'SNAPSHOT_MISSING' && !settings.offline;
    return [
      isMissing
        ? warn('Snapshot', 'there is none yet', 'Run `npm run sync`, or `npm start`.')
        : toFailure('Snapshot', error),
      skip(TEXTS, 'there is no snapshot to read the languages from'),
    ];
  }
  using snapshot = opened;
  return [
    checkAge(snapshot, new Date()),
    checkHosts(snapshot, settings, upstreams),
    checkTexts(settings, snapshot),
    ...checkLinks(settings, snapshot),
    ...checkHeads(settings, snapshot),
    ...checkVisibility(settings, snapshot),
    ...checkArticles(settings, snapshot),
  ];
}

function checkAge(snapshot: Snapshot, now: Date): Finding {
  const [last] = snapshot.runs(1);
  const finished = last?.finishedAt ?? snapshot.takenAt();
  if (finished === undefined) return skip('Snapshot', 'was never finished');
  const days = (now.getTime() - Date.parse(finished)) / DAY_MS;
  const message = `last compared with the upstreams ${formatAge(days)}`;
  return days > OLD_AFTER_DAYS ? warn('Snapshot', message, 'Run `npm run sync`.') : ok('Snapshot', message);
}

function formatAge(days: number): string {
  const minutes = Math.round(days * 24 * 60);
  if (minutes < 90) return `${minutes} min ago`;
  return days < 2 ? `${Math.round(days * 24)} h ago` : `${Math.round(days)} days ago`;
}

function checkHosts(snapshot: Snapshot, { options }: Settings, { product, publishing }: Upstreams): Finding {
  const upstreamHosts = [product?.root, publishing?.siteUrl].flatMap((url) =>
    url === undefined ? [] : new URL(url).host,
  );
  const allowed = new Set([...upstreamHosts, ...options.mediaHosts]);
  const disallowed = new Map<string, number>();
  for (const { url, digest } of snapshot.assets()) {
    const host = URL.canParse(url) ? new URL(url).host : url;
    if (!allowed.has(host) && digest === undefined) disallowed.set(host, (disallowed.get(host) ?? 0) + 1);
  }
  if (disallowed.size === 0) return ok('Media hosts', [...allowed].join(', ') || 'none are needed');
  const list = [...disallowed].map(([host, count]) => `${host} (${count} files)`).join(', ');
  const hint = `If they are to be fetched, add them to \`mediaHosts\` in src/sortiment.config.ts.`;
  return warn('Media hosts', `not allowed: ${list}`, hint);
}

const TEXTS = 'Texts of the site';

const packageFile = z.object({ engines: z.object({ node: z.string().regex(/^>=\d+\.\d+$/) }) });

const GIGABYTE = 1024 ** 3;

const WARN_BELOW_BYTES = 2 * GIGABYTE;

const FAIL_BELOW_BYTES = 0.25 * GIGABYTE;

const MAX_LISTED = 10;

/** Short, because the user is waiting. */
const TIMEOUT_MS = 10_000;

/**
 * Checks everything that a sync and a build need.
 *
 * @param load Resolves the settings; its errors become findings as well.
 */
export async function diagnose(load: () => Promise<Settings>): Promise<Finding[]> {
  const findings = [await checkNode(PACKAGE_FOLDER)];
  let settings: Settings;
  try {
    settings = await load();
  } catch (error) {
    return [...findings, toFailure('Configuration', error)];
  }
  findings.push(ok('Configuration', `${settings.options.site.name}, ${settings.siteUrl}`));
  const { finding, gtins } = await checkAssortment(settings);
  findings.push(finding);
  const { upstreams, checks } = await checkUpstreams(settings, gtins);
  return [
    ...findings,
    ...checks,
    ...checkSnapshot(settings, upstreams),
    checkDist(settings),
    checkCompleteness(settings),
    checkSecurity(settings),
    ...checkHooks(settings),
    await checkDisk(settings),
  ];
}

async function checkUpstreams(
  settings: Settings,
  gtins: readonly string[],
): Promise<{ upstreams: Upstreams; checks: Finding[] }> {
  if (settings.offline) return { upstreams: {}, checks: [skip('Upstreams', 'SORTIMENT_OFFLINE is set')] };
  try {
    // Starting the origin would write its store.
    const isEmbedded = settings.upstreams === 'embedded';
    if (isEmbedded && (await (await importOrigin()).findRunningOrigin(settings.originFolder)) === undefined) {
      const message = hasStore(settings)
        ? 'the embedded origin is not running; see it checked while `npm start` or `npm run origin` runs'
        : 'the embedded origin, which the first `npm start` sets up';
      return { upstreams: {}, checks: [skip('Upstreams', message)] };
    }
    const opened = await openUpstreams(settings, () => undefined);
    const { product, publishing } = opened.upstreams;
    const transport = createTransport({
      timeoutMs: Math.min(TIMEOUT_MS, settings.options.sync.timeoutMs),
      retries: 0,
      connectTo: addressesToConnect(opened.upstreams),
    });
    try {
      const interfaceChecks = await checkProductInterface(product, { transport, options: settings.options, gtins });
      // The behaviour of the embedded origin is known.
      const isForeign = product && !isEmbedded;
      const sample = interfaceChecks.some(({ check, status }) => check === SAMPLE_CHECK && status === 'ok') && gtins[0];
      const profileChecks =
        isForeign && sample ? await checkProfile(product, { transport, gtin: sample, assortment: gtins }) : [];
      const checks = [...interfaceChecks, ...profileChecks, ...(await checkPublishing(publishing, transport))];
      return { upstreams: opened.upstreams, checks };
    } finally {
      await transport.close();
      await opened.close();
    }
  } catch (error) {
    return { upstreams: {}, checks: [toFailure('Upstreams', error)] };
  }
}

function checkSecurity(settings: Pick<Settings, 'options'>, now: Date = new Date()): Finding {
  const { security } = settings.options;
  if (!security) return skip('Security contact', 'none is named: `security` in src/sortiment.config.ts');
  const problem = checkSecurityContact(settings, now);
  if (problem === undefined) return ok('Security contact', `named until ${security.expires}`);
  return warn('Security contact', problem, 'Set a later `security.expires` when the contact is still right.');
}

function checkHooks(settings: Settings): Finding[] {
  const hooks = listHooks(settings);
  const broken = hooks.filter(({ problem }) => problem !== undefined);
  if (broken.length > 0) {
    const lines = broken.map(({ name, problem }) => `"${name}" is never called: ${problem}`);
    return [warn('Hooks', lines.join('\n'), 'Set the variables in .env or in the shell; .env.example explains them.')];
  }
  return hooks.length > 0 ? [ok('Hooks', hooks.map(({ name, type }) => `${name} (${type})`).join(', '))] : [];
}

/** Checks the free space for the snapshot, fetched files, derived images and the site. */
async function checkDisk({ home, root }: Pick<Settings, 'home' | 'root'>): Promise<Finding> {
  const { bavail, bsize } = await statfs(existsSync(home) ? home : root);
  const free = bavail * bsize;
  const message = `${(free / GIGABYTE).toFixed(1)} GB free`;
  const hint = `Make room on the disk of ${root}, or move the working files with SORTIMENT_HOME.`;
  if (free < FAIL_BELOW_BYTES) return fail('Disk', message, hint);
  return free < WARN_BELOW_BYTES ? warn('Disk', message, hint) : ok('Disk', message);
}

export async function checkNode(root: string, version: string = process.versions.node): Promise<Finding> {
  const text = await readFile(path.join(root, 'package.json'), 'utf8');
  const required = packageFile.parse(JSON.parse(text)).engines.node.slice(2);
  return version.localeCompare(required, 'en', { numeric: true }) >= 0
    ? ok('Node', version)
    : fail(
        'Node',
        `${version}, but ${required} or newer is needed`,
        `Install Node ${required} or newer; \`npm run\` brings its own.`,
      );
}

function checkDist({ distFolder, snapshotPath }: Pick<Settings, 'distFolder' | 'snapshotPath'>): Finding {
  const hint = 'Run `npm run build`.';
  const file = path.join(distFolder, BUILD_FILE);
  if (!existsSync(file)) return warn('Built site', `there is none in ${distFolder}`, hint);
  const build = readBuildFile(distFolder);
  if (!build) return warn('Built site', `${file} can't be read`, hint);
  const { digest, pages } = build;
  const current = readDigest(snapshotPath);
  if (current !== undefined && current !== digest) {
    return warn('Built site', `${pages} pages, built from an older snapshot`, hint);
  }
  return ok('Built site', `${pages} pages, built from the current snapshot`);
}

/** Checks that the publishing site responds, and which of its namespaces are read. */
async function checkPublishing(upstream: PublishingUpstream | undefined, transport: Transport): Promise<Finding[]> {
  if (!upstream) return [skip('Publishing site', 'none is configured')];
  try {
    const site = await detectPublishing(upstream, transport);
    return [
      ok('Publishing site', `"${plainText(site.name)}" answers at ${site.root}`),
      checkNamespaces(site, upstream),
    ];
  } catch (error) {
    const isConfigured = isSortimentError(error) && error.code === 'ENVIRONMENT_INVALID';
    return [toFailure(isConfigured ? 'Namespaces' : 'Publishing site', error)];
  }
}

function checkNamespaces(site: PublishingSite, { connectTo }: PublishingUpstream): Finding {
  const routes = SYNCED_KINDS.flatMap(listKindRoutes);
  const read = new Set(routes.map((route) => findNamespace(site, route)));
  const names = Object.entries(site.namespaces)
    .filter(([, wire]) => read.values().some((name) => name === wire || name?.startsWith(`${wire}/`)))
    .map(([neutral, wire]) => `${neutral} = ${wire}`);
  const lines = [
    names.length > 0 ? names.join(', ') : 'go by their neutral names',
    // Unused namespaces of the embedded origin are expected.
    describeUnused({ unused: connectTo === undefined ? unusedNamespaces(site, routes) : [] }),
  ].filter(Boolean);
  const [ambiguous] = site.ambiguous;
  if (!ambiguous) return ok('Namespaces', lines.join('\n'));
  const problems = site.ambiguous.map((namespace) => `the site ${describeAmbiguous(namespace).problem}`);
  return warn('Namespaces', [...problems, ...lines].join('\n'), describeAmbiguous(ambiguous).advice);
}

function checkLinks({ root, options }: Settings, snapshot: Snapshot): Finding[] {
  const { links, pages } = findDeadLinks(root, snapshot, languageCodes(snapshot, options));
  const list = [
    ...pages.map((page) => `${page} links only to families and products that are not in the catalogue`),
    ...links.map(({ place, link, target }) => `${place} links to ${link}, a ${target} that is not in the catalogue`),
  ];
  if (list.length === 0) return [];
  const hint =
    'Correct the links, or put what they lead to back into the assortment. Delete pages that are left from the demo.';
  return [warn('Links', list.join('\n'), hint)];
}

function checkHeads(settings: Settings, snapshot: Snapshot): Finding[] {
  const { pages, undescribed, sameTitles, overlong, badScores } = checkProductHeads(settings, snapshot);
  const overlay = 'in content/products/<language>/<GTIN>.mdx';
  const found = [
    ...listed(
      'Product descriptions',
      'no text for a description',
      undescribed,
      `Write an \`intro\` at the source, or \`seo: { description: … }\` ${overlay}.`,
    ),
    ...listed(
      'Product titles',
      'have the same title',
      sameTitles,
      `Use different names at the source, by \`seo: { title: … }\` ${overlay}, or with \`%%sku%%\` in \`seo.templates.product.title\` of src/sortiment.config.ts.`,
    ),
    ...listed(
      'Product texts',
      'longer than search results show',
      overlong,
      `Shorten them at the source or in \`seo.templates.product\` of src/sortiment.config.ts, or write shorter ones under \`seo\` ${overlay}.`,
    ),
    ...listed(
      'Product scores',
      'not good enough for their keyphrases',
      badScores,
      `Follow the advice, or choose another \`seo: { keyphrase: … }\`.`,
    ),
  ];
  return found.length > 0 ? found : [ok('Product heads', `${pages} pages, each with a unique title and a description`)];
}

/** Checks for a setting of the publishing site that hides its pages from search engines. */
function checkVisibility(settings: Settings, snapshot: Snapshot): Finding[] {
  return findHiddenLanguages(settings, snapshot).map((found) =>
    warn('Search engines', `${found.language}: ${formatHiddenCount(found)} ${found.problem}`, found.advice),
  );
}

/** Checks posts, pages and episodes in search results and shared links; returns nothing without such pages. */
function checkArticles(settings: Settings, snapshot: Snapshot): Finding[] {
  const { pages, found } = checkArticleHeads(settings, snapshot);
  if (pages === 0) return [];
  const findings = Object.entries(found).flatMap(([name, places]) => {
    const { check, problem, advice } = ARTICLE_HEAD_ADVICE[name as ArticleHeadProblem];
    const lines = places.map(({ path: place, detail }) => `${place}: ${detail}`);
    return listed(check, problem, lines, advice);
  });
  return findings.length > 0 ? findings : [ok('Page heads', `${pages} posts, pages and episodes, nothing to improve`)];
}

function listed(check: string, problem: string, places: readonly string[], hint: string): Finding[] {
  if (places.length === 0) return [];
  const more = places.length > MAX_LISTED ? [`and ${places.length - MAX_LISTED} more`] : [];
  return [warn(check, [`${places.length}: ${problem}`, ...places.slice(0, MAX_LISTED), ...more].join('\n'), hint)];
}

function checkTexts({ root, options }: Settings, snapshot: Snapshot): Finding {
  const codes = languageCodes(snapshot, options);
  const untranslated = findUntranslatedLanguages(root, codes);
  if (untranslated.length === 0) return ok(TEXTS, codes.join(', '));
  const names = untranslated
    .map(({ code, missing }) => (missing === undefined ? code : `${code} (${missing} texts)`))
    .join(', ');
  const files = untranslated.map(({ file }) => file).join(', ');
  const advice = `Translate them in ${files}; \`npm run strings -- add <language>\` writes a file.`;
  return warn(TEXTS, `pages in ${names} use the texts of ${options.mainLanguage}`, advice);
}
