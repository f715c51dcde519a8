import { PRODUCT_HINTS, upstreamError } from '#client/upstream-error.ts';
import { productClient } from '#client/product-client.ts';
import type { Transport } from '#client/create-transport.ts';
import type { Options, ProductUpstream } from '#config/index.ts';
import { formatProblems } from '#contracts/index.ts';
import { parseProduct, parseProductLeniently } from '#contracts/product/index.ts';
import { toFailure, fail, ok, skip, warn, type Finding } from './finding.ts';

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
