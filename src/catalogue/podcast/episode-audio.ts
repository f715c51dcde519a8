import type { AudioFile, EpisodeEntry } from '#model/podcast.ts';

export type { EpisodeEntry };

/** What browsers know a format by, where that is not the type that files are stored with. */
const PLAYABLE: Readonly<Record<string, string>> = {
  'audio/opus': 'audio/ogg; codecs=opus',
  'audio/x-m4a': 'audio/mp4',
};

/** Names that aren't abbreviations. */
const FORMATS: Readonly<Record<string, string>> = { opus: 'Opus', ogg: 'Ogg' };

/** `type` of a `<source>`: a browser passes over one that it doesn't know. */
export function playableType({ mimeType }: AudioFile): string {
  return PLAYABLE[mimeType] ?? mimeType;
}

/** `MP3`, for people. */
export function formatName({ mimeType, fileName }: AudioFile): string {
  const extension = /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase();
  return extension === undefined ? mimeType : (FORMATS[extension] ?? extension.toUpperCase());
}

/** What every program plays. */
export function commonAudio({ audio }: Pick<EpisodeEntry, 'audio'>): AudioFile | undefined {
  return audio.find(({ mimeType }) => mimeType === 'audio/mpeg') ?? audio[0];
}

/** A moment of a file (Media Fragments 1.0, section 4.2.1). */
export function momentOf(file: AudioFile, ms: number): string {
  return `${file.href}#t=${ms / 1000}`;
}
