import { siteBase } from '#catalogue/addresses/base.ts';
import { DIGITAL_LINK_QUALIFIERS } from '#catalogue/addresses/paths.ts';
import { encodeTarget, type Redirect } from '../redirects/index.ts';
import { isAboutAll, type HeaderRule } from './header-rules.ts';
import { patternExpression } from './headers-for.ts';

export interface ServerPlaces {
  siteUrl: string;
  /** What the host's address stands for: the site, or where it lies in a folder, what holds that folder. */
  rootFolder: string;
  /** Where these files lie. */
  hostsFolder: string;
}

/** For nginx: `nginx.conf`, which belongs into its `http` block, and the redirects, which it includes. */
export function writeNginxFiles(
  rules: readonly HeaderRule[],
  redirects: readonly Redirect[],
  { siteUrl, rootFolder, hostsFolder }: ServerPlaces,
): Record<string, string> {
  const base = siteBase();
  // Another one for the type would be a second one of this name.
  const names = [...new Set(rules.flatMap(({ headers }) => Object.keys(headers)))].filter(
    (name) => name !== 'Content-Type',
  );
  const main = `${names.map((name) => headerMap(name, rules)).join('')}
# Who asks for all links of a product: GS1 Digital Link.
map $arg_linkType $sortiment_link_type { default 0; linkset 1; all 1; }
map $http_accept $sortiment_accept { default 0; "~application/linkset\\+json" 1; }
map "$sortiment_link_type$sortiment_accept" $sortiment_linkset { default 1; "00" 0; }
map $uri $sortiment_vary { default ""; "~^${literal(base)}01/" "Accept"; }

# Pages that have moved.
map_hash_bucket_size 512;
map_hash_max_size 65536;
map $uri $sortiment_moved {
  default "";
  include ${quote(`${hostsFolder}/nginx-redirects.conf`)};
}

server {
  listen 80;
  server_name ${new URL(siteUrl).hostname};
  root ${quote(rootFolder)};
  index index.html;
  absolute_redirect off;
  error_page 404 ${base}404.html;
  charset utf-8;
  charset_types text/css text/csv text/javascript text/plain text/xml application/json application/xml image/svg+xml;
  gzip_static on;
  gzip_vary on;
  # With the module for Brotli: brotli_static on;

${names.map((name) => `  add_header ${name} ${variableOf(name)} always;\n`).join('')}  add_header Vary $sortiment_vary;

  if ($sortiment_moved != "") { return 301 $sortiment_moved$is_args$args; }

  location ~ "^${literal(base)}01/(?<gtin>\\d{14})/$" {
    if ($sortiment_linkset) { rewrite ^ ${base}01/$gtin/linkset.json last; }
  }
  # With a variant, lot or serial number: walk up to the GTIN.
  location ~ "^${literal(base)}01/(?<qualified>\\d{14})/(?:${DIGITAL_LINK_QUALIFIERS.join('|')})/" {
    return 302 ${base}01/$qualified/$is_args$args;
  }
${rules.map(typeLocation).join('')}  location / { try_files $uri $uri/ =404; }
}
`;
  const moved = redirects.map(({ from, to }) => `${quote(from)} ${quote(encodeValue(to))};\n`).join('');
  return { 'nginx.conf': main, 'nginx-redirects.conf': moved };
}

/** The header's value by the path. What stands last in the rules counts; nginx takes the first that matches. */
function headerMap(name: string, rules: readonly HeaderRule[]): string {
  const lines = rules.toReversed().flatMap((rule) => {
    const { path, headers } = rule;
    const value = headers[name];
    return value === undefined ? [] : `  ${isAboutAll(rule) ? 'default' : patternOf(path)} ${quote(value)};\n`;
  });
  return `map $uri ${variableOf(name)} {\n${lines.join('')}}\n`;
}

/** These files would get the type of their ending. */
function typeLocation({ path, headers }: HeaderRule): string {
  const type = headers['Content-Type'];
  return type === undefined ? '' : `  location ${patternOf(path)} { types { } default_type ${quote(type)}; }\n`;
}

function patternOf(path: string): string {
  return `"~${patternExpression(path)}"`;
}

const literal = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);

function variableOf(name: string): string {
  return `$sortiment_${name.toLowerCase().replaceAll('-', '_')}`;
}

/** A dollar would begin a variable. */
function encodeValue(path: string): string {
  return encodeTarget(path).replaceAll('$', '%24');
}

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, String.raw`\$&`)}"`;
}
