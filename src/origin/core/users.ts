import { getMe, getUser, listUsers } from '../../contracts/core/index.ts';
import type { RouteRegistry } from '../publishing/transport/index.ts';
import { answerMe, answerUser, permitUser } from './users/answer-user.ts';
import { answerUsers, permitUsers } from './users/answer-users.ts';

/** Serves users. */
export function serveUsers(registry: RouteRegistry): void {
  registry.serve(listUsers, (call) => answerUsers(call, call.query), { permit: permitUsers });
  registry.serve(getUser, answerUser, { permit: permitUser });
  registry.serve(getMe, answerMe);
}
