export {
  clearCaches,
  completeHostedUpload,
  completeMove,
  createHostedUpload,
  findHostedFile,
  generateMediaName,
  getHostedFeatures,
  getHostToken,
  getMoveStatus,
  getOnboarding,
  hostedFeature,
  listEpisodesToMove,
  moveHostedFile,
  onboarding,
  saveHostToken,
  setHostedFeature,
  setUpPodcast,
  updateOnboarding,
  validateHostToken,
} from './administration.ts';
export {
  analyticsV1,
  analyticsV2,
  DOWNLOAD_WINDOWS,
  episodeDownloads,
  type DownloadWindow,
  type EpisodeDownloads,
} from './analytics.ts';
export {
  parseDisplayCategory,
  directoryCategory,
  displayCategory,
  podcastCategory,
  type DirectoryCategory,
} from './record.ts';
export {
  chapterItem,
  chapterItems,
  toChapters,
  chaptersWithin,
  describeLateChapter,
  lenientChapter,
  MAX_CHAPTERS,
  sortByStart,
  chaptersInput,
  type Chapter,
  type ChapterItem,
  chapterFormat,
  chapterMimeType,
  chaptersElement,
  PODCAST_CHAPTERS_TYPE,
  writeChapters,
  type ChapterFormat,
} from './chapter.ts';
export { copyrightLine, displayTitle, episodeMnemonic, type EpisodeNames } from './episode-page.ts';
export {
  fileSource,
  addTrackingParams,
  publicFileAddress,
  parseTrackedPath,
  trackingMode,
  type FileSource,
  type TrackedFile,
  type TrackingMode,
} from './media-names.ts';
export {
  FEED_MIME_TYPE,
  writeFeed,
  writePostFeed,
  type FeedChannel,
  type FeedDocument,
  type FeedItem,
} from './feed-document.ts';
export { displayLanguage, parseDisplayLanguage, podcastLanguage } from './language.ts';
export {
  encodeFileName,
  FILE_TYPES,
  fileKind,
  generateFileName,
  guessAsset,
  isMediaSlug,
  mediaFileAddress,
  mediaFileName,
  type AssetName,
  type FileKind,
  type FileType,
} from './media-names.ts';
export { playTime } from './shared-schemas.ts';
export { describeOmitted, parseItems, type PartialParseResult } from './partial-parse-result.ts';
export { formatPlayTime, parseLenientPlayTime, parsePlayTime, shortPlayTime } from './play-time.ts';
export { parseTranscript, transcriptMimeType, writeTranscript, type Cue, type TranscriptFormat } from './transcript.ts';
export { clearableAddress, isSafeLink, isWebAddress, normalizeWebAddress, webAddress } from './web-address.ts';
export {
  episode,
  episodeBody,
  episodeFile,
  episodeType,
  episodeV1,
  soundbiteProblem,
  type Episode,
  type EpisodeBody,
  type EpisodeFile,
  type EpisodeType,
} from './episode.ts';
export {
  EPISODE_PAGE_META_KEYS,
  EPISODE_PAGE_TYPE,
  episodePage,
  episodePageRoutes,
  type EpisodePage,
} from './episode-page.ts';
export {
  addEpisodeTags,
  buildSlug,
  createChapters,
  createEpisode,
  deleteChapters,
  deleteEpisode,
  disableEpisodeMedia,
  enableEpisodeMedia,
  freezeSlug,
  getChapters,
  getEpisode,
  getEpisodeV1,
  listEpisodeMedia,
  listEpisodes,
  listEpisodesV1,
  listEpisodeTags,
  removeEpisodeTags,
  replaceChapters,
  unfreezeSlug,
  updateEpisode,
  updateEpisodeV1,
  verifyEpisodeMedia,
} from './episode-routes.ts';
export {
  getPodcast,
  getShow,
  listFeeds,
  podcast,
  podcastBody,
  podcastFeed,
  show,
  updatePodcast,
  type Podcast,
} from './record.ts';
export {
  createPodcastShow,
  deletePodcastShow,
  getPodcastShow,
  listPodcastShows,
  podcastShow,
  updatePodcastShow,
  type PodcastShow,
  type PodcastShowBody,
} from './podcast-show.ts';
