import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson } from '#client/testing/test-server.ts';
import type { TestUpstream } from './test-upstream.ts';

type Row = Record<string, unknown>;

/** An audio file of the test server, which supports ranges and conditional requests. */
export interface TestAudio {
  body: Buffer;
  etag?: string;
  type?: string;
  /** Closes the connection once after this many bytes of a response. */
  cutAfter?: number | undefined;
  /** Called once instead of closing the connection. Nothing more is sent. */
  onCut?: (() => void) | undefined;
}

/** The podcast of the test server. Tests change it as editors do. */
export interface TestPodcast {
  podcast: Row;
  /** Undefined on a server without shows. */
  shows: Row[] | undefined;
  player: Row | undefined;
  episodes: TestEpisode[];
  /** By path. */
  audioFiles: Map<string, TestAudio>;
  /** Adds an episode with its page, audio and transcript. */
  add(id: number, changes?: Partial<TestEpisode>): TestEpisode;
  /** Updates the page date, as saving an episode does. */
  touch(episode: TestEpisode, at: string): void;
  url(path: string): string;
}

export interface TestEpisode {
  v2: Row;
  v1: Row;
  page: Row & { id: number };
}

/** Creates an MP3 of a given size: the beginning of a real one, then filler bytes. */
export function createAudio(bytes: number, fill = 0): Buffer {
  const tone = readFileSync(new URL('../../../content/demo/podcast/audio/minus-five.mp3', import.meta.url));
  const body = Buffer.alloc(bytes, fill);
  tone.copy(body, 0, 0, Math.min(bytes, 8192));
  return body;
}

/** Adds a podcast to the test server, with recorded responses (`podcast/v1`, `podcast/v2`, `core/v2/episodes`). */
export function addPodcast(upstream: TestUpstream): TestPodcast {
  upstream.namespaces.push('podcast/v1', 'podcast/v2', 'player/shortcode');
  upstream.lists['episodes'] = [];
  const url = (path: string) => `${upstream.server.origin}${path}`;
  const podcast: TestPodcast = {
    podcast: {
      _version: 'v2',
      guid: '4c0f6d2e-3f0e-4a4b-8a52-7d5a35c5d3a1',
      title: 'Wall Notes',
      subtitle: 'On walls',
      summary: 'About <em>walls</em> &amp; more',
      mnemonic: 'WN',
      itunes_type: 'episodic',
      author_name: 'Acme',
      podcast_email: 'owner@acme.example',
      poster: null,
      link: upstream.server.origin,
      funding_url: null,
      funding_label: null,
      copyright: '© 2026 Acme',
      explicit: false,
      category: 'Arts > Books',
      language: 'German - Germany',
      license_url: null,
      license_name: null,
      feeds: [],
    },
    shows: undefined,
    player: { 'subscribe-button': { feed: 'mp3', clients: [{ id: 'apple-podcasts', service: 'id123' }] } },
    episodes: [],
    audioFiles: new Map(),
    add: (id, changes = {}) => {
      const episode = { ...createEpisode(id, url), ...changes };
      podcast.episodes.push(episode);
      upstream.lists['episodes']?.push(episode.page);
      podcast.audioFiles.set(`/audio/${id}.mp3`, { body: createAudio(70_000, id % 251), etag: `"s${id}"` });
      return episode;
    },
    touch: (episode, at) => Object.assign(episode.page, { modified: at, modified_gmt: at }),
    url,
  };
  upstream.fault = (_, request, response) =>
    answerAudio(podcast, request, response) || answer(podcast, request, response);
  return podcast;
}

function createEpisode(id: number, url: (path: string) => string): TestEpisode {
  const audio = { url: url(`/audio/${id}.mp3`), size: 70_000, title: 'MP3 Audio (mp3)', mimeType: 'audio/mpeg' };
  const shared = {
    title: `Episode ${id}`,
    title_clean: `Episode ${id}`,
    number: String(id),
    audio: [audio],
    files: [audio],
  };
  const page = 1000 + id;
  return {
    v2: {
      _version: 'v2',
      id,
      guid: `guid-${id}`,
      slug: `wn${id}`,
      slug_frozen: true,
      post_id: String(page),
      subtitle: '',
      summary: 'Short',
      duration: '00:01:10.000',
      type: 'full',
      publicationDate: '2026-11-02T07:00:00+01:00',
      recording_date: null,
      poster: null,
      episode_poster: null,
      link: url(`/episode-${id}/`),
      mnemonic: `WN${id}`,
      soundbite_start: null,
      soundbite_duration: null,
      soundbite_title: null,
      explicit: false,
      license_name: null,
      license_url: null,
      ext_chapter_timing_maps: {},
      show: '',
      ...shared,
    },
    v1: {
      _version: 'v1',
      id: String(id),
      slug: `episode-${id}`,
      content: '<p>With the player</p>',
      chapters: [
        { start: '00:00:00.000', title: 'Intro', href: '', image: '' },
        { start: '00:00:30.000', title: 'Foils', href: '/01/09524010000016', image: '' },
      ],
      ...shared,
    },
    page: {
      id: page,
      date: '2026-11-02T07:00:00',
      date_gmt: '2026-11-02T06:00:00',
      modified: '2026-11-02T06:00:00',
      modified_gmt: '2026-11-02T06:00:00',
      slug: `episode-${id}`,
      status: 'publish',
      type: 'podcast',
      link: url(`/episode-${id}/`),
      title: { rendered: `Episode ${id}` },
      content: { rendered: `<p>Notes ${id}</p>`, protected: false },
      author: 1,
      featured_media: 0,
      tags: [],
    },
  };
}

function answer(podcast: TestPodcast, { url = '' }: IncomingMessage, response: ServerResponse): boolean {
  const [, route = ''] = /^\/wp-json\/((?:podcast|player)\/[^?]*)/.exec(url) ?? [];
  if (route === '') return false;
  const [, version, id] = /^podcast\/(v[12])\/episodes\/(\d+)$/.exec(route) ?? [];
  const episode = podcast.episodes.find(({ v2 }) => String(v2['id']) === id);
  const isPublic = episode?.page['status'] === 'publish';
  const rows = podcast.episodes.filter(({ page }) => page['status'] === 'publish').map(({ v2 }) => v2);
  if (route === 'podcast/v2/podcast') sendJson(response, podcast.podcast);
  else if (route === 'podcast/v2/shows' && podcast.shows)
    sendJson(response, { results: podcast.shows, _version: 'v2' });
  else if (route === 'podcast/v2/episodes')
    sendJson(response, { results: rows.map((row) => ({ id: row['id'], title: row['title'] })), _version: 'v2' });
  else if (episode && isPublic) sendJson(response, version === 'v1' ? episode.v1 : episode.v2);
  else if (route.startsWith('player/shortcode/config/') && podcast.player) sendJson(response, podcast.player);
  else
    sendJson(
      response,
      { code: id ? 'rest_not_found' : 'rest_no_route', message: '', data: { status: 404 } },
      { status: 404 },
    );
  return true;
}

function answerAudio(podcast: TestPodcast, request: IncomingMessage, response: ServerResponse): boolean {
  const audio = podcast.audioFiles.get(request.url ?? '');
  if (!audio) return false;
  const { body, etag, type = 'audio/mpeg', cutAfter } = audio;
  const head = { 'content-type': type, 'accept-ranges': 'bytes', ...(etag && { etag }) };
  const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const isRest = from > 0 && from < body.length && request.headers['if-range'] === etag;
  const bodyPart = isRest ? body.subarray(from) : body;
  if (etag && request.headers['if-none-match'] === etag) response.writeHead(304, head).end();
  else {
    const range = isRest && { 'content-range': `bytes ${from}-${body.length - 1}/${body.length}` };
    response.writeHead(isRest ? 206 : 200, { ...head, 'content-length': bodyPart.length, ...range });
    if (request.method === 'HEAD') response.end();
    else if (cutAfter === undefined) response.end(bodyPart);
    else {
      const { onCut = () => response.destroy() } = audio;
      audio.cutAfter = audio.onCut = undefined;
      response.write(bodyPart.subarray(0, cutAfter), () => onCut());
    }
  }
  return true;
}
