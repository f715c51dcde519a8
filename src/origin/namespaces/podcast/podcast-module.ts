import { fileURLToPath } from 'node:url';
import { every } from 'hono/combine';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { serveAdministration } from './administration.ts';
import { serveChapterFiles, serveEpisodeParts } from './change-episode.ts';
import { analyticsForms, serveAnalytics, trackDownloads } from './downloads/downloads.ts';
import { serveEpisodes } from './episodes.ts';
import { serveFeeds } from './feed/serve-feeds.ts';
import { episodePages } from './find-episode.ts';
import { serveEpisodeMedia } from './media/episode-media.ts';
import { PODCAST_EVENT, rewriteSiteAddresses, servePodcast } from './podcast-record.ts';
import { serveShows, SHOW_EVENT } from './shows.ts';

/** The namespaces `podcast/v1` and `podcast/v2`, and the pages of episodes. */
export const podcast: NamespaceModule = {
  name: 'podcast',
  description: 'A podcast: its shows, episodes with their files and chapters, feeds and download counts.',
  namespaces: ['podcast/v1', 'podcast/v2'],
  migrations: fileURLToPath(new URL('migrations', import.meta.url)),
  contentKinds: [episodePages],
  unshownTables: ['podcast_download', 'podcast_salt'],
  events: { [PODCAST_EVENT]: 'The podcast itself', [SHOW_EVENT]: 'A show of the podcast' },
  serve(registry) {
    servePodcast(registry);
    serveShows(registry);
    serveEpisodes(registry);
    serveAdministration(registry);
    serveEpisodeParts(registry);
    serveEpisodeMedia(registry);
    serveAnalytics(registry);
  },
  forms: analyticsForms,
  async start(context) {
    await rewriteSiteAddresses(context);
    return { stop: () => Promise.resolve() };
  },
  pages: (context) => every(serveChapterFiles(context), serveFeeds(context), trackDownloads(context)),
};
