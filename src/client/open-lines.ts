import type { Readable } from 'node:stream';
import { begin, describeFailure, type ExchangeContext, type TransportRequest } from './exchange.ts';
import { BodyError, bodyFault, decompress } from './read-body.ts';

/** What came of a request whose body is read line by line. */
export type LineExchange =
  | {
      outcome: 'answered';
      status: number;
      headers: Readonly<Record<string, string>>;
      /**
       * Ends with the last whole line. Throws a BodyError when the body is cut off, stalls, or can't be read as
       * lines. Empty unless it is a good answer of such a type.
       */
      lines: AsyncGenerator<string, undefined>;
    }
  | { outcome: 'failed'; problem: string; transient: boolean };

/**
 * Sends a request and gives its body as lines, as they arrive. Rejects only when the signal aborts.
 * @param asked Its `maxBytes` is that of one line, its `deadlineMs` for one line to come whole.
 */
export async function openLines(asked: TransportRequest, context: ExchangeContext): Promise<LineExchange> {
  const signal = context.signal ?? new AbortController().signal;
  try {
    const { statusCode: status, headers, body } = await begin(new URL(asked.url), asked, context, signal);
    body.on('error', () => undefined);
    if (status !== 200 || !/ndjson|jsonl/i.test(headers['content-type'] ?? '')) {
      body.destroy();
      return { outcome: 'answered', status, headers, lines: noLines() };
    }
    const source = decompress(body, headers['content-encoding']);
    const close = () => {
      source.destroy();
      // Otherwise decompression would keep the connection open.
      body.destroy();
    };
    const lines = readLines({ source, close }, asked, context);
    return { outcome: 'answered', status, headers, lines };
  } catch (error) {
    context.signal?.throwIfAborted();
    return describeFailure(error, undefined);
  }
}

const LINE_END = 10;

async function* noLines(): AsyncGenerator<string, undefined> {}

async function* readLines(
  { source, close }: { source: Readable; close: () => void },
  { maxBytes, deadlineMs }: TransportRequest,
  context: ExchangeContext,
): AsyncGenerator<string, undefined> {
  const maxLineBytes = maxBytes ?? context.maxBytes;
  const lineMs = deadlineMs ?? context.timeoutMs;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  /** The begin of a line whose end hasn't come yet. */
  let begun: Buffer[] = [];
  let begunBytes = 0;
  // Bytes alone are no progress: they may drip for ever, or decompress to nothing but empty lines.
  const deadline = setTimeout(() => {
    source.destroy(new BodyError(`no whole line came within ${lineMs} ms`, true));
  }, lineMs);
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      let at = 0;
      // Line by line from the bytes: texts of whole chunks are large objects, which only a full collection frees.
      for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, at)) {
        const bytes = chunk.subarray(at, end);
        at = end + 1;
        const line = decoder.decode(begunBytes > 0 ? Buffer.concat([...begun, bytes]) : bytes);
        [begun, begunBytes] = [[], 0];
        if (line.trim() === '') continue;
        yield line;
        deadline.refresh();
      }
      if (at < chunk.length) begun.push(chunk.subarray(at));
      begunBytes += chunk.length - at;
      if (begunBytes > maxLineBytes) throw new BodyError(`a line is longer than ${maxLineBytes} bytes`, false);
    }
  } catch (error) {
    context.signal?.throwIfAborted();
    const { problem, transient } = describeFailure(bodyFault(error), undefined);
    throw new BodyError(problem, transient);
  } finally {
    clearTimeout(deadline);
    close();
  }
  // A writer ends every line, so a last one without an end was cut off by something that hid it.
  if (Buffer.concat(begun).toString().trim() !== '') throw new BodyError('the body was cut off', true);
  return undefined;
}
