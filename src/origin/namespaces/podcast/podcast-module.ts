import { fileURLToPath } from 'node:url';
import { every } from 'hono/combine';
import {
  addEpisodeTags,
  buildSlug,
  createChapters,
  createEpisode,
  deleteChapters,
  deleteEpisode,
  freezeSlug,
  getChapters,
  getEpisode,
  getEpisodeV1,
  listEpisodes,
  listEpisodesV1,
  listEpisodeTags,
  removeEpisodeTags,
  replaceChapters,
  unfreezeSlug,
  updateEpisode,
  updateEpisodeV1,
} from '#contracts/podcast/episode-routes.ts';
import {
  createPodcastShow,
  deletePodcastShow,
  getPodcastShow,
  listPodcastShows,
  updatePodcastShow,
  getPodcast,
  getShow,
  listFeeds,
  updatePodcast,
} from '#contracts/podcast/record.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { serveAdministration } from './administration.ts';
import {
  handleGetPodcast,
  handleGetPodcastV1,
  authorizePodcastWrite,
  handleUpdatePodcast,
  handleListFeeds,
  PODCAST_EVENT,
  rewriteSiteAddresses,
} from './podcast-record.ts';
import {
  handleCreateChapters,
  handleGetChapters,
  serveChapterFiles,
  handleReplaceChapters,
  handleDeleteChapters,
  handleBuildSlug,
  createFreezeHandler,
  handleAddTags,
  handleListTags,
  handleRemoveTags,
} from './change-episode.ts';
import { episodePages, authorizeEpisodeRead, authorizeEpisodeDelete, authorizeEpisodeWrite } from './find-episode.ts';
import { trackDownloads, analyticsForms, serveAnalytics } from './downloads/downloads.ts';
import { serveFeeds } from './feed/serve-feeds.ts';
import {
  handleListEpisodes,
  handleListEpisodesV1,
  authorizeEpisodeList,
  handleGetEpisode,
  handleGetEpisodeV1,
} from './present-episode.ts';
import { serveEpisodeMedia } from './media/episode-media.ts';
import {
  handleCreateShow,
  handleGetShow,
  handleListShows,
  handleDeleteShow,
  SHOW_EVENT,
  handleUpdateShow,
} from './shows.ts';
import {
  handleCreateEpisode,
  authorizeEpisodeCreate,
  handleDeleteEpisode,
  handleUpdateEpisode,
  handleUpdateEpisodeV1,
} from './write-episode.ts';

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
    serveRecord(registry);
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

function serveRecord(registry: RouteRegistry): void {
  registry.serve(getShow, handleGetPodcastV1);
  registry.serve(getPodcast, handleGetPodcast);
  registry.serve(updatePodcast, handleUpdatePodcast, { permit: authorizePodcastWrite });
  registry.serve(listFeeds, handleListFeeds);

  const rules = { permit: authorizePodcastWrite };
  registry.serve(listPodcastShows, handleListShows);
  registry.serve(createPodcastShow, handleCreateShow, rules);
  registry.serve(getPodcastShow, handleGetShow);
  registry.serve(updatePodcastShow, handleUpdateShow, rules);
  registry.serve(deletePodcastShow, handleDeleteShow, rules);
}

function serveEpisodes(registry: RouteRegistry): void {
  registry.serve(listEpisodesV1, handleListEpisodesV1);
  registry.serve(getEpisodeV1, handleGetEpisodeV1, { permit: authorizeEpisodeRead });
  registry.serve(updateEpisodeV1, handleUpdateEpisodeV1, { permit: authorizeEpisodeWrite });

  registry.serve(listEpisodes, handleListEpisodes, { permit: authorizeEpisodeList });
  registry.serve(createEpisode, handleCreateEpisode, { permit: authorizeEpisodeCreate });
  registry.serve(getEpisode, handleGetEpisode, { permit: authorizeEpisodeRead });
  registry.serve(updateEpisode, handleUpdateEpisode, { permit: authorizeEpisodeWrite });
  registry.serve(deleteEpisode, handleDeleteEpisode, { permit: authorizeEpisodeDelete });
}

/** Serves the routes below an episode: slug, chapters and tags. */
function serveEpisodeParts(registry: RouteRegistry): void {
  const rules = { permit: authorizeEpisodeWrite };
  registry.serve(buildSlug, handleBuildSlug, rules);
  registry.serve(freezeSlug, createFreezeHandler(true), rules);
  registry.serve(unfreezeSlug, createFreezeHandler(false), rules);

  registry.serve(getChapters, handleGetChapters, { permit: authorizeEpisodeRead });
  registry.serve(createChapters, handleCreateChapters, rules);
  registry.serve(replaceChapters, handleReplaceChapters, rules);
  registry.serve(deleteChapters, handleDeleteChapters, rules);

  registry.serve(listEpisodeTags, handleListTags, { permit: authorizeEpisodeRead });
  registry.serve(addEpisodeTags, handleAddTags, rules);
  registry.serve(removeEpisodeTags, handleRemoveTags, rules);
}
