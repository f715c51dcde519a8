import { hash } from 'node:crypto';
import { UNKNOWN } from '#catalogue/port/reads.ts';
import type { Recorder } from '#catalogue/site/open-recorder.ts';

/** What a page has read, as the manifest keeps it. */
export interface Trace {
  /** Names the answers, and what the page was given. */
  key: string;
  /** What it has read that names no product, as JSON: many pages have that in common. */
  shared: string;
  /** What it has read of products. */
  own: string;
}

/** Tells whether pages would read now what they read when they were rendered. */
export interface Tracer {
  /** Renders a page. @param props What its route gives it. */
  render<T>(props: unknown, render: () => Promise<T>): Promise<{ result: T; trace: Trace | undefined }>;
  /** The key that a page has now. Undefined where it isn't known what it shows. */
  keyNow(of: Pick<Trace, 'shared' | 'own'>, props: unknown): string | undefined;
}

const OF_PRODUCT = /\d{13}/;

/** @param recorder Of the bundle that renders the pages. */
export function openTracer(recorder: Recorder): Tracer {
  const digests = new Map<string, string>();
  const digestShared = (shared: string, given: () => readonly unknown[]): string => {
    const digest = digests.get(shared) ?? hash('sha1', JSON.stringify(given()), 'base64url');
    digests.set(shared, digest);
    return digest;
  };
  const answers = (reads: string) => (JSON.parse(reads) as string[]).map(recorder.answer);
  return {
    render: async (props, render) => {
      const { result: rendering, reads } = recorder.record(render);
      const result = await rendering;
      const given = wordProps(props);
      if (given === undefined || reads.has(UNKNOWN)) return { result, trace: undefined };
      const own = [...reads].filter(([read]) => OF_PRODUCT.test(read));
      const others = [...reads].filter(([read]) => !OF_PRODUCT.test(read));
      const shared = JSON.stringify(others.map(([read]) => read));
      const digest = digestShared(shared, () => others.map(([, answer]) => answer));
      const key = keyOf(
        given,
        digest,
        own.map(([, answer]) => answer),
      );
      return { result, trace: { key, shared, own: JSON.stringify(own.map(([read]) => read)) } };
    },
    keyNow: ({ shared, own }, props) => {
      const given = wordProps(props);
      if (given === undefined) return undefined;
      const digest = digestShared(shared, () => answers(shared));
      return keyOf(given, digest, answers(own));
    },
  };
}

function keyOf(props: string, shared: string, own: readonly unknown[]): string {
  return hash('sha1', JSON.stringify([props, shared, own]), 'base64url');
}

/** Undefined for what has no form in JSON: nobody can tell then whether it is the same. */
function wordProps(props: unknown): string | undefined {
  let isPlain = props !== undefined;
  const text = JSON.stringify(props, (_, value: unknown) => {
    if (typeof value === 'function' || typeof value === 'symbol') isPlain = false;
    return value;
  });
  return isPlain ? text : undefined;
}
