import type { CatalogueChanged } from '../compose-message.ts';

/** What goes out. */
export interface SentMessage {
  id: string;
  /** The exact text of the event. */
  body: string;
  event: CatalogueChanged;
}

export interface HookRequest {
  method: 'POST';
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface HookAnswer {
  status: number;
  retryAfter: string | undefined;
  /** Its first 64 KiB. */
  body: string;
}

export type Verdict =
  /** @property reference What the target calls the build that it has started. */
  | { outcome: 'delivered'; reference?: string | undefined }
  /** The target is no more. */
  | { outcome: 'gone'; problem: string }
  /** @property problem Without addresses and answers: it is stored. */
  | { outcome: 'failed'; problem: string; slowDown?: boolean; retryAfterMs?: number | undefined };
