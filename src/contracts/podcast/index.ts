export {
  categoryOfDisplay,
  directoryCategory,
  displayCategory,
  podcastCategory,
  type DirectoryCategory,
} from './category.ts';
export {
  chapterItem,
  chapterItems,
  chaptersOf,
  MAX_CHAPTERS,
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
export { formatPlayTime, parsePlayTime, playTime, shortPlayTime } from './play-time.ts';
export {
  readTranscript,
  transcriptFormat,
  transcriptMimeType,
  writeTranscript,
  type Cue,
  type TranscriptFormat,
} from './transcript.ts';
export { clearableAddress, isSafeLink, isWebAddress, webAddress } from './web-address.ts';
