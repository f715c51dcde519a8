import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

export interface Shot {
  method: 'GET' | 'POST';
  path: string;
  body?: string | Buffer;
  headers?: Readonly<Record<string, string>>;
  /** @default 200 */
  status?: number;
}

/**
 * A connection to a server, over which one request follows the other. Of an answer it reads the status and where it
 * ends: clients that read more take longer to ask for a kept answer than the origin takes to send it.
 */
export class Connection {
  readonly #host: string;
  readonly #socket: Socket;
  readonly #reader = new AnswerReader();
  #fired: { shot: Shot; resolve: () => void; reject: (error: Error) => void } | undefined;

  private constructor(url: URL) {
    this.#host = url.host;
    this.#socket = openSocket(url, (bytes) => this.#receive(bytes));
    this.#socket.on('error', (error) => this.#fired?.reject(error));
    this.#socket.on('close', () => this.#fired?.reject(new Error(`${this.#host} has closed a connection.`)));
  }

  /** @param url of the server, `http` or `https` */
  static async open(url: string): Promise<Connection> {
    const parsed = new URL(url);
    const connection = new Connection(parsed);
    await once(connection.#socket, parsed.protocol === 'https:' ? 'secureConnect' : 'connect');
    return connection;
  }

  /** @throws where the answer has another status than the shot expects */
  fire(shot: Shot): Promise<void> {
    const { method, path, body = '', headers = {} } = shot;
    let head = `${method} ${path} HTTP/1.1\r\nhost: ${this.#host}\r\n`;
    for (const [name, value] of Object.entries(headers)) head += `${name}: ${value}\r\n`;
    head += method === 'GET' ? '\r\n' : `content-length: ${Buffer.byteLength(body)}\r\n\r\n`;
    return new Promise((resolve, reject) => {
      this.#fired = { shot, resolve, reject };
      this.#socket.write(typeof body === 'string' ? head + body : Buffer.concat([Buffer.from(head), body]));
    });
  }

  close(): void {
    this.#fired = undefined;
    this.#socket.destroy();
  }

  #receive(bytes: Buffer): void {
    const answer = this.#reader.read(bytes);
    if (!answer || !this.#fired) return;
    const { shot, resolve, reject } = this.#fired;
    if (answer.status === (shot.status ?? 200)) resolve();
    else reject(new Error(`${shot.method} ${shot.path} was answered ${answer.status}: ${answer.text.slice(0, 1000)}`));
  }
}

function openSocket({ protocol, hostname, port }: URL, receive: (bytes: Buffer) => void): Socket {
  if (protocol === 'https:')
    return connectSecurely({ host: hostname, servername: hostname, port: Number(port) || 443 }).on('data', receive);
  const callback = (count: number, buffer: Uint8Array) => {
    receive(Buffer.from(buffer.buffer, buffer.byteOffset, count));
    return true;
  };
  // One buffer for all that is received spares half of what receiving takes.
  const onread = { buffer: Buffer.alloc(64 * 1024), callback };
  return connect({ host: hostname, port: Number(port) || 80, noDelay: true, onread });
}

const END_OF_HEAD = '\r\n\r\n';
const STATUS = /^HTTP\/1\.1 (\d{3})/;
const LENGTH = /\r\ncontent-length: *(\d+)/i;
/** JSON has no such lines. */
const LAST_CHUNK = '\r\n0\r\n\r\n';
const WITHOUT_BODY = new Set([204, 304]);

/** Reads answers of HTTP/1.1 piece by piece, as far as it takes to know where each ends. */
export class AnswerReader {
  /** What has come until the head was whole. */
  #text = '';
  #status: number | undefined;
  /** Bytes of the body; undefined where it comes in chunks. */
  #left: number | undefined;
  /** Of what comes in chunks. */
  #end = '';

  /** @returns the answer, with the beginning of its text, when it has come to its end */
  read(bytes: Buffer): { status: number; text: string } | undefined {
    if (this.#status === undefined) this.#readHead(bytes);
    else if (this.#left === undefined) this.#end = endOf(this.#end + bytes.toString('latin1'));
    else this.#left -= bytes.length;
    const [status, text] = [this.#status, this.#text];
    const isWhole = this.#left === undefined ? this.#end === LAST_CHUNK : this.#left <= 0;
    if (status === undefined || !isWhole) return undefined;
    this.#text = '';
    this.#status = undefined;
    this.#left = undefined;
    this.#end = '';
    return { status, text };
  }

  #readHead(bytes: Buffer): void {
    this.#text += bytes.toString('latin1');
    const end = this.#text.indexOf(END_OF_HEAD);
    if (end === -1) return;
    const head = this.#text.slice(0, end);
    this.#status = Number(STATUS.exec(head)?.[1]);
    const length = WITHOUT_BODY.has(this.#status) ? '0' : LENGTH.exec(head)?.[1];
    if (length === undefined) this.#end = endOf(this.#text);
    else this.#left = end + END_OF_HEAD.length + Number(length) - this.#text.length;
  }
}

function endOf(text: string): string {
  return text.slice(-LAST_CHUNK.length);
}
