import { z } from 'zod';
import { cleanText, toSingleLine, tryParse } from '../scan-text.ts';
import { parseValue, type Problem, type ParseResult } from '../parse-value.ts';
import { decodeEntities } from '../html/html-text.ts';
import { formatPlayTime, parseLenientPlayTime, parseSeconds } from './play-time.ts';

/** Maximum number of problems reported for a rejected document. */
const MAX_PROBLEMS = 20;

/** Result of parsing a document of another program, as far as possible. */
type PartialParseResult<T> =
  | {
      ok: true;
      value: T;
      /** Omitted parts, with one problem each. */
      omitted: Problem[];
    }
  | { ok: false; problems: Problem[] };

function rejectDocument(problem: string, field = ''): { ok: false; problems: Problem[] } {
  return { ok: false, problems: [{ field, problem }] };
}

/**
 * Parses list items one by one, so that an invalid item doesn't affect the others.
 * @param name Name of the list in problems, such as `chapters`.
 * @returns the result of `read`, or the first problem, for each item
 */
export function parseItems<T extends z.ZodType, R>(
  items: readonly unknown[],
  name: string,
  schema: T,
  read: (item: z.output<T>, index: number) => R,
): (R | Problem)[] {
  return items.map((item, i) => {
    const parsed = parseValue(schema, item);
    if (parsed.ok) return read(parsed.value, i);
    const [first = { field: '', problem: 'is not readable' }] = parsed.problems;
    return { ...first, field: `${name}[${i}]${first.field === '' ? '' : `.${first.field}`}` };
  });
}

/** Describes the first omitted part and the number of the others, for reports. */
export function describeOmitted(omitted: readonly Problem[]): string | undefined {
  const [first] = omitted;
  if (!first) return undefined;
  const more = omitted.length > 1 ? `, and ${omitted.length - 1} more` : '';
  return `${`${first.field} ${first.problem}`.trim()}${more}`;
}

/** A cue of a transcript. The text is one line of plain text without markup. */
export interface Cue {
  startMs: number;
  endMs: number;
  speaker?: string;
  text: string;
}

/** Maximum length of a transcript: more than a day of speech. */
export const MAX_TRANSCRIPT_LENGTH = 5_000_000;
/** Maximum number of cues: more than three hours with a cue per word. */
export const MAX_CUES = 50_000;
const MAX_SPEAKER_LENGTH = 200;
const MAX_TEXT_LENGTH = 10_000;

/** Maximum width of a caption line (Podcasting 2.0, transcripts). */
const LINE_WIDTH = 65;

interface TranscriptFormatRules {
  mimeType: string;
  /** Parses cues without validating them. Malformed items are returned as problems. */
  find(text: string): ParseResult<(FoundCue | Problem)[]>;
  write(cues: readonly Cue[]): string;
}

/** An unvalidated cue of a document. */
interface FoundCue {
  /** Position in the document, for messages: `line 3`. */
  place: string;
  /** Undefined if unreadable. */
  startMs: number | undefined;
  endMs: number | undefined;
  speaker?: string | undefined;
  text: string;
}

const FORMATS = {
  webvtt: { mimeType: 'text/vtt', find: findInVtt, write: writeVtt },
  srt: { mimeType: 'application/x-subrip', find: findInSrt, write: writeSrt },
  json_podcastindex: { mimeType: 'application/json', find: findInPodcastJson, write: writePodcastJson },
} as const satisfies Record<string, TranscriptFormatRules>;

export type TranscriptFormat = keyof typeof FORMATS;

export function transcriptMimeType(format: TranscriptFormat): string {
  return FORMATS[format].mimeType;
}

/**
 * Parses a transcript of any program: WebVTT, SubRip (`srt`) or Podcasting 2.0 JSON. Speaker markup of the format is
 * parsed, style markup is removed, and other markup, such as HTML, is text. Invalid cues are skipped, as in players. A
 * document is rejected only if most of it is unreadable.
 *
 * @returns cues in order of time, or the problems and their positions
 */
export function parseTranscript(format: TranscriptFormat, text: string): PartialParseResult<Cue[]> {
  if (text.length > MAX_TRANSCRIPT_LENGTH) return rejectDocument(`is longer than ${MAX_TRANSCRIPT_LENGTH} characters`);
  const found = FORMATS[format].find(cleanText(text.replace(/^\uFEFF/, '')));
  return found.ok ? checkCues(found.value) : found;
}

/** Serializes cues in order of time. */
export function writeTranscript(format: TranscriptFormat, cues: readonly Cue[]): string {
  return FORMATS[format].write(sortByTime(cues));
}

function checkCues(found: readonly (FoundCue | Problem)[]): PartialParseResult<Cue[]> {
  if (found.length > MAX_CUES) return rejectDocument(`holds ${found.length} cues; at most ${MAX_CUES} are read`);
  const omitted: Problem[] = [];
  const cues = found.flatMap((cue): Cue[] => {
    const read = 'problem' in cue ? cue : checkCue(cue);
    if (!('problem' in read)) return read.text === '' ? [] : [read];
    omitted.push(read);
    return [];
  });
  if (omitted.length > found.length / 2) return { ok: false, problems: omitted.slice(0, MAX_PROBLEMS) };
  return { ok: true, value: sortByTime(cues), omitted };
}

function checkCue({ place, startMs, endMs, speaker = '', text }: FoundCue): Cue | Problem {
  const omit = (problem: string): Problem => ({ field: place, problem });
  if (startMs === undefined || endMs === undefined) return omit('has no times such as 00:01:30.000 --> 00:01:35.000');
  if (endMs < startMs) return omit(`ends at ${formatPlayTime(endMs)}, before it begins`);
  if (speaker.length > MAX_SPEAKER_LENGTH) return omit(`has a speaker of more than ${MAX_SPEAKER_LENGTH} characters`);
  if (text.length > MAX_TEXT_LENGTH) return omit(`has more than ${MAX_TEXT_LENGTH} characters`);
  const name = toSingleLine(speaker);
  return { startMs, endMs, ...(name && { speaker: name }), text: toSingleLine(text) };
}

function sortByTime(cues: readonly Cue[]): Cue[] {
  return cues.toSorted((a, b) => a.startMs - b.startMs);
}

/** Lines between empty lines, with the number of the first. */
interface Block {
  line: number;
  lines: string[];
}

/**
 * Splits a text into blocks. A line of times starts a new block, except after the name or number of a cue, because
 * empty lines between cues may be missing.
 */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const [i, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === '') open = undefined;
    else if (open && TIMES.test(line) && (open.lines.length > 1 || TIMES.test(open.lines[0] ?? ''))) {
      const number = NUMBER.test(open.lines.at(-1) ?? '') ? open.lines.splice(-1) : [];
      blocks.push((open = { line: i + 1 - number.length, lines: [...number, line] }));
    } else if (open) open.lines.push(line);
    else blocks.push((open = { line: i + 1, lines: [line] }));
  }
  // A number without its cue is not text.
  return blocks.filter(({ lines }) => lines.length > 1 || !NUMBER.test(lines[0] ?? ''));
}

const NUMBER = /^\s*\d+\s*$/;

/** Times of a cue, optionally followed by settings. SubRip uses a comma before milliseconds. */
const TIMES = /^\s*([\d:.,]+)\s*-->\s*([\d:.,]+)(?!\S)/;

/** Returns the index of the line with the times; -1 for none. A number or name may precede it. */
function findTimes({ lines }: Block): number {
  return lines.findIndex((text, i) => i < 2 && text.includes('-->'));
}

function readBlock(block: Block): FoundCue {
  const { line, lines } = block;
  const at = findTimes(block);
  const [, start = '', end = ''] = TIMES.exec(lines[at] ?? '') ?? [];
  return {
    place: `line ${line}`,
    startMs: parseLenientPlayTime(start),
    endMs: parseLenientPlayTime(end),
    text: lines.slice(at + 1).join(' '),
  };
}

function findInVtt(text: string): ParseResult<FoundCue[]> {
  const [first, ...blocks] = blocksOf(text);
  if (first?.line !== 1 || !/^WEBVTT(?:\s|$)/.test(first.lines[0] ?? ''))
    return rejectDocument('is not the header WEBVTT', 'line 1');
  // The first line may be followed by a header or directly by a cue.
  const below = { line: 2, lines: first.lines.slice(1) };
  const cues = blocks.filter(
    (block) => findTimes(block) >= 0 || !/^(?:NOTE|STYLE|REGION)(?:\s|$)/.test(block.lines[0] ?? ''),
  );
  if (below.lines.some((line) => line.includes('-->'))) cues.unshift(below);
  return { ok: true, value: cues.flatMap((block) => byVoice(readBlock(block))) };
}

/** Tags of WebVTT (section 4.2.2) and its timestamps. Other text in angle brackets is preserved. */
const VTT_TAGS = /<(\/?)(c|i|b|u|ruby|rt|v|lang)((?:[.\s][^<>]*)?)>|<\d[\d:.]*>/g;

/** Splits a cue by speaker. */
function byVoice(cue: FoundCue): FoundCue[] {
  if (!/[<&]/.test(cue.text)) return [cue];
  const parts: { speaker?: string; text: string }[] = [];
  let speaker: string | undefined;
  let at = 0;
  const close = (until: number) => {
    const text = decodeVtt(cue.text.slice(at, until));
    const last = parts.at(-1);
    if (last && last.speaker === speaker) last.text += text;
    else parts.push({ ...(speaker === undefined ? {} : { speaker }), text });
  };
  for (const { 0: tag, 1: slash, 2: name, 3: annotation = '', index } of cue.text.matchAll(VTT_TAGS)) {
    close(index);
    at = index + tag.length;
    if (name === 'v') speaker = slash === '/' ? undefined : decodeVtt(annotation.replace(/^\.\S*/, '')).trim();
  }
  close(cue.text.length);
  const spoken = parts.filter(({ text }) => text.trim() !== '');
  return spoken.length === 0 ? [{ ...cue, text: '' }] : spoken.map((part) => ({ ...cue, ...part }));
}

function decodeVtt(text: string): string {
  return decodeEntities(text.replace(/&(?:lrm|rlm);/g, ''));
}

function writeVtt(cues: readonly Cue[]): string {
  const written = cues.map(({ startMs, endMs, speaker, text }) => {
    const voice = speaker === undefined ? '' : `<v ${escapeVtt(speaker)}>`;
    return `\n${formatPlayTime(startMs)} --> ${formatPlayTime(endMs)}\n${voice}${escapeVtt(wrap(text))}\n`;
  });
  return `WEBVTT\n${written.join('')}`;
}

function escapeVtt(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Speaker name before the text (Podcasting 2.0, transcripts): `Anna: Hello`. */
const NAMED = /^([^\s:][^:]{0,60}): /;
const MAX_NAME_WORDS = 3;

function findInSrt(text: string): ParseResult<FoundCue[]> {
  const cues = blocksOf(text).map((block) => {
    const cue = readBlock(block);
    return { ...cue, text: cue.text.replace(/<\/?(?:[biu]|font(?:\s[^<>]*)?)>|\{\\an\d\}/gi, '').trim() };
  });
  const names = findNames(cues);
  return { ok: true, value: names.size === 0 ? cues : cues.map((cue) => splitName(cue, names)) };
}

/** Finds speaker names: repeated prefixes, and all prefixes if most cues have one. */
function findNames(cues: readonly FoundCue[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { text } of cues) {
    const name = nameIn(text);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const named = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const isCommon = named > cues.length / 2;
  return new Set([...counts].filter(([, count]) => isCommon || count > 1).map(([name]) => name));
}

/** Returns a prefix that is short enough for a name; abbreviated titles (`Prof. Dr.`) don't count. */
function nameIn(text: string): string | undefined {
  const name = NAMED.exec(text)?.[1];
  const words = name?.split(' ').filter((word) => !word.endsWith('.')) ?? [];
  return words.length > MAX_NAME_WORDS ? undefined : name;
}

function splitName(cue: FoundCue, names: ReadonlySet<string>): FoundCue {
  const speaker = nameIn(cue.text);
  if (speaker === undefined || !names.has(speaker)) return cue;
  return { ...cue, speaker, text: cue.text.slice(speaker.length + 2) };
}

/** SubRip can't escape `<b>` or `<i>`. */
function writeSrt(cues: readonly Cue[]): string {
  return cues
    .map(({ startMs, endMs, speaker, text }, i) => {
      const [start, end] = [startMs, endMs].map((ms) => formatPlayTime(ms).replace('.', ','));
      const line = speaker === undefined ? text : `${speaker}: ${text}`;
      return `${i + 1}\n${start} --> ${end}\n${wrap(line)}\n`;
    })
    .join('\n');
}

const podcastTranscript = z.object({ segments: z.array(z.unknown()) });
const segment = z.object({
  speaker: z.string().nullish(),
  startTime: z.number(),
  endTime: z.number(),
  body: z.string().nullish(),
});

function findInPodcastJson(text: string): ParseResult<(FoundCue | Problem)[]> {
  const parsed = tryParse(text);
  if (parsed === undefined) return rejectDocument('is not valid JSON');
  const read = parseValue(podcastTranscript, parsed);
  if (!read.ok) return read;
  const found = parseItems(read.value.segments, 'segments', segment, ({ speaker, startTime, endTime, body }, i) => ({
    place: `segment ${i + 1}`,
    startMs: parseSeconds(startTime),
    endMs: parseSeconds(endTime),
    speaker: speaker ?? undefined,
    text: body ?? '',
  }));
  return { ok: true, value: found };
}

function writePodcastJson(cues: readonly Cue[]): string {
  return JSON.stringify({
    version: '1.0.0',
    segments: cues.map(({ startMs, endMs, speaker, text }) => ({
      speaker,
      startTime: startMs / 1000,
      endTime: endMs / 1000,
      body: text,
    })),
  });
}

/** Wraps a text to caption width; a longer word gets its own line. */
function wrap(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < LINE_WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}
