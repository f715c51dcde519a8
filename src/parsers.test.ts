import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { analyseText } from '#analysis/analyse-text.ts';
import { enrichHtml } from '#catalogue/journal/enrich-html.ts';
import { createExcerpt } from '#catalogue/journal/excerpt.ts';
import { htmlToMarkdown } from '#catalogue/markdown/html-to-markdown.ts';
import { parseAttributeValue } from '#catalogue/quantities/attribute-value.ts';
import { isNestedTooDeep, excerptBody } from '#client/upstream-result.ts';
import { parseRetryAfter } from '#contracts/webhooks.ts';
import { repairDates } from '#client/publishing-client.ts';
import { htmlText } from '#contracts/html/html-text.ts';
import { parseLenientPlayTime } from '#contracts/podcast/play-time.ts';
import { parseTranscript } from '#contracts/podcast/transcript.ts';
import { fillTemplate } from '#contracts/seo/templates.ts';
import { parseSiteTime } from '#contracts/site-clock.ts';
import { readAudio } from '#files/media/audio.ts';
import { readMovie } from '#files/media/read-movie.ts';
import { readHead, findReferences } from '#generated/scan/read-head.ts';
import { typesetHtml } from '#i18n/typeset.ts';
import { convertShortcodes } from '#commands/import/import-articles.ts';
import { parsePageHead as readLinkedHead } from '#origin/namespaces/block-editor/serve-block-editor.ts';
import { parseExif } from '#origin/namespaces/core/media/prepare-media.ts';
import { parseDispositionFileName } from '#origin/namespaces/core/media/upload-media.ts';
import { stripLocation } from '#origin/namespaces/core/media/strip-location.ts';
import { rewriteImages } from '#origin/namespaces/thumbnails/usages/update-usages.ts';
import { getClientAddress } from '#origin/platform/context/client-address.ts';
import { parseJson, readForm } from '#origin/platform/http/transport/read-body.ts';
import { parseQuery } from '#origin/platform/http/transport/rest-request.ts';
import { filterHtml } from '#origin/platform/render/filter-html.ts';
import { renderContent } from '#origin/platform/render/worker/text-jobs.ts';
import { parseSearch } from '#origin/platform/search/search-condition.ts';
import { rewriteHtml } from '#catalogue/read-model/rewrite-html.ts';
import { canonicalJson } from '#snapshot/digest-record.ts';
import { checkProduct } from '#sync/products/stage-product.ts';
import { cleanAttributes, backgroundAddress, mediaAddress } from '#sync/publishing/clean-attributes.ts';
import { findAssets } from '#sync/publishing/stage-rows.ts';
import { finishHtml } from '#sync/publishing/finish-html.ts';
import { sanitiseHtml } from '#sync/publishing/sanitise-html.ts';

const SITE = 'https://site.test/';
const SIZE = { url: `${SITE}a.jpg`, width: 2, height: 1 };
const IMAGES = new Map([[7, { sizes: new Map([['full', SIZE]]), sizeOf: () => 'full' }]]);
const RESOLVERS = {
  resolveLink: () => undefined,
  findImage: () => undefined,
  findFile: () => undefined,
  findArticle: () => undefined,
};

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');
const piecesOf = (text: string): string[] => text.match(/[\s\S]{1,10}/g) ?? [];
const membersOf = (text: string): Record<string, string> =>
  Object.fromEntries(piecesOf(text).map((piece, i) => [`${piece}${i}`, piece]));

/** Analyses the text as content and as keyphrase. */
const analyse = (language: string) => (text: string) => {
  const input = {
    language,
    kind: 'post' as const,
    title: 'x',
    description: 'x',
    slug: 'x',
    keyphrase: 'a b',
    html: 'x',
  };
  return [analyseText({ ...input, html: text }), analyseText({ ...input, keyphrase: text })];
};

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  for (const piece of text.match(/[\s\S]{1,1000}/g) ?? []) yield await Promise.resolve(bytesOf(piece));
}

/** Parsers of text from other systems, editors and visitors. */
const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  sanitiseHtml: (text) => sanitiseHtml(text),
  finishHtml: (text) => finishHtml(text, { base: SITE }),
  findAssets: (text) => findAssets(text, () => true),
  cleanAttributes: (text) => cleanAttributes('a', { href: text, ...membersOf(text) }, SITE),
  mediaAddress: (text) => ['src', 'srcset', 'data-src', 'class'].map((name) => mediaAddress({ [name]: text }, SITE)),
  backgroundAddress: (text) => backgroundAddress({ role: 'img', class: text, style: text, 'data-bg': text }, SITE),
  rewriteHtml: (text) => rewriteHtml(`<a href="/x">${text}`, RESOLVERS),
  parseTranscript: (text) =>
    (['webvtt', 'srt', 'json_podcastindex'] as const).map((format) =>
      parseTranscript(format, `WEBVTT\n\n00:00.000 --> 00:01.000\n${text}`),
    ),
  convertShortcodes: (text) => convertShortcodes({ raw: text, rendered: text }),
  htmlText: (text) => htmlText(text),
  htmlToMarkdown: (text) => htmlToMarkdown(text),
  createExcerpt: (text) => createExcerpt(text, 'en'),
  enrichHtml: (text) => enrichHtml(text, { opensAt: String, tableLabel: String }),
  typesetHtml: (text) => typesetHtml(text),
  readHead: (text) => readHead(text),
  readLinkedHead: (text) => readLinkedHead(text, SITE),
  findReferences: (text) => findReferences(text),
  fillTemplate: (text) => [fillTemplate(text, { sep: '-' }), fillTemplate('%%title%% %%sep%%', { title: text })],
  'analyseText in German': analyse('de'),
  'analyseText in English': analyse('en'),
  'analyseText in French': analyse('fr'),
  'analyseText in Dutch': analyse('nl'),
  parseSearch: (text) => parseSearch(text),
  parseQuery: (text) => parseQuery(text),
  parseJson: (text) => parseJson(text),
  readForm: (text) => readForm(chunksOf(`--b\r\n${text}`), 'multipart/form-data; boundary=b', 1e6),
  parseDispositionFileName: (text) => parseDispositionFileName(`form-data; filename="${text}`),
  getClientAddress: (text) => getClientAddress({ socket: { remoteAddress: '127.0.0.1' } }, { get: () => text }, 2),
  parseRetryAfter: (text) => parseRetryAfter(text),
  excerptBody: (text) => excerptBody(text, ['secret']),
  parseSiteTime: (text) => parseSiteTime(text, 'Europe/Berlin'),
  parseLenientPlayTime: (text) => parseLenientPlayTime(text),
  repairDates: (text) => repairDates({ date: text, date_gmt: text, modified: text }, 'Europe/Berlin'),
  parseAttributeValue: (text) => parseAttributeValue(text, 'EN 1928', 'de'),
  checkProduct: (text) =>
    checkProduct(
      { name: text, description: text, attributes: piecesOf(text) },
      { gtin: '4006381333931', address: SITE },
    ),
  isNestedTooDeep: (text) => isNestedTooDeep([membersOf(text)]),
  canonicalJson: (text) => canonicalJson([membersOf(text), text]),
  filterHtml: (text) => filterHtml(text),
  renderContent: (text) => renderContent(text),
  rewriteImages: (text) => rewriteImages(`<img class="wp-image-7" srcset="${text}`, IMAGES),
  parseExif: (text) => parseExif(bytesOf(`Exif\0\0II*\0\u0008\0\0\0\u00FF\0${text}`)),
  readMovie: (text) => readMovie(bytesOf(`\0\0\0\u0008ftyp${text}`)),
  readAudio: (text) => readAudio(bytesOf(`ID3\u0004\0\0\0\0\u007F\u007F${text}`), 'audio/mpeg'),
  stripLocation: (text) =>
    ['\u00FF\u00D8', '\u0089PNG\r\n\u001A\n', ''].map((head) => stripLocation(bytesOf(head + text))),
};

/** Parts to repeat, separated by `|`. */
const REPEATED = [
  ' |a|0|<|&|"|\'|[|{|%|\n|\0|a |a@|a,|0.|\\"|""|<b |</|<!--|<a href="|<b a=1 |<p>x</p>|<li>\n|<a href="#x">y</a>',
  '<img src=/x>|<script>|<video>|<1:|<v a>|&#|&amp;|[x|[x]|[caption id="attachment_7"|<!-- wp:image {"id":7} -->',
  'a=1&|a[|127.0.0.1, |https://a.test/x |//|a: b\n|{"a":|[1,|%%x|00:00.000 --> 00:01.000\nx\n\n|\r\n--b\r\n',
  '\0\0\0\u0008free|\0\0\0\0tEXt|\u00FF\u00E1\0\u0002',
].flatMap((parts) => parts.split('|'));
/** Opening parts, followed by as many closing ones. */
const NESTED = ['<b>|</b>', '<div><i>|</div>', '<a "|\'>', '[x]|[/x]', '{"a":|}', '<table><td>|</table>'];
const LENGTH = 20_000;
/** Absorbs the noise of a busy machine. */
const CONSTANT_MS = 200;
const MAX_GROWTH = 8;

function createText(shape: string, length: number): string {
  const [opening = '', closing = ''] = shape.split('|');
  const count = Math.ceil(length / (opening + closing).length);
  return `${opening.repeat(count)}${closing.repeat(count)}x`;
}

/** Returns processor time, which other processes hardly affect. */
async function measureMs(parse: (text: string) => unknown, text: string): Promise<number> {
  await nextTick();
  const start = process.cpuUsage();
  try {
    await parse(text);
  } catch {
    // Rejecting the text is fine.
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Returns the fastest of up to three runs. Stops after a run that is faster than `enoughMs`. */
async function fastestMs(parse: (text: string) => unknown, text: string, enoughMs = 0): Promise<number> {
  let fastest = Infinity;
  for (let run = 0; run < 3 && fastest >= enoughMs; run++) fastest = Math.min(fastest, await measureMs(parse, text));
  return fastest;
}

/**
 * Linear parsing takes about 4 times as long on 4 times the text, quadratic parsing 16 times. At this length, quadratic
 * work exceeds the constant by far.
 */
describe('parsers take linear time on hostile text', () => {
  it.each(Object.entries(PARSERS))('%s', async (_, parse) => {
    for (const shape of [...REPEATED, ...NESTED]) {
      const long = createText(shape, 4 * LENGTH);
      if ((await fastestMs(parse, long, CONSTANT_MS)) < CONSTANT_MS) continue;
      const limitMs = MAX_GROWTH * (await fastestMs(parse, createText(shape, LENGTH))) + CONSTANT_MS;
      expect(await fastestMs(parse, long, limitMs), `repeated ${JSON.stringify(shape)}`).toBeLessThan(limitMs);
    }
  });
});
