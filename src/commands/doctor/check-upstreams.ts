import { PRODUCT_HINTS, upstreamError } from '#client/upstream-result.ts';
import { productClient } from '#client/product-client.ts';
import type { Transport } from '#client/create-transport.ts';
import type { Options, ProductUpstream, Settings } from '#config/index.ts';
import { formatProblems, isSortimentError } from '#contracts/index.ts';
import { parseProduct, parseProductLeniently } from '#contracts/product/index.ts';
import { toFailure, fail, ok, skip, warn, type Finding } from './finding.ts';
import { probeProductInterface, type UpstreamProfile } from './probe-product-interface.ts';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { readAssortment } from '#sync/assortment/read-assortment.ts';
import { COMPLETENESS_NAME, reportFolder } from '#sync/report/write-report.ts';

export const SAMPLE_CHECK = 'A product';

/** Checks that the interface responds, accepts the token, lists the configured languages, and returns a product. */
export async function checkProductInterface(
  upstream: ProductUpstream | undefined,
  context: { transport: Transport; options: Options; gtins: readonly string[] },
): Promise<Finding[]> {
  if (!upstream) return [skip('Product interface', 'none is configured')];
  const client = productClient(upstream, context.transport);
  const response = await client.languages();
  if (response.kind !== 'ok') {
    const error = upstreamError(response, PRODUCT_HINTS);
    return [toFailure(response.kind === 'unauthorised' ? credentialOf(upstream) : 'Product interface', error)];
  }
  const { options, gtins } = context;
  const { languages, problem } = response.value;
  const codes = languages.map(({ code }) => code);
  const location = upstream.connectTo === undefined ? upstream.root : 'the embedded origin';
  const reached = ok('Product interface', `answers: ${location}`);
  return [
    reached,
    checkLanguages(codes, problem, options),
    ...(await checkSample(client, upstream, { gtin: gtins[0], codes, options })),
  ];
}

function credentialOf({ token }: ProductUpstream): string {
  return token === undefined ? 'Sign-in' : 'Token';
}

function checkLanguages(
  codes: readonly string[],
  problem: string | undefined,
  { mainLanguage, languages }: Options,
): Finding {
  const expected = languages === 'all' ? [mainLanguage] : [...new Set([mainLanguage, ...languages])];
  const missing = expected.filter((code) => !codes.includes(code));
  if (problem !== undefined) {
    const message = `${codes.join(', ')}, but the list ${problem}, so languages may be missing`;
    return fail('Languages', message, 'Have the list of languages corrected at the product interface.');
  }
  if (missing.length === 0) return ok('Languages', codes.join(', '));
  return fail(
    'Languages',
    `the interface lists ${codes.join(', ')}, but not ${missing.join(', ')}`,
    'Correct `mainLanguage` and `languages` in src/sortiment.config.ts.',
  );
}

async function checkSample(
  client: ReturnType<typeof productClient>,
  upstream: ProductUpstream,
  { gtin, codes, options }: { gtin: string | undefined; codes: readonly string[]; options: Options },
): Promise<Finding[]> {
  if (gtin === undefined) return [];
  const { mainLanguage, sync } = options;
  const language = codes.includes(mainLanguage) ? mainLanguage : (codes[0] ?? mainLanguage);
  const response = await client.product(gtin, language);
  if (response.kind === 'unauthorised') {
    return [toFailure(credentialOf(upstream), upstreamError(response, PRODUCT_HINTS))];
  }
  const isBoth = upstream.token !== undefined && upstream.account !== undefined;
  const message = `is accepted${isBoth ? '; PRODUCT_API_USER is sent for files on its host only' : ''}`;
  const accepted = ok(credentialOf(upstream), message);
  if (response.kind === 'gone') {
    return [
      accepted,
      warn(SAMPLE_CHECK, `the interface doesn't know ${gtin}`, 'Remove it from the GTIN list, or correct it.'),
    ];
  }
  if (response.kind !== 'ok') return [toFailure(SAMPLE_CHECK, upstreamError(response))];
  const base = client.addressOf(gtin);
  const isStrict = sync.invalidFields === 'strict';
  const reading = isStrict
    ? parseProduct(response.value, { gtin })
    : parseProductLeniently(response.value, { gtin, base });
  const product = reading.ok
    ? ok(SAMPLE_CHECK, `${gtin} in ${language}: ${reading.product.name}`)
    : fail(
        SAMPLE_CHECK,
        `${gtin} can't be read:\n${formatProblems(reading.problems)}`,
        'Report it to the operator of the interface.',
      );
  return [accepted, product];
}

const MAX_SKEW_SECONDS = 60;

export async function checkProfile(
  upstream: ProductUpstream,
  sample: { transport: Transport; gtin: string; assortment: readonly string[] },
): Promise<Finding[]> {
  try {
    return describeProfile(await probeProductInterface(upstream, sample));
  } catch (error) {
    if (!isSortimentError(error)) throw error;
    return [warn('Profile', `the interface stopped responding: ${error.message}`, error.hint ?? '')];
  }
}

const UNKNOWN_LANGUAGES: Record<UpstreamProfile['unknownLanguage'], string> = {
  refused: 'unlisted languages are rejected',
  gone: 'unlisted languages return 404',
  fallback: 'unlisted languages return a record in another language',
  other: 'unlisted languages return an unreadable response',
};

/** Describes the consequences of a profile for the sync and the site. */
export function describeProfile(profile: UpstreamProfile): Finding[] {
  const { unauthorisedStatus, badTokenStatus, unknownProduct, unknownLanguage, untranslated } = profile;
  const { validators, gzip, head, additions, clockSkewSeconds: skew, deprecation, sunset } = profile;
  const formatStatus = (status: UpstreamProfile['badTokenStatus']) =>
    status === 'accepted' ? 'the product' : status === 'other' ? 'neither 401 nor 403' : String(status);
  const rejections = `${formatStatus(unauthorisedStatus)} without a token, ${formatStatus(badTokenStatus)} for a bad one`;
  const offered = [validators.etag && 'ETag', validators.lastModified && 'Last-Modified'].filter(Boolean).join(' and ');
  const conditional = offered
    ? `${offered}, ${validators.notModified ? 'and 304 for unchanged records' : 'but never 304'}`
    : 'no validators, so every record is read in full';
  const translations = `; the product above isn't translated into ${untranslated.join(', ')}`;
  const has = [additions.list && 'a product list', additions.export && 'an export'].filter(Boolean);
  const replacement = 'Ask the operator of the interface for a replacement.';
  return [
    unauthorisedStatus !== 'other' && badTokenStatus !== 'other'
      ? ok('Refusals', rejections)
      : warn('Refusals', rejections, 'Check PRODUCT_API_URL: another service may respond to unknown callers.'),
    unknownProduct === 'json-404'
      ? ok('Unknown GTIN', '404 in JSON, so removals can be recognised')
      : warn(
          'Unknown GTIN',
          `${unknownProduct === 'html-404' ? '404, but not in JSON' : 'no 404 in JSON'}, so the sync can't distinguish a removal from an error`,
          'Remove discontinued products from the GTIN list yourself.',
        ),
    ok('Translations', UNKNOWN_LANGUAGES[unknownLanguage] + (untranslated.length > 0 ? translations : '')),
    ok('Transfer', `${conditional}; ${gzip ? 'compressed' : 'not compressed'}; HEAD ${head ? '' : 'not '}supported`),
    ok('Additions', has.length > 0 ? has.join(' and ') : 'none'),
    describeClock(skew),
    ...(deprecation === undefined
      ? []
      : [warn('Deprecation', `the interface calls itself deprecated: ${deprecation}`, replacement)]),
    ...(sunset === undefined ? [] : [warn('Sunset', `the interface announces its end: ${sunset}`, replacement)]),
  ];
}

function describeClock(skew: number | undefined): Finding {
  if (skew === undefined) return ok('Clock', 'the interface sends no time');
  const message =
    skew === 0 ? 'in sync with this machine' : `${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} this machine`;
  if (Math.abs(skew) <= MAX_SKEW_SECONDS) return ok('Clock', message);
  const hint =
    'Synchronise the clock of this machine with a time server; if it is right, inform the operator of the interface.';
  return warn('Clock', message, hint);
}

const completeness = z.object({
  languages: z.array(z.string()),
  products: z.number(),
  translated: z.record(z.string(), z.number()),
  gapCount: z.number(),
});

const CHECK = 'Completeness';

export async function checkAssortment({ root, options }: Settings): Promise<{ finding: Finding; gtins: string[] }> {
  try {
    const { rows, families } = await readAssortment(options.assortment, { root });
    const gtins = rows.map(({ gtin }) => gtin);
    if (gtins.length === 0) {
      return { gtins, finding: warn('GTIN list', 'contains no products', 'Put GTINs into `content/assortment`.') };
    }
    return { gtins, finding: ok('GTIN list', `${gtins.length} products in ${families.length} families, all valid`) };
  } catch (error) {
    return { gtins: [], finding: toFailure('GTIN list', error) };
  }
}

/** Checks how much of the range is translated, as measured by the last sync. */
export function checkCompleteness(settings: Pick<Settings, 'home'>): Finding {
  const file = path.join(reportFolder(settings), COMPLETENESS_NAME);
  if (!existsSync(file)) return skip(CHECK, 'no sync has measured the translations yet');
  const reading = completeness.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!reading.success) return warn(CHECK, `${file} can't be read`, 'Run `npm run sync`.');
  const { languages, products, translated, gapCount } = reading.data;
  const counts = languages.map((code) => `${code} ${translated[code] ?? 0} of ${products}`).join(', ');
  if (gapCount === 0) return ok(CHECK, `translated without gaps: ${counts}`);
  const page = path.join(reportFolder(settings), 'completeness.html');
  return ok(CHECK, `translated: ${counts}; ${gapCount} incomplete translations are listed in ${page}`);
}
