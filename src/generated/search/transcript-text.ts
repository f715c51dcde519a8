import type { Cue } from '#contracts/podcast/transcript.ts';

/** Maximum indexed length of a transcript, about two hours of speech. */
const MAX_CHARACTERS = 100_000;

/** Returns the searchable text of a transcript. */
export function transcriptText(cues: readonly Cue[]): string {
  return cues
    .map(({ text }) => text)
    .join(' ')
    .slice(0, MAX_CHARACTERS);
}

/** Estimates the size of a transcript's searchable text. Times take at most as many bytes as words. */
export function estimateTextBytes(bytes: number): number {
  return Math.min(bytes, 2 * MAX_CHARACTERS);
}
