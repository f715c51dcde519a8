import type { EpisodeChapter } from '#catalogue/entries/podcast.ts';
import type { Cue } from '#contracts/podcast/transcript.ts';

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
