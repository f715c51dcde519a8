import type { Cue } from '#contracts/podcast/index.ts';
import { shortPlayTime } from '#contracts/podcast/play-time.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import type { ProductListEntry, EpisodeEntry, PodcastEntry } from '#catalogue/entries/entries.ts';
import { absoluteUrl } from '../addresses/site-paths.ts';
import { productPath } from '../addresses/paths.ts';
import { htmlToMarkdown, escapeMarkdown, frontMatter, linkTarget } from '../markdown/html-to-markdown.ts';

/** Keys of the site's messages in the language of the episode. */
type MessageKey =
  | 'player.chapters'
  | 'player.transcript'
  | 'podcast.audio'
  | 'podcast.contributors'
  | 'podcast.notes'
  | 'podcast.products';

export interface EpisodeMessages {
  t: (key: MessageKey) => string;
  /** Season, number and date, as on the page. */
  facts: readonly string[];
}

/** A pause of this length starts a new paragraph. */
const PAUSE_MS = 1_500;
const PARAGRAPH_CHARACTERS = 600;

/** Renders an episode as Markdown, with its chapters and transcript. */
export function episodeMarkdown(
  episode: EpisodeEntry,
  { t, facts }: EpisodeMessages,
  {
    podcast,
    products,
    cues,
    origin,
  }: { podcast: PodcastEntry; products: readonly ProductListEntry[]; cues: readonly Cue[]; origin: URL },
): string {
  const url = absoluteUrl(episode.path, origin);
  const { title, language, guid, summary, subtitle, html, chapters, contributors, audio, durationMs } = episode;
  const link = (text: string, path: string) => `[${escapeMarkdown(text)}](${linkTarget(absoluteUrl(path, origin))})`;
  const section = (heading: MessageKey, body: string) => (body === '' ? [] : [`## ${t(heading)}`, body]);
  const blocks = [
    frontMatter({ url, language: toBcp47(language), guid }),
    `# ${escapeMarkdown(title)}`,
    subtitle && `*${escapeMarkdown(subtitle)}*`,
    summary && escapeMarkdown(summary),
    list([
      link(podcast.title, podcast.path),
      ...facts.map(escapeMarkdown),
      ...(contributors.length > 0
        ? [`${t('podcast.contributors')}: ${contributors.map(({ name }) => escapeMarkdown(name)).join(', ')}`]
        : []),
      ...audio.map(
        ({ href, fileName }) => `${t('podcast.audio')}: ${link(fileName, href)} (${shortPlayTime(durationMs)})`,
      ),
    ]),
    ...section(
      'player.chapters',
      list(
        chapters.map(({ startMs, title: name, href }) => {
          const time = shortPlayTime(startMs);
          return `[${time}](${url}#t=${time}) ${href ? link(name, href) : escapeMarkdown(name)}`;
        }),
      ),
    ),
    ...section('podcast.notes', htmlToMarkdown(html)),
    ...section(
      'podcast.products',
      list(products.map(({ name, gtin, slug }) => `${link(name, productPath(language, slug))} (GTIN ${gtin})`)),
    ),
    ...section('player.transcript', transcriptParagraphs(cues).join('\n\n')),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

/** Splits a transcript into paragraphs by speaker and pause. */
function transcriptParagraphs(cues: readonly Cue[]): string[] {
  const paragraphs: { speaker: string | undefined; texts: string[]; length: number; endMs: number }[] = [];
  for (const { speaker, text, startMs, endMs } of cues) {
    const last = paragraphs.at(-1);
    const isContinued =
      last && last.speaker === speaker && startMs - last.endMs < PAUSE_MS && last.length < PARAGRAPH_CHARACTERS;
    if (!isContinued) paragraphs.push({ speaker, texts: [text], length: text.length, endMs });
    else {
      last.texts.push(text);
      last.length += text.length;
      last.endMs = endMs;
    }
  }
  const voices = new Set(paragraphs.map(({ speaker }) => speaker));
  return paragraphs.map(({ speaker, texts }) => {
    const words = escapeMarkdown(texts.join(' '));
    return speaker !== undefined && voices.size > 1 ? `**${escapeMarkdown(speaker)}:** ${words}` : words;
  });
}
