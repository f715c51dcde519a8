import { tagEndFinder } from '../scan-text.ts';

/** A tag of an XML document, names without their prefix. */
export interface XmlTag {
  name: string;
  isClosing: boolean;
  attributes: ReadonlyMap<string, string>;
}

/** Constructs to skip, by opening and closing delimiter. */
const SKIPPED = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

/**
 * Reads the tags of an untrusted XML document, in order; text is skipped. Runs in linear time, expands no entities and
 * fetches nothing.
 *
 * @returns undefined if a construct isn't closed, or for a document type, which may declare entities
 */
export function readXmlTags(xml: string): XmlTag[] | undefined {
  const endOf = tagEndFinder(xml);
  const tags: XmlTag[] = [];
  let at = xml.indexOf('<');
  while (at >= 0) {
    const skipped = SKIPPED.find(([opening]) => xml.startsWith(opening, at));
    const end = skipped ? endAfter(xml, skipped[1], at + skipped[0].length) : endOf(at);
    if (end === undefined || (!skipped && xml[at + 1] === '!')) return undefined;
    if (!skipped) tags.push(readTag(xml.slice(at, end)));
    at = xml.indexOf('<', end);
  }
  return tags;
}

function endAfter(xml: string, closing: string, from: number): number | undefined {
  const found = xml.indexOf(closing, from);
  return found < 0 ? undefined : found + closing.length;
}

const TAG = /^<(\/?)([^\s/>]*)/;
const ATTRIBUTES = /([^\s=<>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?/g;

function readTag(source: string): XmlTag {
  const [opening = '', slash, name = ''] = TAG.exec(source) ?? [];
  const attributes = [...source.slice(opening.length).matchAll(ATTRIBUTES)].map(
    ([, attribute = '', double, single]): [string, string] => [
      withoutPrefix(attribute),
      decodeEntities(double ?? single ?? ''),
    ],
  );
  return { name: withoutPrefix(name), isClosing: slash === '/', attributes: new Map(attributes) };
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Decodes the predefined XML entities and character references; others stay unchanged. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (entity, decimal, hexadecimal, name) => {
    if (typeof name === 'string') return ENTITIES[name] ?? entity;
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hexadecimal), 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}
