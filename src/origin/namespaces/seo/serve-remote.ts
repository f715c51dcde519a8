import {
  NO_TEXT_SERVICE,
  REMOTE_ROUTES,
  setKeywordCountry,
  setTextConsent,
  UNSUPPORTED,
  type RemoteRoute,
} from '#contracts/seo/remote.ts';
import type { RouteDeclaration } from '#contracts/route.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { failure, item, type AnyCall, type RouteRules } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { updateSeoOptions, loadSeoOptions } from './options.ts';
import { managerRules, writerRules, requireRights } from './authorize.ts';

const hasKeyphrases = async (scope: Pick<AnyCall, 'context' | 'requestMemo'>) =>
  (await loadSeoOptions(scope)).integrations.keyword_service;

const RULES: Readonly<Record<RemoteRoute['rights'], RouteRules<RouteDeclaration>>> = {
  service: {},
  writers: writerRules,
  managers: managerRules,
  keyphrases: { ...requireRights('edit_posts', 'edit_pages'), isServed: hasKeyphrases },
  type: {
    /** Authorizes callers who can write content of this type. Unknown types are forbidden. */
    permit({ query, body, caller, context, refuse }) {
      const { post_type: type } = { ...query, ...body } as { post_type?: string };
      const kind = context.kinds.get(type ?? '');
      if (!kind || !can(caller, kind.rights.edit))
        throw refuse('rest_forbidden', 'You are not allowed to write content of this type.');
    },
  },
};

/**
 * Serves the routes of remote services. No service can be connected: parameters and rights are validated, and the
 * response reports the missing service.
 */
export function serveRemote(registry: RouteRegistry): void {
  for (const route of REMOTE_ROUTES)
    registry.serve<RouteDeclaration>(route, () => failure(route.status, route.answer), RULES[route.rights]);
  registry.serve(
    setTextConsent,
    ({ body }) =>
      body.consent ? failure(UNSUPPORTED, NO_TEXT_SERVICE) : item('Consent is revoked. No texts are sent anywhere.'),
    writerRules,
  );
  registry.serve(
    setKeywordCountry,
    async (call) => {
      await updateSeoOptions(call, { keyword_service_country_code: call.body.country_code });
      return item({ success: true, status: 200 });
    },
    { ...managerRules, isServed: hasKeyphrases },
  );
}
