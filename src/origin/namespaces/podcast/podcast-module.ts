import { fileURLToPath } from 'node:url';
import { every } from 'hono/combine';
import {
  addEpisodeTags,
  buildSlug,
  createChapters,
  createEpisode,
  createPodcastShow,
  deleteChapters,
  deleteEpisode,
  deletePodcastShow,
  freezeSlug,
  getChapters,
  getEpisode,
  getEpisodeV1,
  getPodcast,
  getPodcastShow,
  getShow,
  listEpisodes,
  listEpisodesV1,
  listEpisodeTags,
  listFeeds,
  listPodcastShows,
  removeEpisodeTags,
  replaceChapters,
  unfreezeSlug,
  updateEpisode,
  updateEpisodeV1,
  updatePodcast,
  updatePodcastShow,
} from '#contracts/podcast/index.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/index.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { serveAdministration } from './administration.ts';
import { answerPodcast, answerShow, permitRecordWriting, updateRecord } from './answer-record.ts';
import { addChapters, answerChapters, chapterPages, putChapters, removeChapters } from './chapters.ts';
import { episodePages } from './episode-pages.ts';
import { trackedFiles } from './downloads/count-downloads.ts';
import { analyticsForms, serveAnalytics } from './downloads/serve-analytics.ts';
import { feedPages } from './feed/serve-feeds.ts';
import { answerFeeds } from './feeds.ts';
import { followSiteAddress } from './follow-site-address.ts';
import { permitEpisode, permitEpisodeDeletion, permitEpisodeWriting } from './find-episode.ts';
import { answerEpisodes, answerEpisodesV1, permitEpisodeList } from './list-episodes.ts';
import { serveEpisodeMedia } from './media/serve-media.ts';
import { answerEpisode, answerEpisodeV1 } from './present-episode.ts';
import { RECORD_EVENT } from './record.ts';
import { addShow, answerOneShow, answerShows, removeShow, SHOW_EVENT, updateShow } from './shows.ts';
import { answerSlug, setFrozen } from './slugs.ts';
import { addTags, answerTags, removeTags } from './tags.ts';
import { addEpisode, permitEpisodeCreation, trashEpisode, writeEpisode, writeEpisodeV1 } from './write-episode.ts';

/** The namespaces `podcast/v1` and `podcast/v2`, and the pages of episodes. */
export const podcast: NamespaceModule = {
  name: 'podcast',
  description: 'A podcast: its shows, episodes with their files and chapters, feeds and download counts.',
  namespaces: ['podcast/v1', 'podcast/v2'],
  migrations: fileURLToPath(new URL('migrations', import.meta.url)),
  contentKinds: [episodePages],
  unshownTables: ['podcast_download', 'podcast_salt'],
  events: { [RECORD_EVENT]: 'The podcast itself', [SHOW_EVENT]: 'A show of the podcast' },
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
    await followSiteAddress(context);
    return { stop: () => Promise.resolve() };
  },
  pages: (context) => every(chapterPages(context), feedPages(context), trackedFiles(context)),
};

function serveRecord(registry: RouteRegistry): void {
  registry.serve(getShow, answerShow);
  registry.serve(getPodcast, answerPodcast);
  registry.serve(updatePodcast, updateRecord, { permit: permitRecordWriting });
  registry.serve(listFeeds, answerFeeds);

  const rules = { permit: permitRecordWriting };
  registry.serve(listPodcastShows, answerShows);
  registry.serve(createPodcastShow, addShow, rules);
  registry.serve(getPodcastShow, answerOneShow);
  registry.serve(updatePodcastShow, updateShow, rules);
  registry.serve(deletePodcastShow, removeShow, rules);
}

function serveEpisodes(registry: RouteRegistry): void {
  registry.serve(listEpisodesV1, answerEpisodesV1);
  registry.serve(getEpisodeV1, answerEpisodeV1, { permit: permitEpisode });
  registry.serve(updateEpisodeV1, writeEpisodeV1, { permit: permitEpisodeWriting });

  registry.serve(listEpisodes, answerEpisodes, { permit: permitEpisodeList });
  registry.serve(createEpisode, addEpisode, { permit: permitEpisodeCreation });
  registry.serve(getEpisode, answerEpisode, { permit: permitEpisode });
  registry.serve(updateEpisode, writeEpisode, { permit: permitEpisodeWriting });
  registry.serve(deleteEpisode, trashEpisode, { permit: permitEpisodeDeletion });
}

/** Serves the routes below an episode: slug, chapters and tags. */
function serveEpisodeParts(registry: RouteRegistry): void {
  const rules = { permit: permitEpisodeWriting };
  registry.serve(buildSlug, answerSlug, rules);
  registry.serve(freezeSlug, setFrozen(true), rules);
  registry.serve(unfreezeSlug, setFrozen(false), rules);

  registry.serve(getChapters, answerChapters, { permit: permitEpisode });
  registry.serve(createChapters, addChapters, rules);
  registry.serve(replaceChapters, putChapters, rules);
  registry.serve(deleteChapters, removeChapters, rules);

  registry.serve(listEpisodeTags, answerTags, { permit: permitEpisode });
  registry.serve(addEpisodeTags, addTags, rules);
  registry.serve(removeEpisodeTags, removeTags, rules);
}
