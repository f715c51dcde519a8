import { describe, expect, it, test } from 'vitest';
import type { RouteDeclaration } from '../route.ts';
import * as player from '../player/routes.ts';
import { parseValue } from '../parse-value.ts';
import * as administration from './administration.ts';
import * as analytics from './analytics.ts';
import * as episodes from './episode-routes.ts';
import * as record from './record.ts';

const podcast = { ...administration, ...analytics, ...episodes, ...record };

const isRoute = (value: unknown): value is RouteDeclaration =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'response' in value;

/** Lists the exports of a module and the members of exported route groups. */
const routesOf = (module: object): RouteDeclaration[] =>
  Object.values(module).flatMap((value: unknown) =>
    isRoute(value) ? [value] : typeof value === 'object' && value !== null ? Object.values(value).filter(isRoute) : [],
  );
const listed = (module: object): string[] =>
  routesOf(module)
    .map(({ method, also = [], path }) => `${path} ${[method, ...also].join(' ')}`)
    .toSorted();

test('every route of the podcast is declared once', () => {
  expect(listed(podcast).filter((line) => !line.startsWith('core/v2/'))).toEqual(
    [
      'podcast/v1/analytics/episodes GET',
      'podcast/v1/analytics/episodes/<id> GET',
      'podcast/v1/analytics/episodes/<ids> GET',
      'podcast/v1/episodes GET',
      'podcast/v1/episodes/<id> GET',
      'podcast/v1/episodes/<id> POST PUT PATCH',
      'podcast/v1/show GET',
      'podcast/v2/admin/onboarding GET',
      'podcast/v2/admin/onboarding POST PUT PATCH',
      'podcast/v2/admin/plus/episodes_for_migration GET',
      'podcast/v2/admin/plus/features GET',
      'podcast/v2/admin/plus/save_token POST PUT PATCH',
      'podcast/v2/admin/plus/set_feature POST PUT PATCH',
      'podcast/v2/admin/plus/token GET',
      'podcast/v2/admin/plus/validate_token GET',
      'podcast/v2/analytics/episodes GET',
      'podcast/v2/analytics/episodes/<id> GET',
      'podcast/v2/analytics/episodes/<ids> GET',
      'podcast/v2/chapters/<id> DELETE',
      'podcast/v2/chapters/<id> GET',
      'podcast/v2/chapters/<id> POST',
      'podcast/v2/chapters/<id> PUT PATCH',
      'podcast/v2/episodes GET',
      'podcast/v2/episodes POST',
      'podcast/v2/episodes/<id> DELETE',
      'podcast/v2/episodes/<id> GET',
      'podcast/v2/episodes/<id> POST PUT PATCH',
      'podcast/v2/episodes/<id>/build_slug GET',
      'podcast/v2/episodes/<id>/freeze_slug POST PUT PATCH',
      'podcast/v2/episodes/<id>/media GET',
      'podcast/v2/episodes/<id>/media/<asset_id>/disable POST PUT PATCH',
      'podcast/v2/episodes/<id>/media/<asset_id>/enable POST PUT PATCH',
      'podcast/v2/episodes/<id>/media/<asset_id>/verify POST PUT PATCH',
      'podcast/v2/episodes/<id>/tags DELETE',
      'podcast/v2/episodes/<id>/tags GET',
      'podcast/v2/episodes/<id>/tags POST PUT PATCH',
      'podcast/v2/episodes/<id>/unfreeze_slug POST PUT PATCH',
      'podcast/v2/feeds GET',
      'podcast/v2/onboarding/setup POST PUT PATCH',
      'podcast/v2/plus/check_file_exists POST',
      'podcast/v2/plus/complete_file_upload POST',
      'podcast/v2/plus/create_file_upload POST',
      'podcast/v2/plus/generate_filename POST',
      'podcast/v2/plus/get_migration_status GET',
      'podcast/v2/plus/migrate_file POST',
      'podcast/v2/plus/set_migration_complete POST',
      'podcast/v2/podcast GET',
      'podcast/v2/podcast POST PUT PATCH',
      'podcast/v2/shows GET',
      'podcast/v2/shows POST',
      'podcast/v2/shows/<id> DELETE',
      'podcast/v2/shows/<id> GET',
      'podcast/v2/shows/<id> POST PUT PATCH',
      'podcast/v2/tools/clear-caches DELETE',
    ].toSorted(),
  );
});

test('every route of the player is declared once', () => {
  expect(listed(player)).toEqual(
    [
      'player/5.9.2/bootstrap GET',
      'player/5.9.2/config/<id> DELETE',
      'player/5.9.2/config/<id> POST',
      'player/5.9.2/settings POST',
      'player/5.9.2/shows GET',
      'player/5.9.2/template/<id> DELETE',
      'player/5.9.2/template/<id> POST',
      'player/5.9.2/theme/<id> DELETE',
      'player/5.9.2/theme/<id> POST',
      'player/options GET',
      'player/shortcode/config/<config>/theme/<theme> GET',
      'player/shortcode/config/<config>/theme/<theme>/<path> GET',
      'player/shortcode/podcast GET',
      'player/shortcode/post/<id> GET',
      'player/shortcode/publisher/<id> GET',
      'player/shortcode/show/<slug> GET',
    ].toSorted(),
  );
});

test('a page of an episode has what a post has, but what only articles need', () => {
  const fields = Object.keys(podcast.episodePage.shape);
  expect(fields).toEqual(expect.arrayContaining(['status', 'date', 'author', 'password', 'content', 'tags', 'link']));
  for (const missing of ['excerpt', 'sticky', 'format', 'categories']) {
    expect(fields).not.toContain(missing);
    expect(Object.keys(podcast.episodePageRoutes.update.body.shape)).not.toContain(missing);
  }
});

const readEpisode = (body: unknown) => parseValue(podcast.updateEpisode.body, body);

describe('what is written of an episode', () => {
  it('may be as editors and forms send it', () => {
    const body = {
      title: '',
      number: '12',
      slug: '  season1/wn 007 ö  ',
      duration: '1:02:03.456',
      explicit: '0',
      is_ext_production_running: true,
      ext_chapter_timing_maps: { abc: { source_starts_ms: [0, 1000], output_starts_ms: [0, 900] } },
      ext_webhook_config: { authkey: 'k', enabled: 'true' },
      episode_poster: '',
      recording_date: '2026-01-05',
      status: 'publish',
    };
    expect(readEpisode(body)).toEqual({
      ok: true,
      value: {
        title: '',
        number: 12,
        slug: 'season1/wn 007 ö',
        duration: '1:02:03.456',
        explicit: false,
        is_ext_production_running: true,
        ext_chapter_timing_maps: { abc: { source_starts_ms: [0, 1000], output_starts_ms: [0, 900] } },
        ext_webhook_config: { authkey: 'k', enabled: true },
        episode_poster: '',
        recording_date: '2026-01-05',
      },
    });
  });

  it.each([
    { title: null },
    { number: -3 },
    { number: 1.5 },
    { number: 1e9 },
    { guid: '' },
    { slug: '../../etc/passwd' },
    { slug: 'a\\b' },
    { duration: '' },
    { duration: '1:60' },
    { soundbite_start: '' },
    { type: 'FULL' },
    { explicit: 'yes' },
    { cover: 'javascript:alert(1)' },
    { episode_poster: 'nonsense' },
    { ext_webhook_config: { enabled: true } },
    { ext_chapter_timing_maps: 'x' },
    {
      ext_chapter_timing_maps: { a: { source_starts_ms: Array.from({ length: 1001 }, () => 0), output_starts_ms: [] } },
    },
    { recording_date: '2026-13-45' },
    { recording_date: 'soon' },
    { summary: 'x'.repeat(65_536) },
  ])('is not %j', (body) => {
    expect(readEpisode(body).ok).toBe(false);
  });
});

describe('what is written of the podcast', () => {
  it.each([
    { cover_image: '' },
    { cover_image: 'ftp.example.org' },
    { funding_url: 'javascript:alert(1)' },
    { funding_url: 'https://example.org/ <b>' },
    { podcast_email: '' },
    { podcast_email: 'nobody' },
    { category: 'Arts > Books' },
    { language: 'German' },
    { title: null },
    { guid: '' },
  ])('is not %j', (body) => {
    expect(parseValue(podcast.podcastBody, body).ok).toBe(false);
  });

  it('may be any of its texts, and leaves out what it does not know', () => {
    const body = { title: '', explicit: 'TRUE', category: 'Stand-Up', language: 'de-CH', itunes_type: 'serial' };
    expect(parseValue(podcast.podcastBody, body)).toEqual({
      ok: true,
      value: { title: '', explicit: true, category: 'Stand-Up', language: 'de-CH' },
    });
  });
});

const idsOf = (term_id: unknown) => podcast.addEpisodeTags.body.parse({ term_id }).term_id;

test('ids of tags may be one or several; what is none is passed over', () => {
  expect(idsOf(5)).toEqual([5]);
  expect(idsOf(['6', 7, -1, 'x', null, 1.5])).toEqual([6, 7]);
  expect(idsOf('x')).toEqual([]);
});

test('numbers that other servers send as text are numbers', () => {
  const row = { asset_id: '1', asset: 'MP3 Audio', url: 'https://media.test/x.mp3', size: '64592', enable: true };
  const { results } = podcast.listEpisodeMedia.response.parse({ _version: 'v2', results: [row] });
  expect(results).toEqual([{ ...row, asset_id: 1, size: 64_592 }]);
});
