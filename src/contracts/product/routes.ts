import { z } from 'zod';
import { isGtin13 } from '../gtin.ts';
import { readRoute } from '../route.ts';
import { wireDateTime, wireInteger } from '../wire.ts';
import { languageCode, languagePage, product } from './index.ts';

const gtin = z.string().refine(isGtin13).describe('GTIN-13');
const languageQuery = z.object({
  language: languageCode.optional().describe('Language of the texts, a code of the language list'),
});

export const getProductIndex = readRoute('', 'token', {
  summary: 'Index of the interface',
  query: languageQuery,
  response: z.record(z.string(), z.string()),
});

export const getProduct = readRoute('product/<gtin>/', 'token', {
  summary: 'One product by its GTIN-13',
  params: z.object({ gtin }),
  query: languageQuery,
  response: product,
});

export const listLanguages = readRoute('language/', 'token', {
  summary: 'Available languages',
  response: languagePage,
});

export const getProductDocs = readRoute('docs/', 'public', {
  summary: 'Documentation in German, with the token of the signed-in user',
  response: z.string(),
});

const page = <T extends z.ZodType>(row: T) =>
  z.object({ count: z.int(), next: z.string().nullable(), previous: z.string().nullable(), results: z.array(row) });

export const MAX_PAGE_SIZE = 1000;

/** Lists all products. An extension of the origin: clients may use it, but must not require it. */
export const listProducts = readRoute('product/', 'token', {
  summary: 'GTINs, languages and change times of all products (extension)',
  query: languageQuery.extend({
    modified_after: wireDateTime.optional().describe('Limit to records changed after this date'),
    page: wireInteger({ minimum: 1 }).default(1),
    page_size: wireInteger({ minimum: 1, maximum: MAX_PAGE_SIZE }).default(100),
  }),
  response: page(z.object({ gtin, language: languageCode, modified: z.iso.datetime() })),
});

/** Exports all records, one JSON object per line. An extension of the origin. */
export const exportProducts = readRoute('export/', 'token', {
  summary: 'All records as NDJSON (extension)',
  query: languageQuery.extend({ modified_after: wireDateTime.optional() }),
  response: z.string(),
});

/** Names of the extensions in the index. */
export const PRODUCT_ADDITIONS = { product_list: listProducts, export: exportProducts } as const;

/**
 * Errors of the product interface, with the messages of its framework. `{…}` is a placeholder. The two 400s are lists
 * under the parameter name, the others are in `detail`.
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
