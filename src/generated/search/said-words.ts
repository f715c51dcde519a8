import type { Cue } from '#contracts/podcast/transcript.ts';

/** Of the words of an episode: two hours of speech. */
const MAX_CHARACTERS = 100_000;

/** What is searched of a transcript. */
export function saidWords(cues: readonly Cue[]): string {
  return cues
    .map(({ text }) => text)
    .join(' ')
    .slice(0, MAX_CHARACTERS);
}

/** How many bytes of a transcript that is, roughly: its times take as much as its words at most. */
export function searchedBytes(bytes: number): number {
  return Math.min(bytes, 2 * MAX_CHARACTERS);
}
