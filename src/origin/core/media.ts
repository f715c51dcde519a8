import { getMedia, listMedia } from '../../contracts/core/index.ts';
import type { RouteRegistry } from '../publishing/transport/index.ts';
import { answerItem, permitItem } from './content/answer-item.ts';
import { answerList } from './content/answer-list.ts';
import { checkStatus } from './content/check-status.ts';
import { CONTENT_KINDS } from './content/content-kind.ts';
import { permitList } from './content/permit-list.ts';
import { sharedFilter } from './content/shared-filter.ts';
import { isUploadType } from './media/upload-types.ts';
import { presentMedia } from './media/present-media.ts';
import { loadSite } from './site/index.ts';

const kind = CONTENT_KINDS.attachment;

/** Serves media. */
export function serveMedia(registry: RouteRegistry): void {
  registry.serve(
    listMedia,
    async (call) => {
      const { query, caller } = call;
      const { timezone } = await loadSite(call);
      const filter = {
        ...sharedFilter('attachment', query, { timeZone: timezone, isAnonymous: caller.user === undefined }),
        parents: query.parent,
        notParents: query.parent_exclude,
        // Types nothing can be uploaded as do not narrow the list.
        mimeTypes: [
          ...(query.media_type ?? []).map((type) => `${type}/`),
          ...(query.mime_type ?? []).filter(isUploadType),
        ],
      };
      return answerList(call, { kind, query, filter, present: presentMedia });
    },
    { permit: permitList(kind), checks: { status: checkStatus(kind) } },
  );

  registry.serve(getMedia, (call) => answerItem(call, kind, presentMedia), { permit: permitItem(kind) });
}
