import { addReads, recordSharedReads, type RecordedReads } from '#catalogue/site/tracked-queries.ts';
import type { EnrichOptions } from '#catalogue/journal/enrich-html.ts';
import type { Ui } from '#i18n/index.ts';

interface Fragment {
  html: string;
  reads: RecordedReads;
}

const cache = new WeakMap<object, Map<string, Fragment>>();

/** Renders the HTML of an object once for each name. Nothing is cached in development. */
export function cachedHtml(owner: object, name: string, render: () => Promise<string>): string | Promise<string> {
  if (import.meta.env.DEV) return render();
  const fragments = cache.get(owner) ?? new Map<string, Fragment>();
  cache.set(owner, fragments);
  const found = fragments.get(name);
  if (found) {
    addReads(found.reads);
    return found.html;
  }
  const { result, reads } = recordSharedReads(render);
  return result.then((html) => {
    if (html.includes('<script'))
      throw new Error(
        `${name} has a script, which can't be cached: Astro puts it on each page once. Move it out of <CachedFragment>.`,
      );
    fragments.set(name, { html, reads });
    addReads(reads);
    return html;
  });
}

/** Returns the texts of `enrichHtml` in the language of the page. */
export function enrichTexts(ui: Ui): EnrichOptions {
  return {
    tableLabel: (number) => ui.t('table.label', { number }),
    opensAt: (provider) => ui.t('embed.opens', { provider }),
  };
}
