import { outputPath } from '#catalogue/addresses/site-paths.ts';
import { episodeTranscriptPath, TRANSCRIPT_FILES } from '#catalogue/addresses/paths.ts';
import { writeTranscript } from '#contracts/podcast/transcript.ts';
import { findTranscript } from '#catalogue/read-model/content-paths.ts';
import { readEpisodes } from '#catalogue/read-model/articles.ts';
import { createTranscriptReader } from '#catalogue/read-model/product-readers.ts';
import type { FileGenerator } from '../generator.ts';

/** Generates the transcript of each episode in all formats. */
export const transcripts: FileGenerator = {
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
