import { fileAt } from '#catalogue/addresses/base.ts';
import { episodeTranscriptPath, TRANSCRIPT_FILES } from '#catalogue/addresses/paths.ts';
import { writeTranscript } from '#contracts/podcast/transcript.ts';
import { transcriptOf } from '#projection/place-episodes.ts';
import { readEpisodes } from '#projection/read-articles.ts';
import { transcriptReader } from '#product-index/read-transcript.ts';
import type { FileGenerator } from '../generator.ts';

/** Generates the transcript of each episode in all formats. */
export const transcripts: FileGenerator = {
  name: 'transcripts',
  update: ({ settings, source, snapshot, put }) => {
    // The episode loader reports unreadable transcripts.
    const read = transcriptReader(settings.assetsFolder);
    for (const { record, language, slug } of readEpisodes(source)) {
      const digest = transcriptOf(snapshot, record)?.digest;
      if (!digest) continue;
      for (const { extension, format } of TRANSCRIPT_FILES)
        put(
          fileAt(episodeTranscriptPath(language, slug, extension)),
          () => writeTranscript(format, read(digest)),
          digest,
        );
    }
  },
};
