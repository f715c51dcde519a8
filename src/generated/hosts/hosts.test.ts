import { describe, expect, it } from 'vitest';
import { HOSTS, type Host } from '#config/index.ts';
import { isSortimentError } from '#contracts/index.ts';
import type { Redirect } from '../redirects/redirects.ts';
import { resolveTestSettings } from './testing/test-settings.ts';
import { headerRules, matchHeaders } from './header-rules.ts';
import { hostFiles } from './hosts.ts';

const moved: Redirect[] = [{ from: '/de-de/p/alt-9524010000016/', to: '/de-de/p/neu-9524010000016/' }];
const many = (count: number): Redirect[] =>
  Array.from({ length: count }, (_, i) => ({ from: `/de-de/p/alt-${i}/`, to: `/de-de/p/neu-${i}/` }));
const filesFor = (host: Host, redirects: readonly Redirect[] = moved) =>
  hostFiles(resolveTestSettings({ host }), redirects, ['de-de', 'fr-fr']);
const inSite = (host: Host, file: string) => filesFor(host).inSite[file] ?? '';
const beside = (host: Host, file: string) => filesFor(host).besideSite[file] ?? '';

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isSortimentError(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'none';
}

describe('the headers of the site', () => {
  const rules = headerRules('https://katalog.example');
  const ancestorsOf = (pathname: string) => matchHeaders(rules, pathname)['Content-Security-Policy'];
  const cacheOf = (pathname: string) => matchHeaders(rules, pathname)['Cache-Control'];

  it('keep what never changes, and ask again for everything else', () => {
    for (const hashed of ['/_astro/a.x1.css', '/_images/0123456789abcdef-640.avif', '/documents/1a2b3c4d-a.pdf'])
      expect(cacheOf(hashed)).toBe('public, max-age=31536000, immutable');
    for (const other of ['/', '/de-de/', '/changes.json', '/_astronomy/'])
      expect(cacheOf(other)).toBe('public, max-age=0, must-revalidate');
  });

  it('protect every page, and promise TLS only where there is TLS', () => {
    expect(matchHeaders(rules, '/de-de/p/x/')).toMatchObject({
      'Content-Security-Policy': "frame-ancestors 'none'",
      'Referrer-Policy': 'strict-origin-when-cross-origin',
      'Strict-Transport-Security': 'max-age=31536000',
      'X-Content-Type-Options': 'nosniff',
    });
    expect(matchHeaders(headerRules('http://localhost:4321'), '/')).not.toHaveProperty('Strict-Transport-Security');
  });

  it('let other sites frame the player of an episode, and no other page', () => {
    expect(ancestorsOf('/de-de/podcast/minus-fuenf-grad/embed/')).toBe('frame-ancestors *');
    for (const other of [
      '/de-de/podcast/minus-fuenf-grad/',
      '/de-de/journal/embed/',
      '/de-de/podcast/embed/',
      '/embed/',
    ])
      expect(ancestorsOf(other)).toBe("frame-ancestors 'none'");
  });

  it('let scripts of other sites read data, and no page', () => {
    expect(matchHeaders(rules, '/changes.json')['Access-Control-Allow-Origin']).toBe('*');
    expect(matchHeaders(rules, '/de-de/')).not.toHaveProperty('Access-Control-Allow-Origin');
  });

  it('name the types that endings do not tell', () => {
    expect(matchHeaders(rules, '/01/09524010000016/linkset.json')['Content-Type']).toBe('application/linkset+json');
    expect(matchHeaders(rules, '/de-de/podcast/x/transcript.vtt')).toMatchObject({
      'Access-Control-Allow-Origin': '*',
      'Content-Type': 'text/vtt; charset=utf-8',
    });
    expect(matchHeaders(rules, '/documents/1a2b3c4d-x.opus')).toMatchObject({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Type': 'audio/ogg',
    });
    expect(matchHeaders(rules, '/de-de/p/x/index.html.md')).toMatchObject({
      'Content-Type': 'text/markdown; charset=utf-8',
      'X-Robots-Tag': 'noindex',
    });
  });
});

describe('the files for a host', () => {
  it.each(HOSTS)('%s: are the same each time', (host) => {
    expect(filesFor(host)).toEqual(filesFor(host));
  });

  it.each(['cloudflare', 'netlify'] as const)(
    '%s: give no header twice for one path, as values would be joined',
    (host) => {
      const blocks = inSite(host, '_headers')
        .split('\n\n')
        .map((block) => block.trim().split('\n'));
      const everywhere = blocks.find(([path]) => path === '/*') ?? [];
      const names = everywhere.slice(1).map((line) => line.trim().split(':')[0]);
      expect(names).toContain('Content-Security-Policy');
      expect(names).not.toContain('Cache-Control');
      for (const [path, ...lines] of blocks) {
        if (path === '/*' || path?.endsWith('/embed/')) continue;
        for (const line of lines) expect(names).not.toContain(line.trim().split(':')[0]);
      }
      expect(blocks.find(([path]) => path === '/_astro/*')?.[1]).toBe(
        '  Cache-Control: public, max-age=31536000, immutable',
      );
    },
  );

  it('allow the player to be framed, each in its own syntax', () => {
    const place = '/:language/podcast/:slug/embed/\n';
    expect(inSite('netlify', '_headers')).toContain(`${place}  Content-Security-Policy: frame-ancestors *\n`);
    expect(inSite('cloudflare', '_headers')).toContain(
      `${place}  ! Content-Security-Policy\n  Content-Security-Policy: frame-ancestors *\n`,
    );
    expect(inSite('vercel', 'vercel.json')).toContain('"source": "/:language/podcast/:slug/embed/"');
    expect(beside('caddy', 'Caddyfile')).toMatch(
      /(@\w+) path_regexp \^\/\[\^\/\]\+\/podcast.*\n\s+header \1 Content-Sec/,
    );
    const [, map = ''] =
      /map \$uri \$sortiment_content_security_policy \{\n([^}]*)\}/.exec(beside('nginx', 'nginx.conf')) ?? [];
    const [, pattern = ''] = /"~(\S+)" "frame-ancestors \*";/.exec(map) ?? [];
    expect('/de-de/podcast/a-b/embed/').toMatch(new RegExp(pattern));
    expect('/de-de/journal/embed/').not.toMatch(new RegExp(pattern));
  });

  it.each(['cloudflare', 'netlify', 'gitlab'] as const)('%s: lead on what has moved, percent-encoded', (host) => {
    const { inSite: files } = filesFor(host, [...moved, { from: '/de-de/über uns/', to: '/de-de/firma/' }]);
    expect(files['_redirects']).toContain('/de-de/p/alt-9524010000016/ /de-de/p/neu-9524010000016/ 301\n');
    expect(files['_redirects']).toContain('/de-de/%C3%BCber%20uns/ /de-de/firma/ 301\n');
  });

  it('vercel: patterns stand for themselves', () => {
    const file = JSON.parse(
      filesFor('vercel', [{ from: '/de-de/a(b):c/', to: '/de-de/x/' }]).inSite['vercel.json'] ?? '',
    ) as { redirects: unknown[]; headers: { source: string }[] };
    expect(file.redirects).toContainEqual({
      source: String.raw`/de-de/a\(b\)\:c/`,
      destination: '/de-de/x/',
      statusCode: 301,
    });
    expect(file.headers.map(({ source }) => source)).toContain(String.raw`/(.*)\.json`);
  });

  it('show missing pages in the language of the path where the host can', () => {
    expect(inSite('netlify', '_redirects')).toContain('/fr-fr/* /fr-fr/404/ 404\n');
    const [, pattern = ''] = /"~(\S+)" "\/\$missing\/404\/index.html";/.exec(beside('nginx', 'nginx.conf')) ?? [];
    const [, caddy = ''] = /@language path_regexp language (\S+)/.exec(beside('caddy', 'Caddyfile')) ?? [];
    for (const of of [pattern, caddy]) {
      expect('/fr-fr/p/rien/').toMatch(new RegExp(of));
      expect('/it-it/p/').not.toMatch(new RegExp(of));
    }
  });

  it.each(['cloudflare', 'netlify'] as const)('%s: lead links with a lot or serial number to the GTIN', (host) => {
    for (const key of ['10', '21', '22', '235'])
      expect(inSite(host, '_redirects')).toContain(`/01/:gtin/${key}/* /01/:gtin/ 302\n`);
  });

  it('lead links with a lot or serial number to the GTIN by patterns, and no other links', () => {
    const vercel = JSON.parse(inSite('vercel', 'vercel.json')) as { redirects: { source: string }[] };
    const patterns = [
      vercel.redirects[0]?.source.replace(/^(.*):gtin\(/, '^$1('),
      /@qualified path_regexp qualified (\S+)/.exec(beside('caddy', 'Caddyfile'))?.[1],
      /location ~ "([^"]*qualified[^"]*)"/.exec(beside('nginx', 'nginx.conf'))?.[1],
    ];
    for (const pattern of patterns) {
      const leads = (pathname: string) => new RegExp(pattern ?? 'none').test(pathname);
      for (const rest of ['10/ABC', '21/1', '22/A/10/B', '235/x'])
        expect(leads(`/01/09524010000016/${rest}`)).toBe(true);
      for (const other of ['', 'linkset.json', '17/261231']) expect(leads(`/01/09524010000016/${other}`)).toBe(false);
    }
  });

  it('azure: names no pattern that it does not know', () => {
    const file = JSON.parse(inSite('azure', 'staticwebapp.config.json')) as { routes: { route: string }[] };
    const routes = file.routes.map(({ route }) => route);
    expect(routes[0]).toBe('/de-de/p/alt-9524010000016/');
    expect(routes.slice(1).filter((route) => !/^\/[^*]*\*(\.\{\w+\})?$/.test(route))).toEqual([]);
  });

  it('nginx and caddy: lie beside the site, not in it', () => {
    for (const host of ['nginx', 'caddy'] as const) expect(filesFor(host).inSite).toEqual({});
    expect(beside('nginx', 'nginx-redirects.conf')).toBe(
      '"/de-de/p/alt-9524010000016/" "/de-de/p/neu-9524010000016/";\n',
    );
    expect(beside('caddy', 'redirects.caddy')).toBe('"/de-de/p/alt-9524010000016/" "/de-de/p/neu-9524010000016/"\n');
  });

  it('nginx: has the braces in balance, and gives each header once', () => {
    const text = beside('nginx', 'nginx.conf').replaceAll(/"[^"]*"/g, '""');
    expect(text.split('{').length).toBe(text.split('}').length);
    const names = [...text.matchAll(/add_header (\S+)/g)].map(([, name]) => name);
    expect(names).toEqual([...new Set(names)]);
    expect(text).not.toContain('undefined');
  });

  it('nginx: chooses the header as the local server does', () => {
    const [, map = ''] = /map \$uri \$sortiment_cache_control \{\n([^}]*)\}/.exec(beside('nginx', 'nginx.conf')) ?? [];
    const lines = [...map.matchAll(/^ {2}(?:"~([^"]+)"|default) "([^"]+)";$/gm)];
    const choose = (pathname: string) =>
      (lines.find(([, pattern]) => pattern !== undefined && new RegExp(pattern).test(pathname)) ??
        lines.find(([, pattern]) => pattern === undefined))?.[2];
    const rules = headerRules('https://katalog.example');
    for (const pathname of ['/', '/_astro/x.js', '/_images/a.avif', '/changes.json', '/documents/a.pdf'])
      expect(choose(pathname)).toBe(matchHeaders(rules, pathname)['Cache-Control']);
  });
});

describe('a host that takes less than there is', () => {
  it.each([
    ['cloudflare', 2000],
    ['gitlab', 1000],
    ['vercel', 2048],
  ] as const)('%s: takes %i redirects, and the build says so when there are more', (host, most) => {
    expect(refusal(() => filesFor(host, many(most)))).toBe('none');
    expect(refusal(() => filesFor(host, many(most + 1)))).toMatch(
      new RegExp(
        `^HOST_LIMIT: The site exceeds a limit of the host "${host}": ${most + 1} redirects \\(maximum ${most}\\)`,
      ),
    );
  });

  it('azure: takes 20 KB', () => {
    expect(refusal(() => filesFor('azure', many(50)))).toBe('none');
    expect(refusal(() => filesFor('azure', many(500)))).toMatch(/^HOST_LIMIT: .* bytes of rules .*maximum 20480/);
  });

  it('cloudflare: takes 1000 characters for a redirect', () => {
    const long = [{ from: `/${'a'.repeat(995)}/`, to: '/b/' }];
    expect(refusal(() => filesFor('cloudflare', long))).toMatch(/a redirect has 1005 characters \(maximum 1000\)/);
  });
});
