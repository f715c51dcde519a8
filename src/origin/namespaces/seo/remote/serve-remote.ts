import {
  authorizeAccount,
  connectKeywordService,
  deleteAccount,
  clearTextSubscription,
  getAccountStatus,
  getTextUsage,
  listRelatedKeyphrases,
  outlineContent,
  receiveRenewedTextTokens,
  receiveTextTokens,
  refreshAccountStatus,
  registerAccount,
  setKeywordCountry,
  setTextConsent,
  startFreeTexts,
  suggestContent,
  suggestTexts,
  updateAccount,
  type AccountStatus,
} from '#contracts/seo/remote.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { failure, item, type AnyCall } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { updateSeoOptions, loadSeoOptions } from '../options.ts';
import { managerRules, writerRules, requireRights } from '../authorize.ts';

/**
 * Serves the routes of remote services: text generation, keyphrases and accounts. No service can be connected.
 * Parameters and rights are validated, and the response reports the missing service.
 */
export function serveRemote(registry: RouteRegistry): void {
  serveTexts(registry);
  servePlanner(registry);
  serveKeyphrases(registry);
  serveAccount(registry);
}

const NO_TEXT_SERVICE = 'No text generation service is connected to this site.';
const NO_KEYWORD_SERVICE = 'No keyword service is connected to this site.';
/** Error identifier that clients know. */
const errorIdentifier = 'OAUTH_TOKEN_UNAVAILABLE';
/** HTTP status "Not Implemented": clients should not retry. */
const UNSUPPORTED = 501;

/** Rejects tokens: this server never requests any. */
const rejectTokens = () => failure<string>(401, 'These tokens were not requested.');

function serveTexts(registry: RouteRegistry): void {
  registry.serve(receiveTextTokens, rejectTokens);
  registry.serve(receiveRenewedTextTokens, rejectTokens);

  registry.serve(
    setTextConsent,
    ({ body }) =>
      body.consent ? failure(UNSUPPORTED, NO_TEXT_SERVICE) : item('Consent is revoked. No texts are sent anywhere.'),
    writerRules,
  );
  registry.serve(suggestTexts, () => failure(UNSUPPORTED, { message: NO_TEXT_SERVICE, errorIdentifier }), writerRules);
  registry.serve(
    getTextUsage,
    () => failure(UNSUPPORTED, { errorMessage: NO_TEXT_SERVICE, errorIdentifier, errorCode: UNSUPPORTED }),
    writerRules,
  );
  registry.serve(clearTextSubscription, () => item('No subscription was stored.'), writerRules);
  registry.serve(startFreeTexts, () => failure(UNSUPPORTED, NO_TEXT_SERVICE), writerRules);
}

function servePlanner(registry: RouteRegistry): void {
  const answer = { message: NO_TEXT_SERVICE, errorIdentifier };
  registry.serve(suggestContent, () => failure(UNSUPPORTED, answer), {
    permit: (call) => authorizeType(call, call.query.post_type),
  });
  registry.serve(outlineContent, () => failure(UNSUPPORTED, answer), {
    permit: (call) => authorizeType(call, call.body.post_type),
  });
}

/** Authorizes callers who can write content of this type. Unknown types are forbidden. */
function authorizeType({ caller, context, refuse }: AnyCall, type: string): void {
  const kind = context.kinds.get(type);
  if (!kind || !can(caller, kind.rights.edit))
    throw refuse('rest_forbidden', 'You are not allowed to write content of this type.');
}

function serveKeyphrases(registry: RouteRegistry): void {
  const rules = {
    ...requireRights('edit_posts', 'edit_pages'),
    isServed: async (scope: Pick<AnyCall, 'context' | 'requestMemo'>) =>
      (await loadSeoOptions(scope)).integrations.keyword_service,
  };
  registry.serve(
    connectKeywordService,
    () => failure(401, { tokens: [], error: NO_KEYWORD_SERVICE, status: 401 }),
    rules,
  );
  registry.serve(
    setKeywordCountry,
    async (call) => {
      await updateSeoOptions(call, { keyword_service_country_code: call.body.country_code });
      return item({ success: true, status: 200 });
    },
    { ...rules, ...managerRules },
  );
  registry.serve(
    listRelatedKeyphrases,
    () => failure(UNSUPPORTED, { error: NO_KEYWORD_SERVICE, status: UNSUPPORTED }),
    rules,
  );
}

const UNREGISTERED: AccountStatus = {
  is_provisioned: false,
  is_registered: false,
  registered_at: null,
  registered_at_iso: null,
  redirect_uris: [],
  redirect_uris_match: true,
};

/** Serves the account routes. Without an identity provider, the site is always unregistered. */
function serveAccount(registry: RouteRegistry): void {
  const status = UNREGISTERED;
  for (const route of [getAccountStatus, refreshAccountStatus] as const)
    registry.serve(route, () => item({ status }), managerRules);
  for (const route of [registerAccount, updateAccount] as const)
    registry.serve(route, () => item({ error_code: 'not_provisioned', status }), managerRules);
  registry.serve(deleteAccount, () => item({ status, message_key: 'disconnect_success' }), managerRules);
  registry.serve(authorizeAccount, () => item({ error_code: 'registration_gone', status }), managerRules);
}
