import { fileAt } from '#catalogue/addresses/base.ts';
import { localized } from '#contracts/localized.ts';
import { productPath } from '#catalogue/addresses/paths.ts';
import { productMarkdown } from './product-markdown.ts';
import type { FileGenerator, GeneratorContext } from '../generator.ts';

/** Beside each product's page the same as Markdown: `…/index.html.md`, as https://llmstxt.org proposes it. */
export const markdownFiles: FileGenerator = {
  name: 'markdown',
  takesChanges: true,
  update: (context) => {
    const { changes, productIndex, remove } = context;
    const put = putTwin(context);
    if (!changes) for (const { data } of productIndex.index()) put(data.pageLanguage, data.gtin);
    else {
      for (const { language, slug } of changes.gone) remove(fileOf(language, slug));
      for (const place of changes.products) {
        const at = place.indexOf('/');
        put(place.slice(0, at), place.slice(at + 1));
      }
    }
  },
};

function putTwin({ settings, snapshot, productIndex, readProduct, overlays, ui, put }: GeneratorContext) {
  const { mainLanguage, maker } = settings.options;
  const families = new Map(snapshot.families().map((family) => [family.id, family.names]));
  const origin = new URL(settings.siteUrl);
  return (language: string, gtin: string): void => {
    const listed = productIndex.product(language, gtin);
    if (!listed) return;
    const { family: id = '' } = listed;
    const names = families.get(id);
    const family = names && { id, name: localized(names, language, mainLanguage) ?? id };
    const content = () =>
      productMarkdown(readProduct(listed), {
        ui: ui(language),
        origin,
        maker: maker.name,
        family,
        hazard: overlays.additions(language, gtin).hazard,
        mainLanguage,
      });
    put(fileOf(language, listed.slug), content, `${productIndex.digestOf(listed)} ${family?.name ?? ''}`);
  };
}

const fileOf = (language: string, slug: string): string => `${fileAt(productPath(language, slug))}index.html.md`;
