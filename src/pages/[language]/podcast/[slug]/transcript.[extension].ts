import type { APIRoute, GetStaticPaths } from 'astro';
import { TRANSCRIPT_FILES } from '#catalogue/addresses/paths.ts';
import { keyed } from '#catalogue/incremental/to-render.ts';
import { loadSite } from '#catalogue/site/load-site.ts';
import { transcriptMimeType, writeTranscript } from '#contracts/podcast/index.ts';

/** The transcript of an episode, for podcast apps and other programs. */
export const getStaticPaths = (async () => {
  const site = await loadSite();
  return site.languages.flatMap(({ code }) =>
    site
      .episodes(code)
      .flatMap(({ slug, transcript }) =>
        TRANSCRIPT_FILES.flatMap(({ extension }) =>
          transcript === undefined ? [] : { params: { language: code, slug, extension }, ...keyed(() => transcript) },
        ),
      ),
  );
}) satisfies GetStaticPaths;

export const GET: APIRoute = async ({ params: { language = '', slug, extension } }) => {
  const site = await loadSite();
  const episode = site.episodes(language).find((candidate) => candidate.slug === slug);
  const file = TRANSCRIPT_FILES.find((candidate) => candidate.extension === extension);
  if (!episode || !file) return new Response(undefined, { status: 404 });
  return new Response(writeTranscript(file.format, site.transcript(episode)), {
    headers: { 'content-type': `${transcriptMimeType(file.format)}; charset=utf-8` },
  });
};
