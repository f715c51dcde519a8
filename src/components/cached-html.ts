const cache = new WeakMap<object, Map<string, string>>();

/** The HTML of an object under a name, rendered once. In development nothing is cached. */
export function cachedHtml(of: object, name: string, render: () => Promise<string>): string | Promise<string> {
  if (import.meta.env.DEV) return render();
  const known = cache.get(of) ?? new Map<string, string>();
  cache.set(of, known);
  return (
    known.get(name) ??
    render().then((html) => {
      if (html.includes('<script'))
        throw new Error(
          `${name} has a script, which can't be cached: Astro puts it on each page once. Move it out of <CachedFragment>.`,
        );
      known.set(name, html);
      return html;
    })
  );
}
