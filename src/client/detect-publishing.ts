import { z } from 'zod';
import type { PublishingUpstream } from '#config/index.ts';
import { SortimentError, STOCK_NAMESPACES, type NamespaceMap } from '#contracts/index.ts';
import { siteIndex } from '#contracts/core/index.ts';
import { isTimeZone } from '#contracts/site-clock.ts';
import type { FailedAnswer } from './answer.ts';
import { callJson, readAnswer } from './call-json.ts';
import type { Transport } from './create-transport.ts';
import { restAddress } from './rest-address.ts';
import { upstreamError } from './upstream-error.ts';

/** What the index must say; sites differ in the rest. */
const index = siteIndex.pick({ name: true, description: true, url: true, home: true, namespaces: true }).extend({
  timezone_string: z.string().catch(''),
  gmt_offset: z.coerce.number().catch(0),
});

const FIELDS = Object.keys(index.shape).join();

export interface PublishingSite {
  /** As configured, without a slash at the end. */
  siteUrl: string;
  /** Address of the REST root, up to where a route's path begins. */
  root: string;
  namespaces: NamespaceMap;
  /** All that its index lists, as the site calls them. */
  listed: readonly string[];
  name: string;
  description: string;
  /** Address of its pages, as its index says. */
  home: string;
  /** Address of its files, as its index says; often the same as `home`. */
  url: string;
  /** Name or offset of its time zone, such as `Europe/Berlin` or `+05:30`. UTC if its index has none. */
  timeZone: string;
  /** The server's clock when it was found. */
  serverTime: Date;
}

/** Where REST roots lie, the usual ones first. */
const ROOTS = ['wp-json', 'rest', '?rest_route='];

/**
 * Finds a site's REST root and what it calls its namespaces.
 * @throws SortimentError UPSTREAM_WRONG_ADDRESS when no root answers as one, or none with content routes;
 *   UPSTREAM_UNAUTHORISED, UPSTREAM_UNAVAILABLE and their like for the first root that answers so.
 */
export async function detectPublishing(upstream: PublishingUpstream, transport: Transport): Promise<PublishingSite> {
  const { siteUrl, restRoot } = upstream;
  const failed: FailedAnswer[] = [];
  for (const segment of restRoot === 'detect' ? ROOTS : [restRoot]) {
    const root = segment.startsWith('?')
      ? `${siteUrl}/?rest_route=/`
      : `${siteUrl}/${segment.replace(/^\/|\/$/g, '')}/`;
    const url = restAddress(root, '', { _fields: FIELDS });
    const answer = readAnswer(await callJson(transport, { url }), index);
    if (answer.kind === 'ok') {
      const { name, description, home, url: ownUrl, namespaces } = answer.value;
      return {
        siteUrl,
        root,
        namespaces: mapNamespaces(upstream, root, namespaces),
        listed: namespaces,
        name,
        description,
        home,
        url: ownUrl,
        timeZone: timeZoneOf(answer.value),
        serverTime: readDate(answer.headers['date']),
      };
    }
    if (answer.kind === 'unavailable' || answer.kind === 'throttled') throw upstreamError(answer);
    failed.push(answer);
  }
  throw nothingFound(siteUrl, failed);
}

/** Sites have a named zone or a fixed number of hours. */
function timeZoneOf({ timezone_string: name, gmt_offset: hours }: z.output<typeof index>): string {
  if (isTimeZone(name)) return name;
  const minutes = Math.round(Math.abs(hours) * 60);
  const offset = `${hours < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
  return isTimeZone(offset) ? offset : 'UTC';
}

const pad = (number: number): string => String(number).padStart(2, '0');

function readDate(header: string | undefined): Date {
  const time = Date.parse(header ?? '');
  return Number.isNaN(time) ? new Date() : new Date(time);
}

function mapNamespaces(upstream: PublishingUpstream, root: string, present: readonly string[]): NamespaceMap {
  if (upstream.namespaces !== 'detect') return upstream.namespaces;
  if (present.includes('core/v2')) return {};
  if (present.includes(STOCK_NAMESPACES['core/v2'])) return STOCK_NAMESPACES;
  throw new SortimentError(
    'UPSTREAM_WRONG_ADDRESS',
    `The index at ${root} lists neither core/v2 nor ${STOCK_NAMESPACES['core/v2']}, but ${present.join(', ') || 'nothing'}.`,
    { hint: 'Set PUBLISHING_NAMESPACES, such as "core/v2=acme/v2", if the site calls them something else.' },
  );
}

function nothingFound(siteUrl: string, failed: readonly FailedAnswer[]): SortimentError {
  const [first] = failed;
  const refused = failed.find((answer) => answer.kind === 'unauthorised') ?? (failed.length === 1 ? first : undefined);
  const hint = 'Set PUBLISHING_URL to the site itself, and PUBLISHING_REST_ROOT if its REST root has another name.';
  if (refused) return upstreamError(refused, { addressHint: hint });
  const tried = failed.map(({ method, url, detail }) => `  [${method}] "${url}": ${detail}`).join('\n');
  return new SortimentError('UPSTREAM_WRONG_ADDRESS', `No REST root was found below ${siteUrl}:\n${tried}`, { hint });
}
