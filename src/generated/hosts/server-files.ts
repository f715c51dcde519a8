import { basePath } from '#catalogue/addresses/site-paths.ts';
import { DIGITAL_LINK_QUALIFIERS } from '#catalogue/addresses/paths.ts';
import { encodeTarget, type Redirect } from '../redirects/redirects.ts';
import { isGlobalRule, type HeaderRule, hasSegments, patternToRegExp } from './header-rules.ts';

/** Creates the files for Caddy: `Caddyfile`, and the redirects that it imports. */
export function writeCaddyFiles(
  rules: readonly HeaderRule[],
  redirects: readonly Redirect[],
  languages: readonly string[],
  { siteUrl, rootFolder, hostsFolder }: ServerPaths,
): Record<string, string> {
  const { protocol, host } = new URL(siteUrl);
  const base = basePath();
  const { everywhere = [], specific = [] } = Object.groupBy(rules, (rule) =>
    isGlobalRule(rule) ? 'everywhere' : 'specific',
  );
  const main = `${protocol === 'https:' ? host : `http://${host}`} {
	root * ${quote(rootFolder)}

	@moved expression \`{sortiment_moved} != ""\`
	# Requests for the linkset of a product (GS1 Digital Link).
	@product path_regexp ^${base}01/\\d+/$
	@by_query {
		path_regexp gtin ^${base}01/(\\d+)/$
		query linkType=linkset linkType=all
	}
	@by_accept {
		path_regexp gtin ^${base}01/(\\d+)/$
		header Accept *application/linkset+json*
	}

	# With a variant, lot or serial number: walk up to the GTIN.
	@qualified path_regexp qualified ^${base}01/(\\d{14})/(?:${DIGITAL_LINK_QUALIFIERS.join('|')})/

	# Order matters: later directives take precedence.
	route {
${everywhere.flatMap(headerLines).join('')}		header @product Vary Accept

		map {path} {sortiment_moved} {
			import ${quote(`${hostsFolder}/redirects.caddy`)}
			default ""
		}
		map {query} {sortiment_query} {
			"" ""
			default "?{query}"
		}
		redir @moved {sortiment_moved}{sortiment_query} 301
		redir @qualified ${base}01/{re.qualified.1}/{sortiment_query} 302

		rewrite @by_query ${base}01/{re.gtin.1}/linkset.json
		rewrite @by_accept ${base}01/{re.gtin.1}/linkset.json

${specific.flatMap(headerLines).join('')}
		file_server {
			precompressed br gzip
		}
	}
	handle_errors {
		@language path_regexp language ^${base}(${languages.join('|')})/
		handle @language {
			rewrite * ${base}{re.language.1}/404/index.html
			file_server
		}
		handle {
			rewrite * ${base}404.html
			file_server
		}
	}
}
`;
  const moved = redirects.map(({ from, to }) => `${quote(from)} ${quote(encodeTarget(to))}\n`).join('');
  return { Caddyfile: main, 'redirects.caddy': moved };
}

function headerLines(rule: HeaderRule): string[] {
  const { path, headers } = rule;
  const name = `@${path.replaceAll(/\W+/g, '_')}`;
  const isNamed = hasSegments(path);
  const matcher = isGlobalRule(rule) ? '' : `${isNamed ? name : path} `;
  return [
    ...(isNamed ? [`\t\t${name} path_regexp ${patternToRegExp(path)}\n`] : []),
    ...Object.entries(headers).map(([header, value]) => `\t\theader ${matcher}${header} ${quote(value)}\n`),
  ];
}

/** Quotes a text for both servers. */
function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, String.raw`\$&`)}"`;
}

export interface ServerPaths {
  siteUrl: string;
  /** Document root: the site, or the parent of its base path. */
  rootFolder: string;
  hostsFolder: string;
}

/** Creates the files for nginx: `nginx.conf` for its `http` block, and the redirects that it includes. */
export function writeNginxFiles(
  rules: readonly HeaderRule[],
  redirects: readonly Redirect[],
  languages: readonly string[],
  { siteUrl, rootFolder, hostsFolder }: ServerPaths,
): Record<string, string> {
  const base = basePath();
  // A second `Content-Type` header would be sent in addition.
  const names = [...new Set(rules.flatMap(({ headers }) => Object.keys(headers)))].filter(
    (name) => name !== 'Content-Type',
  );
  const main = `${names.map((name) => headerMap(name, rules)).join('')}
# Requests for the linkset of a product (GS1 Digital Link).
map $arg_linkType $sortiment_link_type { default 0; linkset 1; all 1; }
map $http_accept $sortiment_accept { default 0; "~application/linkset\\+json" 1; }
map "$sortiment_link_type$sortiment_accept" $sortiment_linkset { default 1; "00" 0; }
map $uri $sortiment_vary { default ""; "~^${literal(base)}01/" "Accept"; }

# The page for missing pages, in the language of the path.
map $uri $sortiment_missing {
  default "${base}404.html";
  "~^${literal(base)}(?<missing>${languages.join('|')})/" "${base}$missing/404/index.html";
}

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
  error_page 404 $sortiment_missing;
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

/** Maps paths to the value of a header. nginx uses the first match, so the rules are reversed. */
function headerMap(name: string, rules: readonly HeaderRule[]): string {
  const lines = rules.toReversed().flatMap((rule) => {
    const { path, headers } = rule;
    const value = headers[name];
    return value === undefined ? [] : `  ${isGlobalRule(rule) ? 'default' : patternOf(path)} ${quote(value)};\n`;
  });
  return `map $uri ${variableOf(name)} {\n${lines.join('')}}\n`;
}

/** Overrides the content type that nginx derives from the extension. */
function typeLocation({ path, headers }: HeaderRule): string {
  const type = headers['Content-Type'];
  return type === undefined ? '' : `  location ${patternOf(path)} { types { } default_type ${quote(type)}; }\n`;
}

function patternOf(path: string): string {
  return `"~${patternToRegExp(path)}"`;
}

const literal = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);

function variableOf(name: string): string {
  return `$sortiment_${name.toLowerCase().replaceAll('-', '_')}`;
}

/** Escapes `$`, which starts a variable. */
function encodeValue(path: string): string {
  return encodeTarget(path).replaceAll('$', '%24');
}
