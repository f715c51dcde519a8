import {
  copyrightLine,
  displayCategory,
  displayLanguage,
  type getPodcast,
  type getShow,
  type updatePodcast,
} from '#contracts/podcast/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { item, type AnswerOf, type AnyCall, type Call } from '#origin/platform/http/transport/index.ts';
import { feedAddress } from './feed/find-feed.ts';
import { discoverableFeeds } from './feeds.ts';
import { changeRecord, loadRecord, type PodcastRecord } from './record.ts';
import { sentOnly } from './tables.ts';

/** Returns the podcast for version 1. */
export async function answerShow(call: Call<typeof getShow>): Promise<AnswerOf<typeof getShow>> {
  return item({ _version: 'v1', ...presentHead(await loadRecord(call), call) });
}

export async function answerPodcast(call: Call<typeof getPodcast>): Promise<AnswerOf<typeof getPodcast>> {
  const record = await loadRecord(call);
  const feeds = await discoverableFeeds(call);
  const { guid, author_name: author, title, copyright } = record;
  const owner = { copyright: copyright ?? undefined, author: author ?? undefined, title: title ?? undefined };
  return item({
    _version: 'v2',
    guid,
    ...presentHead(record, call),
    podcast_email: record.podcast_email,
    funding_url: record.funding_url,
    funding_label: record.funding_label,
    copyright: copyrightLine(owner, new Date().getUTCFullYear()),
    explicit: record.explicit,
    category: displayCategory(record.category ?? undefined),
    language: displayLanguage(record.language ?? undefined),
    license_url: record.license_url,
    license_name: record.license_name,
    feeds: feeds.map(({ slug }) => ({ [slug]: feedAddress(call, slug) })),
  });
}

function presentHead(record: PodcastRecord, { addresses }: Pick<AnyCall, 'addresses'>) {
  const { title, subtitle, summary, mnemonic, itunes_type, author_name, cover_image } = record;
  return { title, subtitle, summary, mnemonic, itunes_type, author_name, poster: cover_image, link: addresses.site };
}

export function permitRecordWriting({ caller, refuse }: AnyCall): void {
  if (!can(caller, 'manage_options'))
    throw refuse('rest_forbidden', 'Only users who manage the site may set up the podcast.');
}

/** Updates the sent fields of the podcast. */
export async function updateRecord(call: Call<typeof updatePodcast>): Promise<AnswerOf<typeof updatePodcast>> {
  const values = sentOnly<PodcastRecord>(call.body);
  if (Object.keys(values).length > 0) await changeRecord(call, values);
  return item({ status: 'ok' });
}
