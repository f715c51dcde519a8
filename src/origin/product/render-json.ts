import { raw } from 'hono/html';
import type { Html } from '#origin/platform/accounts/index.ts';

/**
 * JSON for reading: indented, coloured, its web addresses made links. Whatever a record holds stays text.
 *
 * @param linkOf Further links, by key and value: the address, or undefined.
 */
export function renderJson(value: unknown, linkOf: (key: string, text: string) => string | undefined): Html {
  return raw(renderValue(value, '', '', linkOf));
}

type LinkOf = Parameters<typeof renderJson>[1];

function renderValue(value: unknown, key: string, indent: string, linkOf: LinkOf): string {
  if (typeof value === 'string') return renderText(value, linkOf(key, value) ?? ownAddress(value));
  if (typeof value !== 'object' || value === null) return `<span class="n">${escape(JSON.stringify(value))}</span>`;
  const deeper = `${indent}    `;
  if (Array.isArray(value)) {
    return renderMembers(
      '[',
      ']',
      indent,
      value.map((item) => renderValue(item, key, deeper, linkOf)),
    );
  }
  const members = Object.entries(value).map(
    ([name, member]) =>
      `<span class="k">${escape(JSON.stringify(name))}</span>: ${renderValue(member, name, deeper, linkOf)}`,
  );
  return renderMembers('{', '}', indent, members);
}

function renderMembers(open: string, close: string, indent: string, members: readonly string[]): string {
  if (members.length === 0) return open + close;
  const lines = members.map((member) => `\n${indent}    ${member}`);
  return `${open}${lines.join(',')}\n${indent}${close}`;
}

function renderText(text: string, address: string | undefined): string {
  const shown = escape(JSON.stringify(text));
  if (address === undefined) return `<span class="s">${shown}</span>`;
  return `<a class="s" href="${escape(address)}" rel="nofollow">${shown}</a>`;
}

/** Only http(s): a record must not be able to offer `javascript:`. Templates lead nowhere. */
function ownAddress(text: string): string | undefined {
  return /^https?:\/\/[^\s{}]+$/i.test(text) && URL.canParse(text) ? text : undefined;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
