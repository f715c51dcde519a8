import { isTypeset, typesetHtml } from '#i18n/index.ts';
import { typeset } from '#i18n/typeset.ts';
import type { PageChrome, ProductFacts } from './product-facts.ts';

/** The texts of a product as pages of its language set them. Declared values stay exactly what they are. */
export function setTexts(facts: ProductFacts, lang: string): ProductFacts {
  if (!isTypeset(lang)) return facts;
  const { texts, attributes, norms, dimensions, packaging, need, materials, availability, price, related } = facts;
  return {
    ...facts,
    name: typeset(facts.name),
    intro: typeset(facts.intro),
    availability: { ...availability, text: typeset(availability.text), note: typeset(availability.note) },
    texts: texts.map(({ field, title, html }) => ({ field, title: typeset(title), html: typesetHtml(html) })),
    attributes: attributes.map((attribute) => ({ ...attribute, name: typeset(attribute.name) })),
    norms: norms.map((norm) => (norm.lang ? norm : { ...norm, line: typeset(norm.line) })),
    dimensions: dimensions.map((dimension) => ({ ...dimension, name: typeset(dimension.name) })),
    packaging: packaging.map(({ name, ...held }) => ({ ...held, name: typeset(name) })),
    materials: materials.map(({ name, value }) => ({ name: typeset(name), value: typeset(value) })),
    ...(price && { price: { ...price, terms: typeset(price.terms), unit: typeset(price.unit) } }),
    ...(need && {
      need: {
        ...need,
        heads: need.heads.map(typeset),
        rows: need.rows.map(({ head, cells }) => ({ head: typeset(head), cells: cells.map(typeset) })),
        note: typeset(need.note),
      },
    }),
    ...(related && { related: { ...related, title: typeset(related.title) } }),
  };
}

/** The same of what stands around all products. */
export function setPageChrome(pageChrome: PageChrome): PageChrome {
  if (!isTypeset(pageChrome.lang)) return pageChrome;
  const documents = pageChrome.documents.map(({ name, missing }) => ({
    name: typeset(name),
    missing: typeset(missing),
  }));
  return { ...pageChrome, documents };
}
