import {
  createComment as addComment,
  deleteComment as removeComment,
  getComment,
  listComments,
  updateComment as changeComment,
} from '#contracts/core/index.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/index.ts';
import { answerComment, answerComments, permitComment, permitComments } from './comments/answer-comments.ts';
import { createComment } from './comments/create-comment.ts';
import { deleteComment } from './comments/delete-comment.ts';
import { permitCommentChange, permitCommentDeletion, permitNewComment } from './comments/permit-comment-writing.ts';
import { updateComment } from './comments/update-comment.ts';

/** Serves comments: readers' answers to posts, pages and media. */
export function serveComments(registry: RouteRegistry): void {
  registry.serve(listComments, answerComments, { permit: permitComments });
  registry.serve(addComment, createComment, { permit: permitNewComment });
  registry.serve(getComment, answerComment, { permit: permitComment });
  registry.serve(changeComment, updateComment, { permit: permitCommentChange });
  registry.serve(removeComment, deleteComment, { permit: permitCommentDeletion });
}
