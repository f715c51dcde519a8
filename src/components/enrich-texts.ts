import type { EnrichOptions } from '#catalogue/journal/enrich-html.ts';
import type { Ui } from '#i18n/index.ts';

/** Returns the texts of `enrichHtml` in the language of the page. */
export function enrichTexts(ui: Ui): EnrichOptions {
  return {
    tableLabel: (number) => ui.t('table.label', { number }),
    opensAt: (provider) => ui.t('embed.opens', { provider }),
  };
}
