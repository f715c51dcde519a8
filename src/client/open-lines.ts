import type { Readable } from 'node:stream';
import { begin, describeFailure, type ExchangeContext, type TransportRequest } from './exchange.ts';
import { BodyError, bodyFault, decompress } from './read-body.ts';

/** What came of a request whose body is read line by line. */
export type LineExchange =
  | {
      outcome: 'answered';
      status: number;
      headers: Readonly<Record<string, string>>;
      /** Ends with the last whole line. Throws a BodyError when the body is cut off. Empty unless the status is 200. */
      lines: AsyncGenerator<string, undefined>;
    }
  | { outcome: 'failed'; problem: string; transient: boolean };

/** Sends a request and gives its body as lines, as they arrive. Rejects only when the signal aborts. */
export async function openLines(asked: TransportRequest, context: ExchangeContext): Promise<LineExchange> {
  const signal = context.signal ?? new AbortController().signal;
  try {
    const { statusCode: status, headers, body } = await begin(new URL(asked.url), asked, context, signal);
    if (status !== 200) {
      body.on('error', () => undefined).destroy();
      return { outcome: 'answered', status, headers, lines: noLines() };
    }
    const source = decompress(body, headers['content-encoding']);
    const lines = readLines(source, asked.maxBytes ?? context.maxBytes);
    return { outcome: 'answered', status, headers, lines };
  } catch (error) {
    context.signal?.throwIfAborted();
    return describeFailure(error, undefined);
  }
}

async function* noLines(): AsyncGenerator<string, undefined> {}

async function* readLines(source: Readable, maxLineBytes: number): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > maxLineBytes) throw new BodyError(`a line is longer than ${maxLineBytes} bytes`, false);
      for (const line of lines) if (line.trim() !== '') yield line;
    }
  } catch (error) {
    source.destroy();
    throw bodyFault(error);
  }
  // A writer ends every line, so a last one without an end was cut off by something that hid it.
  if (rest.trim() !== '') throw new BodyError('the body was cut off', true);
  return undefined;
}
