import { splitList } from '#contracts/wire.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { refusalStatus, type ParameterCheck } from '#origin/platform/http/transport/index.ts';
import type { ContentKind } from '#origin/platform/registry/content-kind.ts';

/**
 * Everybody may ask for the default status. Others are for those who write this kind of content; private alone
 * also for who may read it. This comes before the question whether there is such a status.
 */
export function checkStatus(kind: ContentKind): ParameterCheck {
  const open = kind.isFile ? 'inherit' : 'publish';
  return (sent, { caller }) => {
    const asked = [splitList(sent)].flat();
    const isAllowed = asked.every(
      (status) =>
        status === open ||
        can(caller, kind.rights.edit) ||
        (status === 'private' && can(caller, kind.rights.readPrivate)),
    );
    if (isAllowed) return undefined;
    return {
      code: 'rest_forbidden_status',
      text: 'This status is not for you.',
      data: { status: refusalStatus(caller) },
    };
  };
}
