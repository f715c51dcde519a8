const FIRST_TAG = /<[a-z](?:"[^"]*"|'[^']*'|[^'">])*>/i;

/** Adds classes to the first element of some HTML, behind those it has. */
export function addClass(html: string, classes: readonly string[]): string {
  return html.replace(FIRST_TAG, (tag) => {
    const present = /\sclass="([^"]*)"/i.exec(tag);
    if (!present) return tag.replace(/^<[\w-]+/, (start) => `${start} class="${classes.join(' ')}"`);
    const names = (present[1] ?? '').split(/\s+/).filter((name) => name !== '');
    const merged = [...names, ...classes.filter((name) => !names.includes(name))];
    return tag.replace(present[0], () => ` class="${merged.join(' ')}"`);
  });
}
