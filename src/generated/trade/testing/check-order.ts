import { XMLParser } from 'fast-xml-parser';
import { expect } from 'vitest';

type XmlNode = Record<string, XmlNode[] | string>;

/**
 * Asserts order and cardinality of children, and the lengths of texts, of an XML document.
 * @param order Children by element: `A B? C* D+`. Other elements contain a text.
 * @param lengths Maximum number of characters by element.
 */
export function checkOrder(
  xml: string,
  root: string,
  order: Readonly<Record<string, string>>,
  lengths: Readonly<Record<string, number>>,
): void {
  const models = new Map(
    Object.entries(order).map(([name, children]) => [
      name,
      new RegExp(`^${children.replaceAll(/\b[A-Za-z]\w*\b/g, '(?:$& )').replaceAll(/(?<=[)?*+]) /g, '')}$`),
    ]),
  );
  const check = (name: string, children: readonly XmlNode[]): void => {
    const model = models.get(name);
    const nodes = children.filter((child) => !('#text' in child));
    const text = children.map((child) => child['#text'] ?? '').join('');
    expect([...text].length, name).toBeLessThanOrEqual(lengths[name] ?? Infinity);
    const names = nodes.map((child) => Object.keys(child).find((key) => key !== ':@') ?? '');
    if (model) expect(names.map((child) => `${child} `).join(''), name).toMatch(model);
    else expect([names, text], name).toEqual([[], expect.stringMatching(/./)]);
    for (const [i, child] of names.entries()) {
      const inner = nodes[i]?.[child];
      check(child, Array.isArray(inner) ? inner : []);
    }
  };
  const parser = new XMLParser({ preserveOrder: true, trimValues: false, parseTagValue: false });
  const document = parser.parse(xml.replaceAll(/>\n</g, '><')) as XmlNode[];
  const content = document.find((node) => root in node)?.[root];
  check(root, Array.isArray(content) ? content : []);
}
