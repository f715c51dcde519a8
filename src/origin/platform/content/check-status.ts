import { splitList } from '#contracts/wire.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { deniedStatus, type ParameterCheck } from '#origin/platform/http/transport/index.ts';
import type { ContentKind } from '#origin/platform/registry/content-kind.ts';

/**
 * Allows the default status for all callers. Other statuses require the right to edit this kind of content; `private`
 * also allows the right to read private content. Checked before the status itself is validated.
 */
export function checkStatus(kind: ContentKind): ParameterCheck {
  const publicStatus = kind.isFile ? 'inherit' : 'publish';
  return (raw, { caller }) => {
    const statuses = [splitList(raw)].flat();
    const isAllowed = statuses.every(
      (status) =>
        status === publicStatus ||
        can(caller, kind.rights.edit) ||
        (status === 'private' && can(caller, kind.rights.readPrivate)),
    );
    if (isAllowed) return undefined;
    return {
      code: 'rest_forbidden_status',
      text: 'You are not allowed to query this status.',
      data: { status: deniedStatus(caller) },
    };
  };
}
