import type { AudioFile, EpisodeEntry } from '#model/podcast.ts';

export type { EpisodeEntry };

/** Media types that browsers know, where files are stored with another one. */
const PLAYABLE: Readonly<Record<string, string>> = {
  'audio/opus': 'audio/ogg; codecs=opus',
  'audio/x-m4a': 'audio/mp4',
};

/** Names of formats that are no abbreviations. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ['opus', 'Opus'],
  ['ogg', 'Ogg'],
]);

/** `type` of a `<source>`: a browser skips those that it doesn't know. */
export function playableType({ mimeType }: AudioFile): string {
  return PLAYABLE[mimeType] ?? mimeType;
}

/** Name of the format for readers, such as `MP3`. */
export function formatName({ mimeType, fileName }: AudioFile): string {
  const extension = /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase();
  return extension === undefined ? mimeType : (FORMATS.get(extension) ?? extension.toUpperCase());
}

/** The file that every app plays: MP3 where there is one. */
export function commonAudio({ audio }: Pick<EpisodeEntry, 'audio'>): AudioFile | undefined {
  return audio.find(({ mimeType }) => mimeType === 'audio/mpeg') ?? audio[0];
}

/** A moment of a file (Media Fragments 1.0, section 4.2.1). */
export function momentOf(file: AudioFile, ms: number): string {
  return `${file.href}#t=${ms / 1000}`;
}
