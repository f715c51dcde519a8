import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendCutOff, sendHtml, sendJson } from '#client/testing/test-server.ts';
import { createProduct } from '#snapshot/testing/fill-snapshot.ts';
import { formatReport } from './report/format-report.ts';
import { createPost, createGtins, startTestUpstream, type TestUpstream } from './testing/test-upstream.ts';

/** The first 30 are bad, three in each way. */
const GTINS = createGtins(300);
const BAD: ((response: ServerResponse, gtin: string) => void)[] = [
  (response) => sendJson(response, { detail: 'You do not have permission.' }, { status: 403 }),
  (response) => sendHtml(response, 410),
  (response) => sendHtml(response, 200),
  (response) => response.writeHead(302, { location: 'https://login.example/' }).end(),
  (response) => sendHtml(response, 503),
  (response) => sendCutOff(response),
  (response) => sendJson(response, []),
  (response, gtin) => sendJson(response, { ...createProduct({ gtin }), name: '' }),
  (response, gtin) => sendJson(response, { ...createProduct({ gtin }), price: `auf Anfrage ${gtin.slice(-4)}` }),
  (response, gtin) => sendJson(response, { ...createProduct({ gtin }), availability: 'bald', width: '' }),
];
/** A post that the site dies of, alone and with others. */
const BAD_POST = 3;

let upstream: TestUpstream;
beforeAll(async () => {
  upstream = await startTestUpstream({ assortment: () => GTINS.map((gtin) => ({ gtin })) });
  upstream.languages = ['de-de'];
  upstream.fillProducts(GTINS);
  upstream.lists['posts'] = [1, 2, BAD_POST, 4, 5].map((id) => createPost({ id, slug: `p${id}` }));
});
afterAll(() => upstream.close());

function breakThirty(): void {
  upstream.fault = (_, request, response) => {
    const url = new URL(request.url ?? '/', upstream.server.origin);
    const gtin = /\/product\/(\d+)\//.exec(url.pathname)?.[1] ?? '';
    const index = GTINS.indexOf(gtin);
    if (index >= 0 && index < 30) BAD[index % BAD.length]?.(response, gtin);
    const include = url.searchParams.get('include')?.split(',').map(Number) ?? [BAD_POST];
    const isDeadly = url.pathname.endsWith('/posts') && !url.searchParams.has('_fields') && include.includes(BAD_POST);
    if (isDeadly) sendHtml(response, 500);
    return isDeadly || (index >= 0 && index < 30);
  };
}

it('of 300 products of which 30 are faulty takes over the others, and says what to do about these', async () => {
  breakThirty();
  const report = await upstream.sync();
  upstream.read((snapshot) => {
    expect([...snapshot.products()]).toHaveLength(276);
    expect([...snapshot.records('post')].map(({ id }) => id)).toEqual([1, 2, 4, 5]);
  });
  expect(normalise(formatReport(report))).toMatchInlineSnapshot(`
    "added 276 product records in de-de
    added 1 list of products
    added 1 language
    added 4 posts
    added 1 name of the site
    Not readable: 19 records, not on the site:
      3 product records: could not be read: 403 Forbidden
        9524000000002 de-de: {"detail":"You do not have permission."}
        9524000000101 de-de: {"detail":"You do not have permission."}
        9524000000200 de-de: {"detail":"You do not have permission."}
        -> Ask the operator of the server why it rejects this record but not others.
      3 product records: could not be read: 302 Found to https://login.example/
        9524000000033 de-de
        9524000000132 de-de
        9524000000231 de-de
        -> Open the address and ask the operator of the server why it returns no JSON: an error page, a redirect or a firewall.
      3 product records: could not be read: the body was cut off
        9524000000057 de-de
        9524000000156 de-de
        9524000000255 de-de
        -> Sync again; if the problem persists, ask the operator of the server to check its log.
      3 product records: could not be read: 410 Gone, text/html instead of JSON
        9524000000019 de-de: <!doctype html><title>Somewhere else</title>
        9524000000118 de-de: <!doctype html><title>Somewhere else</title>
        9524000000217 de-de: <!doctype html><title>Somewhere else</title>
        -> If the record is permanently gone, remove it from the assortment: only a JSON 404 counts as a removal.
      3 product records: could not be read: 200 OK, text/html instead of JSON
        9524000000026 de-de: <!doctype html><title>Somewhere else</title>
        9524000000125 de-de: <!doctype html><title>Somewhere else</title>
        9524000000224 de-de: <!doctype html><title>Somewhere else</title>
        -> Open the address and ask the operator of the server why it returns no JSON: an error page, a redirect or a firewall.
      3 product records: could not be read: 503 Service Unavailable
        9524000000040 de-de: <!doctype html><title>Somewhere else</title>
        9524000000149 de-de: <!doctype html><title>Somewhere else</title>
        9524000000248 de-de: <!doctype html><title>Somewhere else</title>
        -> Sync again; if the problem persists, ask the operator of the server to check its log.
      1 post: could not be read: 500 Internal Server Error
        3: <!doctype html><title>Somewhere else</title>
        -> Sync again; if the problem persists, ask the operator of the server to check its log.
    Invalid: 6 records, not on the site:
      3 product records: name is empty
        9524000000071 de-de: ""
        9524000000170 de-de: ""
        9524000000279 de-de: ""
        -> Have the record corrected at the product interface.
      3 product records: is not an object
        9524000000064 de-de: []
        9524000000163 de-de: []
        9524000000262 de-de: []
        -> Have the record corrected at the product interface.
    New values of the product interface:
      3 product records: availability has the unknown value "bald", read as unknown
        9524000000095 de-de: "bald"
        9524000000194 de-de: "bald"
        9524000000293 de-de: "bald"
        -> Have it corrected at the product interface; if the value is new in the interface, update Sortiment.
    Warnings:
      3 product records: width is not a number with a decimal point, so the field is left out
        9524000000095 de-de: ""
        9524000000194 de-de: ""
        9524000000293 de-de: ""
        -> Have it corrected at the product interface. To refuse such records instead, set \`sync.invalidFields: 'strict'\`.
      3 product records: price is not a number with a decimal point, so the field is left out
        9524000000088 de-de: "auf Anfrage 0088"
        9524000000187 de-de: "auf Anfrage 0187"
        9524000000286 de-de: "auf Anfrage 0286"
        -> Have it corrected at the product interface. To refuse such records instead, set \`sync.invalidFields: 'strict'\`.
    Full report: <project>/.sortiment/report/index.html
    Unused namespaces of the publishing site: oembed/1.0.
    Changed: 283 added, 0 changed, 0 removed; 0 of 0 files fetched; 19 records not readable; 6 records invalid; 9 warnings; <n> requests and <size> in <time>; digest <digest>."
  `);
});

it('keeps what a later run can’t read, and says so', async () => {
  upstream.fault = undefined;
  await upstream.sync();
  breakThirty();
  const report = await upstream.sync();
  expect(report.counts.product?.['de-de']).toEqual({ added: 0, changed: 6, removed: 0 });
  expect(report.unreachableRecords).toEqual({ count: 18, withLastGood: 18 });
  expect(report.invalidRecords).toEqual({ count: 6, withLastGood: 6 });
  expect(formatReport(report)).toContain('Not readable: 18 records; their last good versions stay');
  upstream.read((snapshot) => {
    expect([...snapshot.products()]).toHaveLength(300);
    expect([...snapshot.records('post')]).toHaveLength(5);
  });
});

/** Removes values that differ between runs. */
function normalise(text: string): string {
  return text
    .replaceAll(upstream.settings.root, '<project>')
    .replace(/\d+ requests and .* in .* s; digest \w+/, '<n> requests and <size> in <time>; digest <digest>');
}
