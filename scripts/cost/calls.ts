import { z } from 'zod';
import type { HostileText } from './hostile-texts.ts';

type Subject = (...args: unknown[]) => unknown;

/** How a function is called whose parameters don't say it. */
export interface Call {
  run: (subject: Subject, text: string) => unknown;
  /** Texts for this function alone, besides those for all. */
  texts?: readonly HostileText[];
  /** Length from which on its limits hold, so that it does no more with a longer text. */
  letters?: number;
}

const call = (run: Call['run'], more: Omit<Call, 'run'> = {}): Call => ({ run, ...more });
/** The text in front of what else is given. */
const before = (...rest: unknown[]) => call((run, text) => run(text, ...rest));
const behind = (...first: unknown[]) => call((run, text) => run(...first, text));

const SITE = 'https://site.test/';

const REWRITING = {
  resolveLink: () => undefined,
  findImage: () => undefined,
  findFile: () => undefined,
  findArticle: () => undefined,
  keepsImages: true,
};
const SHOWN = { url: 'https://a.test/a.jpg', width: 2, height: 1 };
const NAMESPACES = { 'core/v2': 'wp/v2', product: 'produkt' };
const VALUE = z.union([z.string(), z.array(z.string()), z.record(z.string(), z.string())]);

const words = (text: string): string[] => text.match(/[\s\S]{1,10}/g) ?? [];
const members = (text: string): Record<string, string> =>
  Object.fromEntries(words(text).map((word, at) => [`${word}${at}`, word]));
const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Long enough to hold more elements in each other than are read: until there the parser's work grows with the depth. */
const DEEP = { letters: 2000 };

/** Fields of what is analysed that hold a text of somebody else. */
const ANALYSED = ['html', 'title', 'description', 'slug', 'keyphrase', 'address'] as const;
const KEYPHRASE = { words: ['a', 'a'], stems: new Map([['a', 2]]), contentWords: 2, hasOnlyFunctionWords: false };
const PAPER = { language: 'en', kind: 'post', title: 'x', description: 'x', slug: 'x', keyphrase: 'a b', html: 'x' };
const papers = (text: string, language: string) => [
  ...ANALYSED.map((field) => ({ ...PAPER, language, [field]: text })),
  { ...PAPER, language, keyphrase: text, html: text },
  { ...PAPER, language, synonyms: words(text), images: words(text).map((alt) => ({ alt })) },
  { ...PAPER, language, links: words(text).map((word) => ({ href: word, text: word, isFollowed: true })) },
  { ...PAPER, kind: 'product', language, html: text },
];
/** Texts in each language that has rules. */
const analysed = call(
  (run, text) => ['de', 'en', 'fr', 'nl'].map((language) => papers(text, language).map((paper) => run(paper))),
  {
    texts: [
      ['', 'wurde montiert. ', ''],
      ['', 'is made ', ''],
      ['', "l'", ''],
      ['', 'z. B. ', ''],
      ['', 'zum beispiel ', ''],
      ['', '<h2>a b</h2>', ''],
      ['', '<a href=/x>a b</a>', ''],
      ['', '<img alt="a b">', ''],
      ['', '<style>', ''],
    ],
  },
);

/** Boxes of MP4, chunks of PNG, segments of JPEG, frames of ID3 and EXIF that look like each other. */
const MEDIA: readonly HostileText[] = [
  ['\0\0\0\u0008ftyp', '\0\0\0\u0008free', ''],
  ['\0\0\0\u0008ftyp', '\0\0\0\0moov', ''],
  ['\0\0\0\u0008ftyp', '\0\0\0\u0010stsd\0\0\0\0mp4a', ''],
  ['\u0089PNG\r\n\u001A\n', '\0\0\0\0tEXt\0\0\0\0', ''],
  ['\u0089PNG\r\n\u001A\n', '\0\0\0\u0001iTXta\0\0\0\0', ''],
  ['\u00FF\u00D8', '\u00FF\u00E1\0\u0002', ''],
  ['ID3\u0004\0\0\0\0\u007F\u007F', 'TIT2\0\0\0\u0001\0\0\0', ''],
  ['', 'II*\0', ''],
  ['', 'II*\0\u0008\0\0\0\u0001\0\u0025\u0088\u0004\0\u0001\0\0\0\u001A\0\0\0\u0001\0\u0002\0', ''],
  ['Exif\0\0II*\0\u0008\0\0\0\u00FF\0', '\u000E\u0001\u0002\0\u00FF\u00FF\0\0\0\0\0\0', ''],
  ['', '<rdf:RDF', ''],
  ['', '<rdf:RDF>', '</rdf:RDF>'],
  ['', '<rdf:RDF>', ':GPSA</rdf:RDF>'],
];

/** These must be found slow, and fast: what else says that a measurement sees anything? */
export const EXAMPLES: Readonly<Record<string, Call>> = {
  'scripts/cost/examples.ts searchesTheRest': before(),
  'scripts/cost/examples.ts copiesTheList': before(),
  'scripts/cost/examples.ts looksFromEachSign': before(),
  'scripts/cost/examples.ts neverEnds': before(),
  'scripts/cost/examples.ts searchesOnce': before(),
  'scripts/cost/examples.ts joinsParts': before(),
  'scripts/cost/examples.ts sortsWords': before(),
};

export const CALLS: Readonly<Record<string, Call>> = {
  'analysis/analyse-text.ts analyseText': analysed,
  'analysis/scores.ts fieldScore': behind([], []),
  'analysis/text/keyphrase.ts parseKeyphrase': before(undefined),
  'analysis/text/keyphrase.ts splitLowerCaseWords': before(undefined),
  'analysis/text/keyphrase.ts stemWord': before(undefined),
  'analysis/text/keyphrase.ts stemText': before(undefined),
  'analysis/text/keyphrase.ts countKeyphrase': call((run, text) => run(words(text), KEYPHRASE)),
  'analysis/text/keyphrase.ts countMatchingStems': call((run, text) => run(words(text), KEYPHRASE)),
  'analysis/text/keyphrase.ts matchesKeyphrase': call((run, text) => run(words(text), KEYPHRASE)),
  'analysis/text/keyphrase.ts findExactKeyphrase': before(KEYPHRASE),
  'analysis/languages/language-rules.ts containsPhrase': call((run, text) =>
    run([...text], new Map([['a', [['a', 'b']]]])),
  ),
  'contracts/namespaces.ts toWirePath': before(NAMESPACES),
  'contracts/namespaces.ts toNeutralPath': before(NAMESPACES),
  'contracts/namespace-routes.ts findServingNamespaces': call(
    (run, text) => run('thumbnails/v1', [text, ...words(text)]),
    {
      texts: [
        ['', '(?P<a>', ''],
        ['', '(?P<a>(b', ''],
        ['', '(?P<a>(b)', ''],
      ],
    },
  ),
  'contracts/synced/seo.ts hasForeignCanonical': call((run, text) => run({ canonical: SITE + text }, ['site.test'])),
  'contracts/site-paths.ts pathsBelow': call((run, text) =>
    run(URL.parse(text, SITE) ?? new URL(SITE), [SITE, ...words(text)]),
  ),
  'contracts/parse-value.ts parseValue': call((run, text) => run(VALUE, members(text))),
  'contracts/podcast/partial-parse-result.ts parseItems': call((run, text) => run([members(text)], 'x', VALUE, String)),
  'contracts/scan-text.ts forwardFinder': call((run, text) => {
    const find = run(text, /[<"]x/) as (from: number) => unknown;
    for (let at = 0; at < text.length; at++) find(at);
  }),
  'contracts/scan-text.ts tagEndFinder': call((run, text) => {
    const endOf = run(text) as (start: number) => number | undefined;
    for (let at = 0; at < text.length;) at = endOf(at) ?? at + 1;
  }),
  'contracts/scan-text.ts findTags': before(/<[a-z]/),
  'contracts/scan-text.ts replaceTags': before(/<[a-z]/, () => 'x'),
  'contracts/scan-text.ts findSpans': before(/<[a-z]|\[x/, /\/x\]|-->/),
  'contracts/html/html-text.ts openTag': call((run, text) => run('b', new Map(Object.entries(members(text))))),
  'contracts/podcast/chapter-formats.ts parseChapters': call(
    (run, text) => ['mp4chaps', 'psc', 'json', 'pijson'].map((format) => run(format, text)),
    {
      texts: [
        ['', '0 x <', '\n'],
        ['', '0 <https://a.test/>\n', ''],
        ['<chapters>', '<chapter start="0" title=\'x\'/>', ''],
        ['<chapters ', 'a="1', ''],
        ['[', '{"start":"0","title":""},', '{"start":"0","title":""}]'],
      ],
    },
  ),
  'catalogue/addresses/paths.ts episodeTranscriptPath': call((run, text) => run('de', text, 'vtt')),
  'sync/publishing/lazy-media.ts mediaAddress': call((run, text) =>
    ['src', 'srcset', 'data-src', 'data-srcset', 'class'].map((name) => run({ [name]: text }, SITE)),
  ),
  'sync/publishing/lazy-media.ts posterAddress': call((run, text) => run({ poster: text, 'data-poster': text }, SITE)),
  'sync/publishing/lazy-media.ts backgroundAddress': call(
    (run, text) => [
      run({ class: text, style: text }, SITE),
      run({ role: 'img', style: text, 'data-bg': text, 'data-background-image': text }, SITE),
    ],
    {
      texts: [
        ['', 'background:url(', ''],
        ['', ';background', ''],
      ],
    },
  ),
  'product-index/localise-html.ts findImage': call((run, text) => run({ asset: () => undefined }, text, text)),
  'origin/namespaces/podcast/feed/find-feed.ts feedAddress': call((run, text) =>
    run({ addresses: { site: SITE } }, text),
  ),
  'origin/namespaces/podcast/media/assets.ts locateMediaFile': call((run, text) =>
    run({ addresses: { site: SITE } }, { media_base: text }, text, { suffix: '', type: { extension: 'mp3' } }),
  ),
  'contracts/podcast/file-address.ts addTrackingParams': call((run, text) =>
    run(`${SITE}${text}`, { id: 1, source: 'feed', context: text }),
  ),
  'contracts/podcast/media-names.ts mediaFileName': before({ suffix: '', extension: 'mp3' }),
  'contracts/podcast/media-names.ts guessAsset': before([{ suffix: '-low', extension: 'mp3' }]),
  'contracts/podcast/media-names.ts generateFileName': call((run, text) =>
    run(text, 'x', [{ suffix: '-low', extension: 'mp3' }]),
  ),
  'contracts/podcast/transcript.ts parseTranscript': call(
    (run, text) => ['webvtt', 'srt', 'json_podcastindex'].map((format) => run(format, text)),
    {
      texts: [
        ['WEBVTT\n\n', '00:00.000 --> 00:01.000\nx\n\n', ''],
        ['WEBVTT\n\n00:00.000 --> 00:01.000\n', '<v ', ''],
        ['WEBVTT\n\n00:00.000 --> 00:01.000\n', '<v a>b', ''],
        ['WEBVTT\n\n00:00.000 --> 00:01.000\n', '<1:', ''],
        ['WEBVTT\n\n00:00.000 --> 00:01.000\n', '&lrm;&#', ''],
        ['00:00,000 --> 00:01,000\n', '<font ', ''],
        ['', '00:00,000 --> 00:01,000\na: b\n\n', ''],
        ['{"segments":[', '{"startTime":0,"endTime":1,"body":"x"},', '{"startTime":0,"endTime":1,"body":"x"}]}'],
      ],
    },
  ),
  'contracts/product/parse-product.ts parseProductLeniently': call((run, text) =>
    run({ name: text, attributes: words(text), gtin: text }, { gtin: '4006381333931', base: SITE }),
  ),
  'client/credential.ts basicCredential': call((run, text) => run({ user: text, password: text }, SITE)),
  'client/credential.ts fileCredential': call((run, text) =>
    run({ publishing: { siteUrl: SITE, account: { user: 'a', password: 'b' } } }, SITE + text),
  ),
  'client/upstream-error.ts maskSecrets': before(['a']),
  'client/upstream-error.ts displayUrl': before(['a']),
  'client/read-body.ts excerptBody': before(['a']),
  'client/read-body.ts decompress': behind({}),
  'enhance/find-element.ts fillPlaceholders': before({ x: '<b>', a: '{x}' }),
  'import/import-products.ts selectLanguages': call((run, text) => run([{ code: 'en', name: 'x' }], words(text))),
  'import/destination.ts getLocalFilePath': call((run, text) => run(`${SITE}${text}`, { address: SITE })),
  // What is plain is recognised, and takes a fraction; with so many elements in each other nothing is.
  'sync/publishing/sanitise-html.ts sanitiseHtml': call((run, text) => run(text), DEEP),
  'import/destination.ts isAllowedFileAddress': call((run, text) => run(`${SITE}${text}`, { address: SITE })),
  'import/convert-shortcodes.ts convertShortcodes': call((run, text) => run({ raw: text, rendered: text }), {
    texts: [
      ['', '[x]', ''],
      ['', '[gallery a=1]', ''],
      ['', '[x] [/y]', ''],
    ],
  }),
  'import/convert-shortcodes.ts containsShortcode': call((run, text) => run(text), { texts: [['', '[x]', '']] }),
  'product-index/rewrite-html.ts rewriteHtml': before(REWRITING),
  'product-index/rewrite-html.ts rewritingBasis': before(REWRITING),
  'projection/strip-language-prefix.ts stripLanguagePrefix': before('en', [
    { by: 'slug-prefix', prefixes: { 'en-': 'en' } },
  ]),
  'catalogue/addresses/absolute-url.ts absoluteUrl': call((run, text) => run(`/${text}`, new URL(SITE))),
  'catalogue/json-ld/site-json-ld.ts organizationReference': before(new URL(SITE)),
  'catalogue/json-ld/site-json-ld.ts breadcrumbJsonLd': call((run, text) =>
    run([{ name: text, path: `/${text}` }], SITE, new URL(SITE)),
  ),
  'contracts/seo/page-kinds.ts unknownVariables': call((run, text) => run('product', text), {
    texts: [
      ['', '%%x%%', ''],
      ['', '%%x', ''],
    ],
  }),
  'contracts/seo/fill-template.ts fillTemplate': call(
    (run, text) => [
      run(text, { sep: '-', title: 'x' }),
      run('%%title%% %%sep%% %%title%%', { title: text, sep: text }),
    ],
    {
      texts: [
        ['', '%%sep%% ', ''],
        ['', '%%title%%', ''],
        ['', '%%x', ''],
      ],
    },
  ),
  'origin/namespaces/seo/records/object-settings.ts relocateSettings': call((run, text) =>
    run({ canonical: text, redirect: text, og_image: text, twitter_image: text }, 'https://a.test', 'https://b.test'),
  ),
  'origin/namespaces/seo/head/load-images.ts uploadFilePath': call((run, text) =>
    run(`https://b.test/uploads/${text}`, { publicUrl: 'https://a.test', storedUrl: 'https://b.test' }),
  ),
  'origin/namespaces/seo/records/find-links.ts findLinks': call(
    (run, text) => run(text, '/x/', { url: 'https://a.test', storedUrl: 'https://b.test' }),
    {
      texts: [
        ['', '<a href="/x/">', ''],
        ['', '<a ', ''],
        ['', '<img src="', ''],
        ['<a href="', '../', '">'],
      ],
    },
  ),
  'catalogue/codes/qr-code.ts qrCode': call((run, text) => run(text), { letters: 4000 }),
  'catalogue/journal/enrich-html.ts enrichHtml': before({ opensAt: () => 'x', tableLabel: () => 'x' }),
  'catalogue/products/key-values.ts matchesHighlight': behind({ norm: 'EN 1', key: 'x' }),
  'catalogue/quantities/material-need.ts unitsFor': call((run, text) => run({ content: '5' }, text, '2')),
  'generated/hosts/match-headers.ts matchHeaders': behind([{ path: '/a/*', headers: { x: 'y' } }]),
  'catalogue/markdown/markdown-text.ts markdownTable': call((run, text) =>
    run(
      ['a'],
      words(text).map((word) => [word]),
    ),
  ),
  'render/bundle/has-unoptimized-image.ts hasUnoptimizedImage': before({ imageEndpoint: '/_image' }),
  'render/request-url.ts requestUrl': before('page', SITE),
  'integration/serve/serve-static.ts chooseRepresentation': call((run, text) =>
    run(text, { url: `/${text}`, headers: { accept: text } }),
  ),
  'generated/sitemaps/sitemap.ts sitemapEntry': before({ alternates: [], images: [] }, '2026-01-01'),
  'origin/platform/abilities/pick-fields.ts pickFields': call((run, text) => run({ a: 1, b: 2 }, words(text))),
  'origin/namespaces/abilities/serve-abilities.ts parseAbilityInput': call((run, text) =>
    run({ name: 'x', input: VALUE }, { query: { input: members(text) } }),
  ),
  'origin/platform/accounts/users.ts throttleAccount': behind(undefined),
  'origin/platform/accounts/passwords.ts checkPassword': before({ login: 'anna', email: 'anna@a.test' }),
  'origin/platform/context/client-address.ts getClientAddress': call((run, text) =>
    run('127.0.0.1', { forwardedFor: text, forwarded: text }, 2),
  ),
  'origin/namespaces/core/media/prepare-media.ts parseExif': call((run, text) => run(bytesOf(text)), { texts: MEDIA }),
  'files/media/read-movie.ts readMovie': call((run, text) => run(bytesOf(text)), { texts: MEDIA }),
  'files/media/read-audio.ts readAudio': call((run, text) => run(bytesOf(text), 'audio/mpeg'), {
    texts: MEDIA,
  }),
  'files/media/read-movie.ts readVideo': call((run, text) => run(bytesOf(text), 'video/mp4'), {
    texts: MEDIA,
  }),
  'origin/namespaces/core/media/strip-location.ts stripLocation': call((run, text) => run(bytesOf(text)), {
    texts: MEDIA,
  }),
  'origin/platform/render/texturise.ts curlQuotes': before({ before: '', isOpen: false }),
  'origin/platform/render/render-blocks.ts renderWithEmbeds': before(
    new Map([['https://a.test/', '<i>a</i>']]),
    (text: string) => text,
  ),
  'origin/platform/render/filter-html.ts sanitise': call(
    (run, text) => run(text, { allowedTags: ['b', 'a', 'p'] }),
    DEEP,
  ),
  'origin/platform/render/filter-html.ts filterHtml': call((run, text) => run(text), DEEP),
  'origin/platform/render/filter-html.ts filterInline': call((run, text) => run(text), DEEP),
  'origin/platform/content/writing/check-writing.ts mergeMeta': call((run, text) =>
    run(words(text), members(text), members(text), false),
  ),
  'origin/admin/editors/texts/index.ts interpolate': before({ a: 'b' }),
  'origin/admin/import/parse-wire.ts parseWire': call((run, text) => run(VALUE, members(text))),
  'origin/product/product-interface.ts findView': behind([]),
  'origin/product/negotiate.ts negotiateFormat': call((run, text) =>
    run([{ format: 'json', mediaType: 'application/json', main: 'application', sub: 'json' }], text, undefined),
  ),
  'origin/product/find-product.ts parseTimestamp': call((run, text) =>
    run(new URLSearchParams({ since: text }), 'since'),
  ),
  'origin/product/render-browsable-page.ts renderJson': call((run, text) =>
    run([members(text), text], () => undefined),
  ),
  'origin/platform/http/transport/parse-parameters.ts checkForms': call((run, text) =>
    run('x', [z.object({ a: z.string() }), z.object({ b: z.string() })], members(text)),
  ),
  'origin/platform/http/transport/parse-parameters.ts checkParameter': call((run, text) =>
    run('x', VALUE, members(text)),
  ),
  'origin/platform/http/transport/dispatch.ts pageLinks': call((run, text) => run(SITE, members(text), {}, 2, 3)),
  'origin/platform/http/transport/rest-request.ts parseQuery': call((run, text) => run(text), { letters: 10_000 }),
  'origin/platform/http/transport/rest-request.ts parseCallback': before(true),
  'origin/platform/http/transport/read-form.ts readForm': call(
    (run, text) =>
      run(
        (async function* chunks() {
          for (const word of words(`--b\r\n${text}`)) yield await Promise.resolve(bytesOf(word));
        })(),
        'multipart/form-data; boundary=b',
        1000,
      ),
    {
      texts: [
        ['', '\r\n--b\r\n', ''],
        ['', 'content-disposition: form-data; name="a"\r\n\r\nx\r\n--b\r\n', ''],
        ['content-disposition: form-data; name="a"\r\n\r\n', '\r\n--', ''],
        ['content-disposition: form-data; name="a"\r\n\r\n', '\r', ''],
      ],
    },
  ),
  'origin/platform/http/transport/field-selection.ts selectFields': call((run, text) =>
    run(members(text), { tree: new Map() }),
  ),
  'origin/namespaces/thumbnails/usages/rewrite-images.ts rewriteImages': call(
    (run, text) => run(text, new Map([[7, { sizes: new Map([['full', SHOWN]]), sizeOf: () => 'full' }]])),
    {
      texts: [
        ['', '<img class="wp-image-7 ', ''],
        ['', "<img class='wp-image-7' a=\"", ''],
        ['', '<img class="wp-image-7" src="b.jpg" srcset="a, a">', ''],
        ['<img class="wp-image-7" srcset="', 'b.jpg 1w, ', '">'],
        ['<img class="wp-image-7" ', 'a = ', '>'],
        ['', '<!-- wp:image {"id":7', ''],
        ['', '<!-- wp:image {"id":7,"url":"b.jpg"} -->', ''],
        ['', '[caption id="attachment_7" width="1"', ''],
        ['', '[caption id="attachment_7" width="1"]<img class="wp-image-7" width="2">', ''],
        ['', '[caption id="attachment_7" width="1"]<img class="wp-image-7" width="2">[/caption]', ''],
      ],
    },
  ),
  'origin/server/serve-files.ts isNotModified': call((run, text) => run({ get: () => text }, '"x"', new Date(0))),
  'snapshot/digest-record.ts canonicalJson': call((run, text) => run([members(text), text])),
  'sync/hooks/prepare-target.ts maskSecrets': before(['secret']),
  'sync/hooks/targets/hook-target.ts expandTemplate': before({
    id: 'x',
    event: { type: 'x', data: { runId: 'x', digest: 'x', gtins: [], classes: [] } },
  }),
  'sync/products/check-product.ts checkProduct': call((run, text) =>
    run({ name: text, description: text, attributes: words(text) }, { gtin: '4006381333931', htmlBase: SITE }),
  ),
  'projection/episode-paths.ts siteLanguage': before(['de', 'fr-CH']),
  'sync/publishing/clean-attributes.ts cleanAttributes': call((run, text) =>
    run('a', { href: text, ...members(text) }, SITE),
  ),
  'sync/publishing/find-assets.ts findAssets': before(() => true),
  'sync/publishing/finish-html.ts finishHtml': before({ base: SITE }),
};

/** Functions that the rule finds and that are not measured, by the reason. */
export const EXCLUDED: Readonly<Record<string, readonly string[]>> = {
  'puts a text that is made here or was checked beside others, and reads nothing in it': [
    'components/change-texts.ts changeTexts',
    'components/preview-cards.ts productPreview',
    'origin/platform/content/content-url.ts getAuthorUrl',
    'origin/platform/content/find-content.ts listCacheKey',
    'origin/platform/content/embeds/find-thumbnail.ts thumbnailOf',
    'origin/admin/editors/edit-page.ts renderSelect',
    'origin/admin/editors/edit-page.ts renderCheckbox',
    'origin/admin/editors/edit-page.ts describeConflicts',
    'origin/admin/editors/editor-request.ts renderProblems',
    'origin/namespaces/core/media/read-upload.ts createUploadError',
    'components/shared-image.ts sharedImage',
    'contracts/core/revision.ts contentRevision',
    'contracts/core/revision.ts contentAutosave',
    'product-index/describe-group.ts describeGroup',
    'origin/platform/content/writing/check-writing.ts wrongMetaError',
    'i18n/create-ui.ts unitForms',
    'product-index/image-asset.ts toImageAsset',
    'catalogue/images/preview-card.ts previewPath',
    'catalogue/crawlers/robots-text.ts robotsText',
    'catalogue/languages/label-languages.ts languageChoices',
    'catalogue/addresses/local-page-paths.ts localPagePaths',
    'catalogue/norms/norm-text.ts normText',
    'catalogue/site/navigation.ts navigation',
    'contracts/core/field.ts renderedText',
    'generated/hosts/hosts.ts renderMovedPage',
    'commands/watch/handle-webhook.ts sendText',
    'origin/platform/files/s3-files.ts createUnreachableError',
    'origin/platform/http/transport/route-result.ts created',
    'origin/server/publishing/description/describe-resource.ts withKeywords',
    'origin/platform/media/media-files.ts describeSize',
    'origin/platform/http/transport/describe-problem.ts describeProblem',
    'sync/report/render-page.ts renderTable',
    'sync/report/report-document.ts createTable',
    'sync/hooks/targets/github.ts composeRepositoryDispatch',
    'sync/hooks/targets/github.ts composeWorkflowDispatch',
    'sync/hooks/targets/gitlab.ts composeGitlabRequest',
    'sync/hooks/targets/deploy-hooks.ts composeNetlifyRequest',
    'origin/platform/accounts/sessions.ts sessionCookie',
    'sync/hooks/targets/deploy-hooks.ts composeVercelRequest',
    'origin/namespaces/core/users/application-passwords.ts presentPassword',
    'render/bundle/astro-internals.ts storeModuleSource',
  ],
  'compares a text as a whole, or looks it up': [
    'catalogue/seo/edited-pages.ts isHidden',
    'origin/namespaces/seo/records/find-links.ts canBeIndexed',
    'origin/namespaces/seo/head/load-site.ts findChosenImage',
    'catalogue/port/tracked-queries.ts trackedQuery',
    'catalogue/port/tracked-queries.ts recordQuery',
    'catalogue/port/tracked-queries.ts recordRead',
    'catalogue/port/tracked-queries.ts digestQuery',
    'origin/platform/accounts/signed-forms.ts isFormTokenValid',
    'origin/admin/editors/editor-request.ts isValidFormToken',
    'origin/admin/editors/object-list.ts formatStatus',
    'origin/admin/editors/image-jobs.ts describeImageProblem',
    'origin/platform/http/callers/authenticate.ts isRestNonce',
    'origin/platform/http/callers/caller.ts isAllowed',
    'origin/platform/content/writing/create-content.ts getTermIds',
    'origin/namespaces/core/users/write-users.ts parseRole',
    'origin/namespaces/core/comments/find-comments.ts canReadThread',
    'origin/namespaces/core/site-resources/icons.ts handleListIcons',
    'snapshot/find-declarations.ts findDeclarationOwners',
    'snapshot/commit-staging.ts redactWithdrawn',
    'generated/feeds/find-deltas.ts findDeltas',
    'sync/assets/fetch-assets.ts publishAcceptedDeclarations',
    'sync/assets/allowed-hosts.ts createHostCheck',
  ],
  'reads and writes files or starts a thread': [
    'render/bundle/cached-bundle.ts cacheBundle',
    'generated/sitemaps/write-sitemaps.ts writeSitemaps',
    'workers/worker-thread.ts startThread',
    'generated/redirects/index.ts findRedirects',
    'generated/redirects/removed-lists.ts removedLists',
    'origin/platform/store/acquire-lock.ts acquireLock',
    'origin/platform/media/image-work.ts openImage',
  ],
  'runs in the page of the reader, on its elements': [
    'enhance/find-element.ts findElement',
    'enhance/player/share.ts startShare',
    'enhance/downloads/choose-documents.ts saveBlob',
    'enhance/search/find-hits.ts replaceSearchUrl',
    'components/cached-html.ts cachedHtml',
  ],
  'hands on to functions that are measured': [
    'catalogue/codes/draw-codes.ts drawCodes',
    'components/typeset-head.ts typesetHead',
    'sync/publishing/stage-rows.ts projectRow',
    'origin/namespaces/core/site-resources/types.ts publicNamespace',
    'origin/namespaces/core/terms/write-terms.ts parseTermName',
    'origin/platform/render/worker/text-jobs.ts runJob',
    'render/bundle/intercept-pages.ts toPageData',
    'origin/platform/render/analyse-html.ts analyseHtml',
    'origin/platform/render/analyse-html.ts detectLanguage',
    'origin/platform/http/transport/rest-request.ts readRequest',
    'sync/products/evaluate-response.ts evaluateRecord',
    'origin/platform/search/search-condition.ts matchesTerm',
    'origin/platform/site/load-site.ts cacheSite',
  ],
  'sets a path for the whole process, from a setting of the owner': ['catalogue/addresses/base.ts setBasePath'],
};
