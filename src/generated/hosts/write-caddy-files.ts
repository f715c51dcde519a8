import { basePath } from '#catalogue/addresses/site-paths.ts';
import { DIGITAL_LINK_QUALIFIERS } from '#catalogue/addresses/paths.ts';
import { encodeTarget, type Redirect } from '../redirects/index.ts';
import { isGlobalRule, type HeaderRule, hasSegments, patternToRegExp } from './header-rules.ts';
import type { ServerPaths } from './write-nginx-files.ts';

/** Creates the files for Caddy: `Caddyfile`, and the redirects that it imports. */
export function writeCaddyFiles(
  rules: readonly HeaderRule[],
  redirects: readonly Redirect[],
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
		rewrite * ${base}404.html
		file_server
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

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, String.raw`\$&`)}"`;
}
