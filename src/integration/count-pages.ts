import type { AstroPrerenderer } from 'astro';
import { progressReporter } from '#generated/report-progress.ts';

/** Counts what the standard prerenderer renders: tells now and then how far it is, and at the end how long it took. */
export function countPages(standard: AstroPrerenderer, report: (message: string) => void): AstroPrerenderer {
  const started = performance.now();
  const progress = progressReporter('pages', report);
  let total = 0;
  let rendered = 0;
  return {
    ...standard,
    getStaticPaths: async () => {
      const paths = await standard.getStaticPaths();
      total = paths.length;
      return paths;
    },
    render: async (request, options) => {
      const result = await standard.render(request, options);
      progress(++rendered, total);
      return result;
    },
    teardown: async () => {
      await standard.teardown?.();
      report(`${rendered} pages and feeds in ${((performance.now() - started) / 1000).toFixed(1)} s`);
    },
  };
}
