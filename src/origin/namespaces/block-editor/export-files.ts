import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import { BLOCK_PATTERN_CATEGORIES, BLOCK_PATTERNS } from '#origin/platform/site/block-pattern-set.ts';
import { ICON_COLLECTIONS } from '#origin/platform/site/icon-set.ts';
import { showSettings } from '#origin/platform/site/load-site.ts';

export interface ExportedFiles {
  /** Name of the archive, without its extension. */
  name: string;
  /** Texts by their path in the archive. */
  files: Record<string, string>;
}

/** What authors start from, and what the site is set to: patterns as HTML, icons as SVG, settings as JSON. */
export async function exportFiles(call: AnyCall): Promise<ExportedFiles> {
  const settings = await showSettings(call);
  const patterns = BLOCK_PATTERNS.map(({ name, content }) => [`patterns/${lastPart(name)}.html`, content]);
  const icons = ICON_COLLECTIONS.flatMap((collection) =>
    collection.icons.map(({ name, content }) => [`icons/${name}.svg`, content]),
  );
  const about = {
    settings,
    patterns: BLOCK_PATTERNS.map(({ name, title, description, categories }) => ({
      name,
      title,
      description,
      categories,
    })),
    categories: BLOCK_PATTERN_CATEGORIES,
  };
  return {
    name: 'sortiment',
    files: { 'site.json': `${JSON.stringify(about, undefined, 2)}\n`, ...Object.fromEntries([...patterns, ...icons]) },
  };
}

function lastPart(name: string): string {
  return name.split('/').at(-1) ?? name;
}
