import type { ProductUpstream } from '#config/index.ts';
import { fillPath, type RouteDeclaration, gtinCheckDigit } from '#contracts/index.ts';
import { readProduct } from '#contracts/product/index.ts';
import { exportProducts, getProduct, getProductIndex, listProducts } from '#contracts/product/routes.ts';
import type { Answer, Validators } from '../answer.ts';
import { readAnswer } from '../call-json.ts';
import { classifyAnswer } from '../classify-answer.ts';
import { productCredential, secretsOf, type Credential } from '../credential.ts';
import type { Transport } from '../create-transport.ts';
import type { Exchange, TransportRequest } from '../exchange.ts';
import { productClient } from '../product-client.ts';
import { readMoment } from '../read-moment.ts';
import { serializeQuery } from '../serialize-query.ts';
import { displayUrl, maskSecrets, upstreamError } from '../upstream-error.ts';
import type { UpstreamProfile } from './upstream-profile.ts';

/** GS1 keeps this prefix for demonstrations: nobody's trade item has it. */
const DEMO_PREFIX = '952';

export interface ProbeOptions {
  transport: Transport;
  /** A product that the interface knows. */
  gtin: string;
  /** GTINs that are not to be taken for unknown ones. */
  assortment: readonly string[];
  now?: () => Date;
}

/** As long as a token and of its characters, but nobody's. */
const BAD_TOKEN = '0'.repeat(40);
/** Reserved for private use by ISO 639, so that no interface lists it. */
const BOGUS_LANGUAGE = 'qzz-zz';
/** An export that pays no regard to `modified_after` isn't read to its end. */
const MAX_EXPORT_BYTES = 262_144;

interface Probe {
  answer: Answer<unknown>;
  /** Of the answer, names in lower case. */
  headers: Readonly<Record<string, string>>;
  skewSeconds: number | undefined;
}

type Ask = (
  route: RouteDeclaration,
  input?: {
    params?: object;
    query?: object;
    /** @default the upstream's */
    credential?: Credential | 'none';
    method?: 'GET' | 'HEAD';
    accept?: string;
    validators?: Validators;
    maxBytes?: number;
  },
) => Promise<Probe>;

/**
 * Probes an interface, one request at a time, for what its documentation leaves open.
 * @throws SortimentError UPSTREAM_… for an answer that says nothing of the question: the server is away, asks for
 * patience, or doesn't accept the token.
 */
export async function probeProductInterface(
  upstream: ProductUpstream,
  options: ProbeOptions,
): Promise<UpstreamProfile> {
  const { gtin, assortment, now = () => new Date() } = options;
  const ask = asker(upstream, options.transport, now);
  const product = { params: { gtin } };

  const anonymous = await ask(getProduct, { ...product, credential: 'none' });
  const bad = productCredential({ root: upstream.root, token: BAD_TOKEN });
  const stranger = await ask(getProduct, { ...product, ...(bad && { credential: bad }) });
  const index = await ask(getProductIndex);
  const { languages } = requireOk(await productClient(upstream, options.transport).languages());
  const translations: { language: string; probe: Probe }[] = [];
  for (const { code } of languages) {
    translations.push({ language: code, probe: await ask(getProduct, { ...product, query: { language: code } }) });
  }
  const sample = translations.find(({ probe }) => probe.answer.kind === 'ok');
  const asSample = { ...product, query: { language: sample?.language } };
  const unknown = await ask(getProduct, { params: { gtin: chooseUnknownGtin(new Set([gtin, ...assortment])) } });
  const bogus = await ask(getProduct, { ...product, query: { language: BOGUS_LANGUAGE } });
  const head = await ask(getProduct, { ...asSample, method: 'HEAD' });
  const validators = sample?.probe.answer.kind === 'ok' ? sample.probe.answer.validators : {};
  const again = (validators.etag || validators.lastModified) && (await ask(getProduct, { ...asSample, validators }));
  const list = await ask(listProducts, { query: { page: 1, page_size: 1 } });
  const lines = await ask(exportProducts, {
    query: { modified_after: now().toISOString() },
    accept: 'application/x-ndjson',
    maxBytes: MAX_EXPORT_BYTES,
  });

  const headers = sample?.probe.headers ?? index.headers;
  const show = (header: string | undefined) =>
    header && maskSecrets(readMoment(header), secretsOf(productCredential(upstream)));
  return {
    probedAt: now().toISOString(),
    base: displayUrl(upstream.root),
    unauthorisedStatus: refusalOf(anonymous.answer),
    badTokenStatus: refusalOf(stranger.answer),
    index: index.answer.kind === 'ok',
    unknownProduct: evaluateUnknownProduct(unknown.answer),
    unknownLanguage: evaluateUnknownLanguage(bogus.answer),
    untranslated: translations
      .filter(({ language, probe }) => languageOf(probe.answer, gtin) !== language)
      .map(({ language }) => language),
    validators: {
      etag: Boolean(validators.etag),
      lastModified: Boolean(validators.lastModified),
      notModified: again ? again.answer.kind === 'not-modified' : false,
    },
    head: head.answer.status === 200,
    additions: {
      list: readAnswer(list.answer, listProducts.response).kind === 'ok',
      export: lines.answer.status === 200 && /\bndjson\b/i.test(lines.headers['content-type'] ?? ''),
    },
    gzip: /\bgzip\b/i.test(headers['content-encoding'] ?? ''),
    clockSkewSeconds: sample?.probe.skewSeconds ?? index.skewSeconds,
    deprecation: show(headers['deprecation']),
    sunset: show(headers['sunset']),
  };
}

function asker(upstream: ProductUpstream, transport: Transport, now: () => Date): Ask {
  const own = productCredential(upstream);
  return async (route, { params = {}, query = {}, credential = own, ...rest } = {}) => {
    const request: TransportRequest = {
      accept: 'application/json',
      ...rest,
      url: upstream.root + fillPath(route.path, { ...params }) + serializeQuery({ ...query }),
      credential: credential === 'none' ? undefined : credential,
    };
    const sentAt = now().getTime();
    const exchange = await transport.send(request);
    const middle = (sentAt + now().getTime()) / 2;
    const answer = classifyAnswer(request, exchange);
    if (isNoAnswer(exchange, rest.maxBytes !== undefined)) throw upstreamError(requireFailed(answer));
    const headers = exchange.outcome === 'answered' ? exchange.headers : {};
    return { answer, headers, skewSeconds: skewOf(headers, middle) };
  };
}

/** A server that is away or asks for patience isn't asked on, and what it says is no trait of it. */
function isNoAnswer(exchange: Exchange, mayBeTooLarge: boolean): boolean {
  if (exchange.outcome === 'failed') return exchange.transient || !mayBeTooLarge;
  return exchange.status === 429 || exchange.status >= 502;
}

function requireOk<T>(answer: Answer<T>): T {
  if (answer.kind !== 'ok') throw upstreamError(answer);
  return answer.value;
}

function requireFailed<T>(answer: Answer<T>): Exclude<Answer<T>, { kind: 'ok' }> {
  if (answer.kind === 'ok') throw new Error('An answer that never came was good.');
  return answer;
}

function refusalOf({ status, kind }: Answer<unknown>): UpstreamProfile['unauthorisedStatus'] {
  if (status === 401 || status === 403) return status;
  return kind === 'ok' ? 'accepted' : 'other';
}

function evaluateUnknownProduct({ kind, status }: Answer<unknown>): UpstreamProfile['unknownProduct'] {
  if (kind === 'gone') return 'json-404';
  return status === 404 ? 'html-404' : 'other';
}

function evaluateUnknownLanguage({ kind }: Answer<unknown>): UpstreamProfile['unknownLanguage'] {
  if (kind === 'ok') return 'fallback';
  return kind === 'refused' || kind === 'gone' ? kind : 'other';
}

function languageOf(answer: Answer<unknown>, gtin: string): string | undefined {
  const reading = answer.kind === 'ok' ? readProduct(answer.value, { gtin }) : undefined;
  return reading?.ok ? reading.product.language : undefined;
}

/** What came out of a cache was dated when it went in. */
function skewOf({ date = '', age }: Probe['headers'], ourMs: number): number | undefined {
  const theirMs = Date.parse(date) + (Number(age) || 0) * 1000;
  return Number.isNaN(theirMs) ? undefined : Math.round((theirMs - ourMs) / 1000);
}

/** A valid GTIN-13 that no product has: of the demonstration prefix, counted down from its end past those that are known. */
export function chooseUnknownGtin(known: ReadonlySet<string>): string {
  for (let number = 999_999_999; ; number -= 1) {
    const digits = DEMO_PREFIX + String(number).padStart(9, '0');
    const gtin = digits + gtinCheckDigit(digits);
    if (!known.has(gtin)) return gtin;
  }
}
