import type { AudioFile, EpisodeEntry, EpisodeChapter, PodcastEntry } from '../entries/entries.ts';
import type { Cue } from '#contracts/podcast/transcript.ts';
import type { Embed } from '#contracts/oembed.ts';
import { escapeHtml } from '#contracts/html/html-text.ts';
import { absoluteUrl } from '../addresses/site-paths.ts';
import { episodeEmbedPath, rootPath } from '../addresses/paths.ts';
import { pictureSources } from '../images/image-variants.ts';

/** Media types for browsers, by stored media type. */
const PLAYABLE: Readonly<Record<string, string>> = {
  'audio/opus': 'audio/ogg; codecs=opus',
  'audio/x-m4a': 'audio/mp4',
};

/** Format names that aren't abbreviations. */
const FORMATS = new Map(Object.entries({ opus: 'Opus', ogg: 'Ogg' }));

/** Returns the `type` of a `<source>`. Browsers skip unknown types. */
export function playableType({ mimeType }: AudioFile): string {
  return PLAYABLE[mimeType] ?? mimeType;
}

/** Returns the display name of the format, such as `MP3`. */
export function formatName({ mimeType, fileName }: AudioFile): string {
  const extension = /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase();
  return extension === undefined ? mimeType : (FORMATS.get(extension) ?? extension.toUpperCase());
}

/** Returns the file with the best support: MP3 if there is one. */
export function preferredAudio({ audio }: Pick<EpisodeEntry, 'audio'>): AudioFile | undefined {
  return audio.find(({ mimeType }) => mimeType === 'audio/mpeg') ?? audio[0];
}

/** Returns the URL of a position in a file (Media Fragments 1.0, section 4.2.1). */
export function mediaFragment(file: AudioFile, ms: number): string {
  return `${file.href}#t=${ms / 1000}`;
}

/** Uninterrupted speech of one speaker. */
export interface TranscriptParagraph {
  startMs: number;
  speaker?: string | undefined;
  cues: Cue[];
}

/** Transcript of a chapter. */
export interface TranscriptSection {
  /** Undefined before the first chapter, or without chapters. */
  chapter?: EpisodeChapter | undefined;
  paragraphs: TranscriptParagraph[];
}

/** Paragraphs longer than this are split. */
const PARAGRAPH_MS = 45_000;

/** Groups cues by chapter, and into paragraphs of one speaker. */
export function groupTranscript(cues: readonly Cue[], chapters: readonly EpisodeChapter[]): TranscriptSection[] {
  const parts: TranscriptSection[] = [];
  let next = 0;
  for (const cue of cues) {
    let chapter = parts.at(-1)?.chapter;
    for (; next < chapters.length && (chapters[next]?.startMs ?? 0) <= cue.startMs; next++) chapter = chapters[next];
    if (parts.length === 0 || parts.at(-1)?.chapter !== chapter) parts.push({ chapter, paragraphs: [] });
    const paragraphs = parts.at(-1)?.paragraphs ?? [];
    const last = paragraphs.at(-1);
    if (last && last.speaker === cue.speaker && !isLong(last)) last.cues.push(cue);
    else paragraphs.push({ startMs: cue.startMs, speaker: cue.speaker, cues: [cue] });
  }
  return parts;
}

/** True if the paragraph is long and ends with a sentence. */
function isLong({ startMs, cues }: TranscriptParagraph): boolean {
  const last = cues.at(-1);
  return last !== undefined && last.endMs - startMs > PARAGRAPH_MS && /[.!?…。؟]["'”’»«)]*$/.test(last.text);
}

/** Height of the embedded player in CSS px. Its chapters scroll. */
const HEIGHT_PX = 272;
/** Preferred width in CSS px. The player adapts to others. */
const WIDTH_PX = 640;

/** Returns the HTML for embedding the player of an episode in another site. @param origin URL of this site. */
export function embedCode(
  { language, slug, title }: Pick<EpisodeEntry, 'language' | 'slug' | 'title'>,
  origin: URL,
): string {
  const address = absoluteUrl(episodeEmbedPath(language, slug), origin);
  return (
    `<iframe src="${escapeHtml(address)}" title="${escapeHtml(title)}" width="100%" height="${HEIGHT_PX}"` +
    ` style="border:0" loading="lazy" allow="clipboard-write; web-share"></iframe>`
  );
}

/** Creates the oEmbed response of an episode (https://oembed.com, section 2.3.4). */
export function episodeEmbed(
  episode: EpisodeEntry,
  { podcast, siteName, origin }: { podcast: PodcastEntry; siteName: string; origin: URL },
): Embed {
  const cover = episode.cover ?? podcast.cover;
  const picture = cover && pictureSources(cover, 'thumbnail');
  return {
    version: '1.0',
    type: 'rich',
    provider_name: siteName,
    provider_url: absoluteUrl(rootPath(), origin),
    author_name: podcast.title,
    author_url: absoluteUrl(podcast.path, origin),
    title: episode.title,
    width: WIDTH_PX,
    height: HEIGHT_PX,
    html: embedCode(episode, origin),
    ...(picture && {
      thumbnail_url: absoluteUrl(picture.src, origin),
      thumbnail_width: picture.width,
      thumbnail_height: picture.height,
    }),
  };
}
