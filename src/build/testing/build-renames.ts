import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { setBasePath, sitePath, stripBasePath } from '#catalogue/addresses/site-paths.ts';
import { resolveSettings } from '#config/index.ts';
import { redirectsFile } from '#generated/hosts/hosts.ts';
import { startSiteServer } from '#build/serve/start-site-server.ts';
import options from '#sortiment.config.ts';
import { createSeededRandom } from './test-catalogue.ts';

/**
 * Renames records at random between builds. After each build, requests every URL that ever existed, from
 * a server with redirects and from one with files only. Writes the URLs that are not found. Arguments: seed of the
 * changes, number of builds, number of changes before each.
 */
const [seed = 0, builds = 1, edits = 1] = process.argv.slice(2).map(Number);
const random = createSeededRandom(seed);
const settings = resolveSettings(process.cwd(), options);
const MOVED = /<meta http-equiv="refresh" content="0; url=([^"]+)"/;
const NAMES = ['alpha', 'beta', 'gamma'];

const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];

function rename(database: DatabaseSync): void {
  const now = new Date(1.8e12 + random() * 1e9).toISOString();
  const change = (table: 'products' | 'records', condition: string, field: string, value: string): void => {
    const row = pick(database.prepare(`SELECT rowid FROM ${table} WHERE ${condition}`).all());
    database
      .prepare(
        `UPDATE ${table} SET record = json_set(record, '$.' || ?, ?), digest = ?, changed_at = ? WHERE rowid = ?`,
      )
      .run(field, value, `${random()}`, now, row?.['rowid'] ?? null);
  };
  const steps = [
    // Few names for few products, so that names are taken over, swapped and restored.
    () => change('products', 'position < 3', 'name', pick(NAMES) ?? ''),
    () => change('products', 'position < 3', 'name', pick(NAMES) ?? ''),
    () => change('records', `kind = 'post' AND id < '104'`, 'slug', `post-${Math.floor(random() * 6)}`),
    () => change('records', `kind = 'episode' AND id < '204'`, 'slug', `renamed-${Math.floor(random() * 1e6)}`),
    () => change('records', `kind = 'page'`, 'slug', pick(NAMES) ?? ''),
    () => change('records', `kind = 'category'`, 'slug', pick(NAMES) ?? ''),
    () => database.exec(`DELETE FROM records WHERE kind = 'post' AND id = '${104 + Math.floor(random() * 4)}'`),
    () => database.exec(`UPDATE products SET family = '${pick(['membranes', 'tapes'])}' WHERE position < 9`),
    // Changes number ranges, and the lists that depend on them.
    () =>
      database.exec(`UPDATE products SET record = json_set(record, '$.width', ${random().toFixed(2)}),
        digest = '${random()}', changed_at = '${now}' WHERE position % 4 = ${Math.floor(random() * 4)}`),
  ];
  pick(steps)?.();
}

function readBase(): string {
  const { base = '/' } = JSON.parse(readFileSync(path.join(settings.distFolder, 'build.json'), 'utf8')) as {
    base?: string;
  };
  return base;
}

function pagesNow(): string[] {
  const files = readdirSync(settings.distFolder, { recursive: true, encoding: 'utf8' });
  const pages = files.filter((file) => file.endsWith('/index.html') && !file.startsWith('.'));
  return pages
    .filter((file) => !MOVED.test(readFileSync(path.join(settings.distFolder, file), 'utf8').slice(0, 2000)))
    .map((file) => `/${file.slice(0, -'index.html'.length)}`);
}

/** Returns the target of a path, after at most one redirect. */
async function resolveRedirect(url: string, pathname: string): Promise<string> {
  const request = async (address: string): Promise<{ status: number; to: string | undefined }> => {
    const response = await fetch(url + encodeURI(sitePath(address)), { redirect: 'manual' });
    const to = response.headers.get('location') ?? MOVED.exec(await response.text())?.[1];
    return { status: response.status, to: to && stripBasePath(decodeURI(new URL(to, url).pathname)) };
  };
  const first = await request(pathname);
  if (first.to === undefined) return `${first.status} ${pathname}`;
  const second = await request(first.to);
  return second.to === undefined ? `${second.status} ${first.to}` : `goes on to ${second.to}`;
}

const seenPaths = new Set<string>();
const lost: string[] = [];
const folder = { distFolder: settings.distFolder, host: '127.0.0.1', port: 0 };
const servers = [
  await startSiteServer({ ...folder, redirectsFile: redirectsFile(settings) }),
  await startSiteServer(folder),
];
for (let build = 0; build <= builds; build++) {
  const database = new DatabaseSync(settings.snapshotPath);
  if (build > 0) for (let edit = 0; edit < edits; edit++) rename(database);
  const posts = new Set(
    database
      .prepare(`SELECT record ->> '$.slug' AS slug FROM records WHERE kind = 'post'`)
      .all()
      .map(({ slug }) => String(slug)),
  );
  const isGonePost = (pathname: string) =>
    /^\/[^/]+\/journal\/[^/]+\/$/.test(pathname) && ![...posts].some((slug) => pathname.endsWith(`/${slug}/`));
  database.prepare(`UPDATE meta SET value = ? WHERE key = 'digest'`).run(`${build} ${random()}`);
  database.close();
  await promisify(execFile)(process.execPath, ['scripts/build.ts', '--json']);
  setBasePath(readBase());
  const present = new Set(pagesNow());
  for (const pathname of present) seenPaths.add(pathname);
  for (const pathname of [...seenPaths].filter((old) => !present.has(old)))
    for (const { url } of servers) {
      const found = await resolveRedirect(url, pathname);
      const gtin = /\d{13}(?=\/$)/.exec(pathname)?.[0] ?? '';
      if (!(found.startsWith('200 ') && found.includes(gtin)) && !isGonePost(pathname))
        lost.push(`build ${build}: ${pathname} is ${found}`);
    }
}
await Promise.all(servers.map((server) => server.close()));
process.stdout.write(`${JSON.stringify({ lost, asked: seenPaths.size, moved: seenPaths.size - pagesNow().length })}\n`);
