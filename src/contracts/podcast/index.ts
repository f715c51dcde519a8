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
  categoryOfDisplay,
  directoryCategory,
  displayCategory,
  podcastCategory,
  type DirectoryCategory,
} from './record.ts';
export {
  chapterItem,
  chapterItems,
  chaptersOf,
  chaptersWithin,
  describeLateChapter,
  foreignChapter,
  MAX_CHAPTERS,
  sortByStart,
  writtenChapters,
  type Chapter,
  type ChapterItem,
} from './chapter.ts';
export {
  chapterFormat,
  chapterMimeType,
  chaptersElement,
  PODCAST_CHAPTERS_TYPE,
  readChapters,
  writeChapters,
  type ChapterFormat,
} from './chapter-formats.ts';
export { copyrightLine, displayTitle, episodeMnemonic, type EpisodeNames } from './episode-title.ts';
export {
  fileSource,
  markAddress,
  publicFileAddress,
  readTrackedPath,
  trackingMode,
  type FileSource,
  type TrackedFile,
  type TrackingMode,
} from './file-address.ts';
export {
  FEED_MIME_TYPE,
  writeFeed,
  writePostFeed,
  type FeedChannel,
  type FeedDocument,
  type FeedItem,
} from './feed-document.ts';
export { displayLanguage, languageOfDisplay, podcastLanguage } from './language.ts';
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
export { playTime } from './answers.ts';
export { describeOmitted, readItems, type PartialReading } from './partial-reading.ts';
export { formatPlayTime, parseForeignPlayTime, parsePlayTime, shortPlayTime } from './play-time.ts';
export {
  readTranscript,
  transcriptFormat,
  transcriptMimeType,
  writeTranscript,
  type Cue,
  type TranscriptFormat,
} from './transcript.ts';
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
