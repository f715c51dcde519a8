import { listProducts, MAX_PAGE_SIZE } from '#contracts/product/routes.ts';
import { ProductError } from './authenticate-caller.ts';
import { resolveLanguage } from './resolve-language.ts';
import { countProductChanges, findProductChanges, parseTimestamp } from './find-product.ts';
import type { ProductView } from './product-view.ts';
import { JSON_RENDERER, PAGE_RENDERER } from './renderers.ts';

const { page, page_size: pageSize } = listProducts.query.shape;

/** Addition: a paged list of records and their modification times, oldest first. */
export const productListView: ProductView<typeof listProducts> = {
  route: listProducts,
  name: 'Product List',
  renderers: [JSON_RENDERER, PAGE_RENDERER],
  async read(context, { query, target }) {
    const { chosen } = await resolveLanguage(context, query);
    const filter = { language: chosen, modifiedAfter: parseTimestamp(query, 'modified_after') };
    const total = await countProductChanges(context, filter);
    const limit = readPageSize(query);
    const lastPage = Math.max(1, Math.ceil(total / limit));
    const number = readPage(query, lastPage);
    const link = (wanted: number) => linkPage(context.publicUrl, target, wanted);
    return {
      count: total,
      next: number < lastPage ? link(number + 1) : null,
      previous: number > 1 ? link(number - 1) : null,
      results: await findProductChanges(context, filter, { offset: (number - 1) * limit, limit }),
    };
  },
};

/** Returns the page size. An invalid size becomes the default, one that is too large the maximum. */
function readPageSize(query: URLSearchParams): number {
  const text = query.getAll('page_size').at(-1) || undefined;
  const read = pageSize.safeParse(text);
  if (read.success) return read.data;
  return Number(text) > MAX_PAGE_SIZE ? MAX_PAGE_SIZE : pageSize.parse(undefined);
}

function readPage(query: URLSearchParams, lastPage: number): number {
  const text = query.getAll('page').at(-1) || undefined;
  if (text === 'last') return lastPage;
  const read = page.safeParse(text);
  if (!read.success || read.data > lastPage) throw new ProductError('invalidPage');
  return read.data;
}

/** Returns the same address with another page. The first page has no number. */
function linkPage(publicUrl: string, target: string, number: number): string {
  const url = new URL(publicUrl + target);
  if (number === 1) url.searchParams.delete('page');
  else url.searchParams.set('page', String(number));
  url.searchParams.sort();
  return url.href;
}
