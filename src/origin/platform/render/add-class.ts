import { findTags } from '#contracts/scan-text.ts';

/** Adds classes to the first element of some HTML, behind those it has. */
export function addClass(html: string, classes: readonly string[]): string {
  const { value: first } = findTags(html, /<[a-z]/i).next();
  return first ? html.slice(0, first.start) + classed(first.source, classes) + html.slice(first.end) : html;
}

function classed(tag: string, classes: readonly string[]): string {
  const present = /\sclass="([^"]*)"/i.exec(tag);
  if (!present) return tag.replace(/^<[\w-]+/, (start) => `${start} class="${classes.join(' ')}"`);
  const names = (present[1] ?? '').split(/\s+/).filter((name) => name !== '');
  const merged = [...names, ...classes.filter((name) => !names.includes(name))];
  return tag.replace(present[0], () => ` class="${merged.join(' ')}"`);
}
