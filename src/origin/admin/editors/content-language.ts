import { sql, type SQL } from 'drizzle-orm';
import type { LanguageRules, OriginContext } from '#origin/platform/context/origin-context.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';

const TAXONOMIES = { category: 'category', tag: 'post_tag' } as const;
const MAX_DEPTH = 20;

/** Types whose language follows from the rules alone. That of an episode also depends on its show. */
const TYPES = ['post', 'page'] as const;

/** Languages that content of a type can have; empty if their rules are unknown. */
export function listLanguages({ languageRules }: OriginContext, type: string): string[] {
  if (!languageRules || !TYPES.some((known) => known === type)) return [];
  const codes = languageRules.rules.flatMap((rule) => Object.values('terms' in rule ? rule.terms : rule.prefixes));
  return [...new Set([languageRules.main, ...codes])];
}

/**
 * Returns an SQL expression for the language of content, by the same rules as in the catalogue. A page without a
 * matching rule has the language of its parent.
 */
export function contentLanguage({ rules, main }: LanguageRules): SQL<string> {
  const own = firstMatch(rules, sql`${content.slug}`, sql`${content.id}`);
  const above = firstMatch(rules, sql`above.slug`);
  const inherited = sql`(with recursive above as (
      select slug, parent_id, 1 as depth from ${content} parent where parent.id = ${content.parentId}
      union all
      select parent.slug, parent.parent_id, depth + 1 from ${content} parent join above on parent.id = above.parent_id
      where depth < ${sql.raw(String(MAX_DEPTH))}
    )
    select ${above} from above where ${above} is not null order by depth limit 1)`;
  return sql<string>`coalesce(${own}, case when ${content.type} = 'page' then ${inherited} end, ${main})`;
}

/** @param id ID of the content, unless it has no terms */
function firstMatch(rules: LanguageRules['rules'], slug: SQL, id?: SQL): SQL {
  const cases = rules.flatMap((rule) => {
    if ('prefixes' in rule)
      return Object.entries(rule.prefixes).map(
        ([prefix, language]) => sql`when starts_with(${slug}, ${prefix}) then ${language}::text`,
      );
    if (!id) return [];
    const taxonomy = TAXONOMIES[rule.by];
    return Object.entries(rule.terms).map(
      ([name, language]) => sql`when ${id} in (${contentBelow(taxonomy, name)}) then ${language}::text`,
    );
  });
  return cases.length === 0 ? sql`null::text` : sql`case ${sql.join(cases, sql` `)} end`;
}

/** IDs of the content with a term or one below it. It doesn't depend on the row, so it runs once per statement. */
function contentBelow(taxonomy: string, slug: string): SQL {
  return sql`with recursive below as (
      select id from ${term} named where named.taxonomy = ${taxonomy} and named.slug = ${slug}
      union
      select child.id from ${term} child join below on child.parent_id = below.id
    )
    select assigned.content_id from ${contentTerm} assigned join below on assigned.term_id = below.id`;
}
