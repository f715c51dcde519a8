import type { Site } from '../catalogue/site/load-site.ts';

const kept = new WeakMap<Site, Map<string, string>>();

/** HTML that was rendered under this name before, or else is now. While templates are worked on, nothing is kept. */
export function keptHtml(site: Site, name: string, render: () => Promise<string>): string | Promise<string> {
  if (import.meta.env.DEV) return render();
  const known = kept.get(site) ?? new Map<string, string>();
  kept.set(site, known);
  return (
    known.get(name) ??
    render().then((html) => {
      if (html.includes('<script'))
        throw new Error(
          `${name} has a script, which can't be kept: Astro puts it once on each page. Take it out of <Kept>.`,
        );
      known.set(name, html);
      return html;
    })
  );
}
