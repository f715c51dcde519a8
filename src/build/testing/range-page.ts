/** A page that depends only on Astro: lists all products of a language, and a page of the publishing site. */
export const RANGE_PAGE = `---
import { getCollection, getEntry } from 'astro:content';

export async function getStaticPaths() {
  const products = await getCollection('products');
  // Astro guarantees no order.
  products.sort((a, b) => (a.id < b.id ? -1 : 1));
  const byLanguage = Map.groupBy(products, ({ data }) => data.pageLanguage);
  return [...byLanguage].map(([language, listed]) => ({ params: { language }, props: { listed } }));
}

const { listed } = Astro.props;
const families = await getCollection('families');
const company = await getEntry('pages', 'de-de/company');
---

<!doctype html>
<html lang="de">
  <head><title>{company?.data.title} {families.map(({ id }) => id).sort().join()}</title></head>
  <body>{listed.map(({ data }) => <p>{data.name} {data.family}</p>)}</body>
</html>
`;
