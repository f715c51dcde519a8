import { listWords } from '#origin/platform/http/transport/list-words.ts';
import type { CheckScope, ParameterCheck } from '#origin/platform/http/transport/index.ts';
import { findRow } from '../answer-item.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';

/** What of a row's fields depends on the site, or on the row as it is: sending back what is there is always right. */
export function writingChecks(kind: ContentKind): Readonly<Record<string, ParameterCheck>> {
  return {
    status: async (sent, scope) => {
      const row = await presentRow(kind, scope);
      return row && sent === row.status ? { accepted: sent } : undefined;
    },
    template: async (sent, scope) => {
      if (typeof sent !== 'string' || sent === '' || kind.templates.includes(sent)) return undefined;
      if (sent === (await presentRow(kind, scope))?.template) return undefined;
      return { code: 'rest_invalid_param', text: `template is not one of ${listWords(kind.templates)}.` };
    },
  };
}

async function presentRow(kind: ContentKind, scope: CheckScope): Promise<ContentRow | undefined> {
  const id = Number(scope.sent('id'));
  return Number.isSafeInteger(id) ? findRow(scope, kind, id) : undefined;
}
