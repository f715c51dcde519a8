import { PRODUCT_HINTS, upstreamError } from '#client/upstream-error.ts';
import { productClient } from '#client/product-client.ts';
import type { Transport } from '#client/create-transport.ts';
import type { Options, ProductUpstream, Settings } from '#config/index.ts';
import { formatProblems, isSortimentError } from '#contracts/index.ts';
import { parseProduct, parseProductLeniently } from '#contracts/product/parse-product.ts';
import { toFailure, fail, ok, skip, warn, type Finding } from './finding.ts';
import {
  probeProductInterface,
  writeUpstreamProfile,
  type UpstreamProfile,
} from '#client/probe/probe-product-interface.ts';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { readAssortment } from '#sync/assortment/read-assortment.ts';
import { COMPLETENESS_NAME, reportFolder } from '#sync/report/write-report.ts';

/** Name of the check for the first product of the list. */
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

/** Returns the kind of credentials in use. */
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

/** Probes undocumented behaviour of an interface, and stores the result for the sync. */
export async function checkProfile(
  settings: Pick<Settings, 'home'>,
  upstream: ProductUpstream,
  sample: { transport: Transport; gtin: string; assortment: readonly string[] },
): Promise<Finding[]> {
  let profile: UpstreamProfile;
  try {
    profile = await probeProductInterface(upstream, sample);
  } catch (error) {
    if (!isSortimentError(error)) throw error;
    return [warn('Profile', `the interface stopped responding: ${error.message}`, error.hint ?? '')];
  }
  return [...describeProfile(profile), await storeProfile(settings.home, profile)];
}

async function storeProfile(home: string, profile: UpstreamProfile): Promise<Finding> {
  try {
    await writeUpstreamProfile(home, profile);
    return ok('Profile', 'stored for the sync');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unknown error';
    return warn('Profile', `can't be stored in ${home}: ${code}`, 'Make that folder writable, or set SORTIMENT_HOME.');
  }
}

/** Describes the consequences of a profile for the sync and the site. */
export function describeProfile(profile: UpstreamProfile): Finding[] {
  return [
    describeRejections(profile),
    describeUnknownProduct(profile),
    describeLanguages(profile),
    describeCaching(profile),
    describeAdditions(profile),
    describeClock(profile),
    ...describeSunset(profile),
  ];
}

function describeRejections({ unauthorisedStatus, badTokenStatus }: UpstreamProfile): Finding {
  const message = `${formatStatus(unauthorisedStatus)} without a token, ${formatStatus(badTokenStatus)} for a bad one`;
  if (unauthorisedStatus !== 'other' && badTokenStatus !== 'other') return ok('Refusals', message);
  return warn('Refusals', message, 'Check PRODUCT_API_URL: another service may respond to unknown callers.');
}

function formatStatus(status: UpstreamProfile['unauthorisedStatus']): string {
  if (status === 'accepted') return 'the product';
  return status === 'other' ? 'neither 401 nor 403' : String(status);
}

function describeUnknownProduct({ unknownProduct }: UpstreamProfile): Finding {
  if (unknownProduct === 'json-404') return ok('Unknown GTIN', '404 in JSON, so removals can be recognised');
  const message = unknownProduct === 'html-404' ? '404, but not in JSON' : 'no 404 in JSON';
  return warn(
    'Unknown GTIN',
    `${message}, so the sync can't distinguish a removal from an error`,
    'Remove discontinued products from the GTIN list yourself.',
  );
}

const UNKNOWN_LANGUAGES: Record<UpstreamProfile['unknownLanguage'], string> = {
  refused: 'unlisted languages are rejected',
  gone: 'unlisted languages return 404',
  fallback: 'unlisted languages return a record in another language',
  other: 'unlisted languages return an unreadable response',
};

function describeLanguages({ unknownLanguage, untranslated }: UpstreamProfile): Finding {
  const message = UNKNOWN_LANGUAGES[unknownLanguage];
  if (untranslated.length === 0) return ok('Translations', message);
  return ok('Translations', `${message}; the product above isn't translated into ${untranslated.join(', ')}`);
}

function describeCaching({ validators, gzip, head }: UpstreamProfile): Finding {
  const { etag, lastModified, notModified } = validators;
  const offered = [etag && 'ETag', lastModified && 'Last-Modified'].filter(Boolean).join(' and ');
  const conditional = offered
    ? `${offered}, ${notModified ? 'and 304 for unchanged records' : 'but never 304'}`
    : 'no validators, so every record is read in full';
  return ok(
    'Transfer',
    `${conditional}; ${gzip ? 'compressed' : 'not compressed'}; HEAD ${head ? '' : 'not '}supported`,
  );
}

function describeAdditions({ additions }: UpstreamProfile): Finding {
  const has = [additions.list && 'a product list', additions.export && 'an export'].filter(Boolean);
  return ok('Additions', has.length > 0 ? has.join(' and ') : 'none');
}

function describeClock({ clockSkewSeconds: skew }: UpstreamProfile): Finding {
  if (skew === undefined) return ok('Clock', 'the interface sends no time');
  const message =
    skew === 0 ? 'in sync with this machine' : `${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} this machine`;
  if (Math.abs(skew) <= MAX_SKEW_SECONDS) return ok('Clock', message);
  return warn(
    'Clock',
    message,
    'Synchronise the clock of this machine with a time server; if it is right, inform the operator of the interface.',
  );
}

function describeSunset({ deprecation, sunset }: UpstreamProfile): Finding[] {
  const hint = 'Ask the operator of the interface for a replacement.';
  return [
    ...(deprecation === undefined
      ? []
      : [warn('Deprecation', `the interface calls itself deprecated: ${deprecation}`, hint)]),
    ...(sunset === undefined ? [] : [warn('Sunset', `the interface announces its end: ${sunset}`, hint)]),
  ];
}

const completeness = z.object({
  languages: z.array(z.string()),
  products: z.number(),
  translated: z.record(z.string(), z.number()),
  gapCount: z.number(),
});

const CHECK = 'Completeness';

/** Checks that the list of products is readable and contains valid GTINs. */
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
