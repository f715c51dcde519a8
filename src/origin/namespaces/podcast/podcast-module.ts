import { fileURLToPath } from 'node:url';
import {
  getEpisode,
  getEpisodeV1,
  getPodcast,
  getShow,
  listEpisodes,
  listEpisodesV1,
  listFeeds,
  updatePodcast,
} from '#contracts/podcast/index.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/index.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { serveAdministration } from './administration.ts';
import { answerPodcast, answerShow, permitRecordWriting, updateRecord } from './answer-record.ts';
import { episodePages } from './episode-pages.ts';
import { answerFeeds } from './feeds.ts';
import { permitEpisode } from './find-episode.ts';
import { answerEpisodes, answerEpisodesV1, permitEpisodeList } from './list-episodes.ts';
import { answerEpisode, answerEpisodeV1 } from './present-episode.ts';
import { RECORD_EVENT } from './record.ts';

/** The namespaces `podcast/v1` and `podcast/v2`, and the pages of episodes. */
export const podcast: NamespaceModule = {
  name: 'podcast',
  description: 'A podcast: its shows, episodes with their files and chapters, feeds, and how often it is heard.',
  namespaces: ['podcast/v1', 'podcast/v2'],
  migrations: fileURLToPath(new URL('migrations', import.meta.url)),
  contentKinds: [episodePages],
  events: { [RECORD_EVENT]: 'The podcast itself' },
  serve(registry) {
    serveRecord(registry);
    serveEpisodes(registry);
    serveAdministration(registry);
  },
};

function serveRecord(registry: RouteRegistry): void {
  registry.serve(getShow, answerShow);
  registry.serve(getPodcast, answerPodcast);
  registry.serve(updatePodcast, updateRecord, { permit: permitRecordWriting });
  registry.serve(listFeeds, answerFeeds);
}

function serveEpisodes(registry: RouteRegistry): void {
  registry.serve(listEpisodesV1, answerEpisodesV1);
  registry.serve(getEpisodeV1, answerEpisodeV1, { permit: permitEpisode });
  registry.serve(listEpisodes, answerEpisodes, { permit: permitEpisodeList });
  registry.serve(getEpisode, answerEpisode, { permit: permitEpisode });
}
