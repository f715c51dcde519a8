import { readFileSync } from 'node:fs';
import type * as StructuredData from '@adobe/structured-data-validator';
import { loadAuditTool, resolveAuditFile } from '#files/testing/audit-tools.ts';

const { default: Validator } = loadAuditTool<typeof StructuredData>('@adobe/structured-data-validator');

type Node = Record<string, unknown>;

/** Types and properties of the published schema.org vocabulary. */
interface Vocabulary {
  /** Type -> its supertypes, including itself. */
  typesOf: ReadonlyMap<string, ReadonlySet<string>>;
  properties: ReadonlyMap<string, { domains: ReadonlySet<string>; ranges: ReadonlySet<string> }>;
  /** Member of an enumeration -> its types. */
  members: ReadonlyMap<string, ReadonlySet<string>>;
  /** Superseded names. */
  superseded: ReadonlySet<string>;
}

const SCHEMA = 'http://schema.org/';
const QUAD = /^<([^>]+)> <([^>]+)> <([^>]+)> /;
const TEXTS = ['Text', 'URL', 'Date', 'DateTime', 'Time', 'CssSelectorType', 'XPathType', 'PronounceableText'];
/** Properties for which Google accepts a URL instead of a node. */
const URL_PROPERTIES = new Set(['item', 'mainEntityOfPage']);

let read: Vocabulary | undefined;

function readVocabulary(): Vocabulary {
  const file = resolveAuditFile('@vocabulary/schema/schema.nq');
  const quads = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, subject = '', predicate = '', object = ''] = QUAD.exec(line) ?? [];
      if (!subject.startsWith(SCHEMA)) return [];
      const relation = predicate.split(/[/#]/).at(-1) ?? '';
      return { name: subject.slice(SCHEMA.length), relation, target: object.replace(SCHEMA, '') };
    });
  const related = (relation: string) =>
    Map.groupBy(
      quads.filter((quad) => quad.relation === relation),
      ({ name }) => name,
    );
  const [parents, domains, ranges, kinds] = ['subClassOf', 'domainIncludes', 'rangeIncludes', 'type'].map(related);
  const of = (groups: typeof parents, name: string) => (groups?.get(name) ?? []).map(({ target }) => target);
  const isClass = (name: string): boolean => of(kinds, name).some((kind) => kind.endsWith('#Class'));
  const above = (name: string): string[] => [name, ...of(parents, name).flatMap(above)];
  const names = [...(kinds?.keys() ?? [])];
  return {
    typesOf: new Map(names.filter(isClass).map((name) => [name, new Set(above(name))])),
    properties: new Map(
      [...(domains?.keys() ?? [])].map((name) => [
        name,
        { domains: new Set(of(domains, name)), ranges: new Set(of(ranges, name)) },
      ]),
    ),
    members: new Map(
      names.filter((name) => !isClass(name)).map((name) => [name, new Set(of(kinds, name).flatMap(above))]),
    ),
    superseded: new Set(related('supersededBy').keys()),
  };
}

/** Returns the names and types in a page's nodes that schema.org doesn't have: `BlogPosting.headline: …`. */
export function validateVocabulary(nodes: readonly unknown[]): string[] {
  read ??= readVocabulary();
  const vocabulary = read;
  return nodes.flatMap((node) =>
    isNode(node) ? checkNode(node, vocabulary) : [`${JSON.stringify(node)} is not a node`],
  );
}

function checkNode(node: Node, vocabulary: Vocabulary): string[] {
  const types = [node['@type']].flat().map(String);
  const unknown = types.filter((type) => !vocabulary.typesOf.has(type) || vocabulary.superseded.has(type));
  if (unknown.length > 0) return [`${unknown.join(', ')} is not a type of schema.org`];
  const above = new Set(types.flatMap((type) => [...(vocabulary.typesOf.get(type) ?? [])]));
  return Object.entries(node)
    .filter(([name]) => !name.startsWith('@'))
    .flatMap(([name, value]) => {
      const property = vocabulary.properties.get(name);
      const path = `${types.join('+')}.${name}`;
      if (!property || vocabulary.superseded.has(name)) return [`${path} is not a property of schema.org`];
      if (!overlap(property.domains, above)) return [`${path} is not a property of this type`];
      return [value].flat().flatMap((one) => checkValue(path, one, property.ranges, vocabulary));
    });
}

function checkValue(path: string, value: unknown, ranges: ReadonlySet<string>, vocabulary: Vocabulary): string[] {
  const [type, name] = [typeof value, path.slice(path.indexOf('.') + 1)];
  if (isNode(value)) {
    if (value['@type'] === undefined)
      // The node is described elsewhere by its ID.
      return '@id' in value ? [] : [`${path} is a node without a type`];
    const types = [value['@type']].flat().flatMap((one) => [...(vocabulary.typesOf.get(String(one)) ?? [])]);
    return [
      ...(overlap(ranges, new Set(types)) ? [] : [`${path} is of the type ${String(value['@type'])}`]),
      ...checkNode(value, vocabulary),
    ];
  }
  if (value === '' || value === null || value === undefined) return [`${path} is empty`];
  if (type === 'boolean') return ranges.has('Boolean') ? [] : [`${path} is true or false`];
  // Image dimensions in pixels, as in Google's examples.
  if (type === 'number' && /^ImageObject\.(?:width|height)$/.test(path)) return [];
  if (type === 'number')
    return ['Number', 'Integer', 'Float'].some((range) => ranges.has(range)) ? [] : [`${path} is a number`];
  const member = vocabulary.members.get(String(value).replace(/^https?:\/\/schema\.org\//, ''));
  if (member && overlap(ranges, member)) return [];
  if (URL_PROPERTIES.has(name) && /^https?:\/\//.test(String(value))) return [];
  const isText = [...TEXTS, 'Number'].some((range) => ranges.has(range)) || ranges.has('Duration');
  return isText ? [] : [`${path} is a text`];
}

/** Properties that Google requires (https://developers.google.com/search/docs/appearance/structured-data). */
const GOOGLE: Readonly<Record<string, readonly string[]>> = {
  Product: ['name'],
  ProductGroup: ['name', 'variesBy', 'productGroupID', 'hasVariant'],
  Offer: ['price', 'priceCurrency'],
  UnitPriceSpecification: ['price', 'priceCurrency'],
  BreadcrumbList: ['itemListElement'],
  ItemList: ['itemListElement'],
  BlogPosting: ['headline', 'datePublished', 'dateModified', 'author', 'publisher'],
  Organization: ['name'],
  Person: ['name'],
  WebSite: ['name', 'url'],
  ProfilePage: ['mainEntity'],
};

/**
 * Validates nodes against Google's requirements, including those of an independent validator. List items need no names.
 */
export async function validateForGoogle(nodes: readonly unknown[]): Promise<string[]> {
  const known = nodes.filter(isNode);
  const missingProperties = known.flatMap((node) => missing(node));
  const jsonld = Object.fromEntries(
    [...Map.groupBy(known, (node) => String(node['@type']))].map(([type, group]) => [type, structuredClone(group)]),
  );
  const issues = await new Validator().validate({ jsonld });
  // A referenced product is described on its own page. Without a price there is no offer.
  const hasOffers = known.some((node) => 'offers' in node);
  const reported = issues
    // Images without a licence need no licence properties.
    .filter(({ severity, rootType }) => severity === 'ERROR' && rootType !== 'ItemList' && rootType !== 'ImageObject')
    .filter(({ issueMessage, path }) => !(/"(offers|image)"/.test(issueMessage) && (path.length > 1 || !hasOffers)))
    .map(({ rootType, issueMessage }) => `${rootType}: ${issueMessage}`);
  return [...missingProperties, ...reported];
}

function missing(node: Node): string[] {
  const types = [node['@type']].flat().map(String);
  const own = types.flatMap((type) =>
    (GOOGLE[type] ?? []).filter((name) => node[name] === undefined).map((name) => `${type} has no ${name}`),
  );
  const below = Object.values(node)
    .flat()
    .filter(isNode)
    .filter((inner) => inner['@type'] !== undefined);
  return [...own, ...below.flatMap(missing)];
}

const overlap = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => [...a].some((one) => b.has(one));

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
