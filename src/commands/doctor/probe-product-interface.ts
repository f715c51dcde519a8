import { formatHeaderDate, type Transport } from '#client/create-transport.ts';
import { listSecrets, productCredential, type Credential } from '#client/credential.ts';
import type { TransportRequest } from '#client/exchange.ts';
import { productClient } from '#client/product-client.ts';
import { serializeQuery } from '#client/serialize-query.ts';
import {
  classifyResponse,
  maskSecrets,
  parseUpstreamResult,
  upstreamError,
  type UpstreamResult,
} from '#client/upstream-result.ts';
import type { ProductUpstream } from '#config/index.ts';
import { fillPath, gtinCheckDigit, type RouteDeclaration } from '#contracts/index.ts';
import { parseProduct } from '#contracts/product/parse-product.ts';
import { exportProducts, getProduct, getProductIndex, listProducts } from '#contracts/product/routes.ts';

type Rejection = 401 | 403 | 'accepted' | 'other';

/** Undocumented behaviour of a product interface. */
export interface UpstreamProfile {
  /** Status of a request without a token; `accepted` if no token is required. */
  unauthorisedStatus: Rejection;
  /** Status of a request with an unknown token. */
  badTokenStatus: Rejection;
  /**
   * Response for a valid but unknown GTIN. `json-404` is evidence of a removal; `html-404` may also come from another
   * server at a wrong address.
   */
  unknownProduct: 'json-404' | 'html-404' | 'other';
  /** Response for an unlisted language: 400, the product in another language, or a JSON 404. */
  unknownLanguage: 'refused' | 'fallback' | 'gone' | 'other';
  /** Listed languages in which the sampled product is missing or returned in another language. */
  untranslated: string[];
  /** `notModified`: true if conditional requests return 304. */
  validators: { etag: boolean; lastModified: boolean; notModified: boolean };
  /** True if HEAD is supported. */
  head: boolean;
  /** Optional extensions of the documented interface. */
  additions: { list: boolean; export: boolean };
  /** True if responses are compressed. */
  gzip: boolean;
  /** Clock of the server minus the local clock; undefined without a `Date` header. */
  clockSkewSeconds?: number | undefined;
  /** Start of the deprecation (RFC 9745): ISO, or the unparsed header. */
  deprecation?: string | undefined;
  /** End of service (RFC 8594): ISO, or the unparsed header. */
  sunset?: string | undefined;
}

/** GS1 reserves this prefix for demonstrations; no real trade item has it. */
const DEMO_PREFIX = '952';

interface ProbeOptions {
  transport: Transport;
  /** GTIN of a product of the interface. */
  gtin: string;
  /** Known GTINs, which the probe doesn't use as unknown ones. */
  assortment: readonly string[];
  now?: () => Date;
}

/** A well-formed token that belongs to no user. */
const BAD_TOKEN = '0'.repeat(40);
/** Reserved for private use by ISO 639, so no interface lists it. */
const BOGUS_LANGUAGE = 'qzz-zz';
/** Limit for exports that ignore `modified_after`. */
const MAX_EXPORT_BYTES = 262_144;

interface Probe {
  answer: UpstreamResult<unknown>;
  /** Response headers, names in lower case. */
  headers: Readonly<Record<string, string>>;
  skewSeconds: number | undefined;
}

type ProbeInput = Partial<Pick<TransportRequest, 'method' | 'accept' | 'validators' | 'maxBytes'>> & {
  params?: object;
  query?: object;
  /** @default the credential of the upstream */
  credential?: Credential | 'none';
};

/**
 * Probes the undocumented behaviour of an interface, one request at a time.
 * @throws SortimentError UPSTREAM_… if the server is unavailable, throttles requests or rejects the token.
 */
export async function probeProductInterface(
  upstream: ProductUpstream,
  options: ProbeOptions,
): Promise<UpstreamProfile> {
  const { gtin, assortment, now = () => new Date() } = options;
  const request = createRequester(upstream, options.transport, now);
  const product = { params: { gtin } };

  const anonymous = await request(getProduct, { ...product, credential: 'none' });
  const bad = productCredential({ root: upstream.root, token: BAD_TOKEN });
  const badTokenProbe = await request(getProduct, { ...product, ...(bad && { credential: bad }) });
  const index = await request(getProductIndex);
  const listed = await productClient(upstream, options.transport).languages();
  if (listed.kind !== 'ok') throw upstreamError(listed);
  const translations: { language: string; probe: Probe }[] = [];
  for (const { code } of listed.value.languages) {
    translations.push({ language: code, probe: await request(getProduct, { ...product, query: { language: code } }) });
  }
  const sample = translations.find(({ probe }) => probe.answer.kind === 'ok');
  const sampleInput = { ...product, query: { language: sample?.language } };
  const unknown = await request(getProduct, { params: { gtin: chooseUnknownGtin(new Set([gtin, ...assortment])) } });
  const bogus = await request(getProduct, { ...product, query: { language: BOGUS_LANGUAGE } });
  const head = await request(getProduct, { ...sampleInput, method: 'HEAD' });
  const validators = sample?.probe.answer.kind === 'ok' ? sample.probe.answer.validators : {};
  const conditional =
    (validators.etag || validators.lastModified) && (await request(getProduct, { ...sampleInput, validators }));
  const list = await request(listProducts, { query: { page: 1, page_size: 1 } });
  const lines = await request(exportProducts, {
    query: { modified_after: now().toISOString() },
    accept: 'application/x-ndjson',
    maxBytes: MAX_EXPORT_BYTES,
  });

  const headers = sample?.probe.headers ?? index.headers;
  const show = (header: string | undefined) =>
    header && maskSecrets(formatHeaderDate(header), listSecrets(productCredential(upstream)));
  return {
    unauthorisedStatus: classifyRejection(anonymous.answer),
    badTokenStatus: classifyRejection(badTokenProbe.answer),
    unknownProduct: evaluateUnknownProduct(unknown.answer),
    unknownLanguage: evaluateUnknownLanguage(bogus.answer),
    untranslated: translations
      .filter(({ language, probe }) => languageOf(probe.answer, gtin) !== language)
      .map(({ language }) => language),
    validators: {
      etag: Boolean(validators.etag),
      lastModified: Boolean(validators.lastModified),
      notModified: conditional ? conditional.answer.kind === 'not-modified' : false,
    },
    head: head.answer.status === 200,
    additions: {
      list: parseUpstreamResult(list.answer, listProducts.response).kind === 'ok',
      export: lines.answer.status === 200 && /\bndjson\b/i.test(lines.headers['content-type'] ?? ''),
    },
    gzip: /\bgzip\b/i.test(headers['content-encoding'] ?? ''),
    clockSkewSeconds: sample?.probe.skewSeconds ?? index.skewSeconds,
    deprecation: show(headers['deprecation']),
    sunset: show(headers['sunset']),
  };
}

function createRequester(upstream: ProductUpstream, transport: Transport, now: () => Date) {
  const upstreamCredential = productCredential(upstream);
  return async (route: RouteDeclaration, input: ProbeInput = {}): Promise<Probe> => {
    const { params = {}, query = {}, credential = upstreamCredential, ...rest } = input;
    const transportRequest: TransportRequest = {
      accept: 'application/json',
      ...rest,
      url: upstream.root + fillPath(route.path, { ...params }) + serializeQuery({ ...query }),
      credential: credential === 'none' ? undefined : credential,
    };
    const sentAt = now().getTime();
    const exchange = await transport.send(transportRequest);
    const midpointMs = (sentAt + now().getTime()) / 2;
    const answer = classifyResponse(transportRequest, exchange);
    // A response of an unavailable or throttling server says nothing about the interface.
    const isUnavailable =
      exchange.outcome === 'failed'
        ? exchange.transient || rest.maxBytes === undefined
        : exchange.status === 429 || exchange.status >= 502;
    if (isUnavailable && answer.kind !== 'ok') throw upstreamError(answer);
    const headers = exchange.outcome === 'answered' ? exchange.headers : {};
    return { answer, headers, skewSeconds: clockSkewSeconds(headers, midpointMs) };
  };
}

function classifyRejection({ status, kind }: UpstreamResult<unknown>): Rejection {
  if (status === 401 || status === 403) return status;
  return kind === 'ok' ? 'accepted' : 'other';
}

function evaluateUnknownProduct({ kind, status }: UpstreamResult<unknown>): UpstreamProfile['unknownProduct'] {
  if (kind === 'gone') return 'json-404';
  return status === 404 ? 'html-404' : 'other';
}

function evaluateUnknownLanguage({ kind }: UpstreamResult<unknown>): UpstreamProfile['unknownLanguage'] {
  if (kind === 'ok') return 'fallback';
  return kind === 'refused' || kind === 'gone' ? kind : 'other';
}

function languageOf(answer: UpstreamResult<unknown>, gtin: string): string | undefined {
  const reading = answer.kind === 'ok' ? parseProduct(answer.value, { gtin }) : undefined;
  return reading?.ok ? reading.product.language : undefined;
}

/** The `Date` of a cached response is the time of caching; `Age` corrects it. */
function clockSkewSeconds({ date = '', age }: Probe['headers'], ourMs: number): number | undefined {
  const theirMs = Date.parse(date) + (Number(age) || 0) * 1000;
  return Number.isNaN(theirMs) ? undefined : Math.round((theirMs - ourMs) / 1000);
}

/** Returns a valid GTIN-13 that no product has: the highest unused number of the demonstration prefix. */
export function chooseUnknownGtin(known: ReadonlySet<string>): string {
  for (let number = 999_999_999; ; number -= 1) {
    const digits = DEMO_PREFIX + String(number).padStart(9, '0');
    const gtin = digits + gtinCheckDigit(digits);
    if (!known.has(gtin)) return gtin;
  }
}
