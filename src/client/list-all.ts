import type { ListedPage, RescuePage, PublishingClient, RowOf } from './publishing-client-types.ts';
import { SortimentError, type RouteDeclaration, type RouteQueryInput } from '#contracts/index.ts';
import { MAX_PER_PAGE } from '#contracts/core/index.ts';
import { upstreamError } from './upstream-error.ts';

/**
 * Reads a list to its end in pages of 100. Ordered by id upwards, so that what is published meanwhile comes last
 * and moves nothing; a row that is deleted meanwhile can still push another over a page's edge, so a row that is
 * missing here is no proof that it is gone.
 */
export async function* listAll<R extends RouteDeclaration>(
  call: PublishingClient['call'],
  route: R,
  query?: RouteQueryInput<R>,
  rescue?: RescuePage<RowOf<R>>,
): AsyncGenerator<ListedPage<RowOf<R>>> {
  let idsBefore = '';
  for (let page = 1; ; page += 1) {
    const paged: Record<string, unknown> = { ...query, orderby: 'id', order: 'asc', per_page: MAX_PER_PAGE, page };
    const answer = await call(route, { query: paged as RouteQueryInput<R> });
    // Servers answer 400 for a page past the end.
    if (answer.kind === 'refused' && answer.status === 400 && page > 1) return;
    if (answer.kind !== 'ok' && rescue) {
      const { pages, ...rescued } = await rescue({ query: paged, answer, page });
      yield rescued;
      if (page >= (pages ?? 0)) return;
      continue;
    }
    if (answer.kind !== 'ok') throw upstreamError(answer, ADDRESS_HINT);
    const { body, problems } = answer.value;
    const rows = body as RowOf<R>[];
    const ids = [...rows.map((row) => (row as { id?: unknown }).id), ...problems.map(({ id }) => id)].join();
    if (ids !== '' && ids === idsBefore) throw repeated(answer.url, page);
    idsBefore = ids;
    const pages = readCount(answer.headers['x-wp-totalpages']);
    yield { rows, problems, page, total: readCount(answer.headers['x-wp-total']) };
    // Rows that a caller may not read are left out of a page, so a short page ends the list only where nothing better is known.
    if (pages === undefined ? rows.length + problems.length < MAX_PER_PAGE : page >= pages) return;
  }
}

/** Such a list has no end, and what it leaves out isn't missing. */
function repeated(url: string, page: number): SortimentError {
  return new SortimentError(
    'UPSTREAM_UNREADABLE',
    `[GET] "${url}": page ${page} holds the same rows as the one before.`,
    {
      hint: 'The site seems to ignore `page`: look for a cache or a plugin that does.',
    },
  );
}

const ADDRESS_HINT = {
  addressHint: 'Correct PUBLISHING_URL, PUBLISHING_REST_ROOT or PUBLISHING_NAMESPACES in the environment.',
};

export function readCount(header: string | undefined): number | undefined {
  return header !== undefined && /^\d+$/.test(header.trim()) ? Number(header) : undefined;
}
