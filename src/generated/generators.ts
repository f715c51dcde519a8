import { digitalLinks } from './digital-link/digital-links.ts';
import { documents } from './documents/documents.ts';
import { familyZips } from './documents/family-zips.ts';
import { feeds } from './feeds/feeds.ts';
import type { FileGenerator } from './generator.ts';
import { hosts } from './hosts/hosts.ts';
import { markdownFiles } from './markdown/markdown.ts';
import { records } from './records/records.ts';
import { search } from './search/search.ts';
import { trade } from './trade/trade.ts';
import { outputPath } from '#catalogue/addresses/site-paths.ts';
import { episodeTranscriptPath, TRANSCRIPT_FILES } from '#catalogue/addresses/paths.ts';
import { writeTranscript } from '#contracts/podcast/transcript.ts';
import { findTranscript } from '#catalogue/read-model/content-paths.ts';
import { readEpisodes } from '#catalogue/read-model/articles.ts';
import { createTranscriptReader } from '#catalogue/read-model/product-readers.ts';

/** Generates the transcript of each episode in all formats. */
const transcripts: FileGenerator = {
  name: 'transcripts',
  update: ({ settings, source, snapshot, put }) => {
    // The episode loader reports unreadable transcripts.
    const read = createTranscriptReader(settings.assetsFolder);
    for (const { record, language, slug } of readEpisodes(source)) {
      const digest = findTranscript(snapshot, record)?.digest;
      if (!digest) continue;
      for (const { extension, format } of TRANSCRIPT_FILES)
        put(
          outputPath(episodeTranscriptPath(language, slug, extension)),
          () => writeTranscript(format, read(digest)),
          digest,
        );
    }
  },
};

/** Generates `/.well-known/security.txt` (RFC 9116) with the security contact. */
export const securityTxt: FileGenerator = {
  name: 'security',
  update: ({ settings: { options, siteUrl }, languages, put }) => {
    const { security, mainLanguage } = options;
    if (!security) return;
    const codes = [mainLanguage, ...languages.map(({ code }) => code)].map((code) => code.slice(0, 2));
    const lines = [
      ...security.contact.map((contact) => `Contact: ${contact}`),
      `Expires: ${security.expires}T00:00:00Z`,
      `Preferred-Languages: ${[...new Set(codes)].join(', ')}`,
      `Canonical: ${siteUrl}/${SECURITY_FILE}`,
      ...(security.policy === undefined ? [] : [`Policy: ${security.policy}`]),
    ];
    put(SECURITY_FILE, `${lines.join('\n')}\n`);
  },
};

const SECURITY_FILE = '.well-known/security.txt';

/** Key file that authorises change notifications to search engines (https://www.indexnow.org). */
const indexNow: FileGenerator = {
  name: 'indexnow',
  update: ({ settings: { options }, put }) => {
    if (options.indexNow) put(`${options.indexNow.key}.txt`, options.indexNow.key);
  },
};

/** Generators of a build in their start order. */
export const GENERATORS: readonly FileGenerator[] = [
  search,
  digitalLinks,
  feeds,
  trade,
  records,
  hosts,
  securityTxt,
  indexNow,
  markdownFiles,
  documents,
  familyZips,
  transcripts,
];
