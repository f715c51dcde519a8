import {
  probeProductInterface,
  writeUpstreamProfile,
  type UpstreamProfile,
} from '#client/probe/probe-product-interface.ts';
import type { Transport } from '#client/create-transport.ts';
import type { ProductUpstream, Settings } from '#config/index.ts';
import { isSortimentError } from '#contracts/index.ts';
import { ok, warn, type Finding } from './finding.ts';

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
