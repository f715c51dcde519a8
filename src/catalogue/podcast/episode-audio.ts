import type { AudioFile, EpisodeEntry } from '#catalogue/entries/podcast.ts';

export type { EpisodeEntry };

/** Media types for browsers, by stored media type. */
const PLAYABLE: Readonly<Record<string, string>> = {
  'audio/opus': 'audio/ogg; codecs=opus',
  'audio/x-m4a': 'audio/mp4',
};

/** Format names that aren't abbreviations. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ['opus', 'Opus'],
  ['ogg', 'Ogg'],
]);

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
