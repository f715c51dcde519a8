import { z } from 'zod';
import { isGtin13 } from '../gtin.ts';
import { route } from '../route.ts';
import { wireDateTime, wireInteger } from '../wire.ts';
import { languageCode, languagePage } from './language.ts';
import { product } from './product.ts';

const gtin = z.string().refine(isGtin13).meta({ description: 'GTIN-13' });
const languageQuery = z.object({
  language: languageCode.optional().meta({ description: 'Language of the texts, a code of the language list' }),
});

export const getProductIndex = route({
  method: 'GET',
  path: '',
  summary: 'Index of the interface',
  access: 'token',
  query: languageQuery,
  response: z.record(z.string(), z.string()),
});

export const getProduct = route({
  method: 'GET',
  path: 'product/<gtin>/',
  summary: 'One product by its GTIN-13',
  access: 'token',
  params: z.object({ gtin }),
  query: languageQuery,
  response: product,
});

export const listLanguages = route({
  method: 'GET',
  path: 'language/',
  summary: 'Available languages',
  access: 'token',
  response: languagePage,
});

export const getProductDocs = route({
  method: 'GET',
  path: 'docs/',
  summary: 'Documentation, in German, with the token of the signed-in caller',
  access: 'public',
  response: z.string(),
});

const page = <T extends z.ZodType>(row: T) =>
  z.object({ count: z.int(), next: z.string().nullable(), previous: z.string().nullable(), results: z.array(row) });

/** Rows of the list that one page may hold. */
export const MAX_PAGE_SIZE = 1000;

/** An addition of the origin: other servers have no list. Clients may use it and must not need it. */
export const listProducts = route({
  method: 'GET',
  path: 'product/',
  summary: 'GTINs, languages and change times of all products (an addition)',
  access: 'token',
  query: languageQuery.extend({
    modified_after: wireDateTime.optional().meta({ description: 'Only records changed after this moment' }),
    page: wireInteger({ minimum: 1 }).default(1),
    page_size: wireInteger({ minimum: 1, maximum: MAX_PAGE_SIZE }).default(100),
  }),
  response: page(z.object({ gtin, language: languageCode, modified: z.iso.datetime() })),
});

/** An addition of the origin: every record, one JSON object a line. */
export const exportProducts = route({
  method: 'GET',
  path: 'export/',
  summary: 'All records as NDJSON (an addition)',
  access: 'token',
  query: languageQuery.extend({ modified_after: wireDateTime.optional() }),
  response: z.string(),
});

/** Names under which the index links the additions. */
export const PRODUCT_ADDITIONS = { product_list: listProducts, export: exportProducts } as const;

/**
 * Error bodies of the product interface, worded as its framework words them. `{…}` is filled in; the two 400s
 * stand in a list under the name of the parameter, the others as `detail`.
 */
export const PRODUCT_ERRORS = {
  notAuthenticated: { status: 401, detail: 'Authentication credentials were not provided.' },
  noToken: { status: 401, detail: 'Invalid token header. No credentials provided.' },
  tokenWithSpaces: { status: 401, detail: 'Invalid token header. Token string should not contain spaces.' },
  tokenBytes: { status: 401, detail: 'Invalid token header. Token string should not contain invalid characters.' },
  invalidToken: { status: 401, detail: 'Invalid token.' },
  inactiveUser: { status: 401, detail: 'User inactive or deleted.' },
  forbidden: { status: 403, detail: 'You do not have permission to perform this action.' },
  noSuchProduct: { status: 404, detail: 'No Product matches the given query.' },
  invalidPage: { status: 404, detail: 'Invalid page.' },
  unknownFormat: { status: 404, detail: 'Not found.' },
  invalidChoice: { status: 400, detail: '"{input}" is not a valid choice.' },
  invalidMoment: { status: 400, detail: 'Enter a valid date/time.' },
  methodNotAllowed: { status: 405, detail: 'Method "{method}" not allowed.' },
  throttled: { status: 429, detail: 'Request was throttled. Expected available in {seconds} seconds.' },
  notAcceptable: { status: 406, detail: 'Could not satisfy the request Accept header.' },
} as const;
