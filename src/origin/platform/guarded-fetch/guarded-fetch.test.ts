import { createServer, type Server } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkTarget, guardedFetch } from './guarded-fetch.ts';

/** A resolver that always answers the same. */
const resolving = (...addresses: string[]) => ({ resolve: () => Promise.resolve(addresses) });

const limits = { maxBytes: 100_000, timeoutMs: 20_000 };

/** Forms in which an address inside may be written. */
const INSIDE = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://0x7f.0.0.1/',
  'http://127.0.0.1./',
  'http://①②⑦.0.0.1/',
  'http://0.0.0.0/',
  'http://0/',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://10.0.0.1/',
  'http://172.16.5.4/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.64.0.1/',
  'http://100.127.255.254/',
  'http://168.63.129.16/machine/',
  'http://192.0.0.170/',
  'http://192.0.2.7/',
  'http://192.88.99.1/',
  'http://198.18.0.1/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b:1::a00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
  'http://[2001:db8::1]/',
  'http://[fc00::1]/',
  'http://[fd12:3456:789a::1]/',
  'http://[fd00:ec2::254]/latest/meta-data/',
  'http://[::ffff:a9fe:a9fe]/latest/meta-data/',
  'http://[64:ff9b::a9fe:a9fe]/latest/meta-data/',
  'http://[2002:a9fe:a9fe::]/latest/meta-data/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://[100::1]/',
];

const NEVER = [
  'ftp://1.1.1.1/',
  'file:///etc/passwd',
  'gopher://1.1.1.1/',
  'data:text/plain,x',
  'javascript:alert(1)',
  'http://user:secret@1.1.1.1/',
  'http://user@1.1.1.1/',
  'http://1.1.1.1:22/',
  'http://1.1.1.1:8080/',
  'https://1.1.1.1:6379/',
  '//1.1.1.1/',
  'not an address',
  '',
];

describe('where guardedFetch goes', () => {
  it.each([...INSIDE, ...NEVER])('not to %s', async (address) => {
    await expect(guardedFetch(address, limits)).rejects.toMatchObject({ code: 'FETCH_REFUSED' });
  });

  it('does not repeat credentials when it refuses', async () => {
    await expect(guardedFetch('http://user:secret@1.1.1.1/', limits)).rejects.not.toThrow(/secret/);
  });

  it('to what is public, on the ports it is told', async () => {
    await expect(checkTarget('https://1.1.1.1/')).resolves.toMatchObject({ addresses: ['1.1.1.1'] });
    await expect(checkTarget('http://[2606:4700::1111]/')).resolves.toBeDefined();
    await expect(checkTarget('http://1.1.1.1:8080/', { ports: [8080] })).resolves.toBeDefined();
  });

  it('not to a name that is public and private at once, nor to one that nobody knows', async () => {
    await expect(checkTarget('http://mixed.test/', resolving('1.1.1.1', '10.0.0.1'))).rejects.toMatchObject({
      code: 'FETCH_REFUSED',
    });
    await expect(checkTarget('http://none.test/', resolving())).rejects.toMatchObject({
      code: 'FETCH_FAILED',
    });
  });
});

describe('a name', () => {
  // The address that a name leads to counts, whatever the name is.
  it.each(INSIDE.map((address) => new URL(address).hostname.replace(/^\[|\]$/g, '')).filter((host) => isIP(host) > 0))(
    'that leads to %s is refused',
    async (address) => {
      await expect(checkTarget('http://name.test/', resolving(address))).rejects.toMatchObject({
        code: 'FETCH_REFUSED',
      });
    },
  );
});

describe('what guardedFetch reads', () => {
  let server: Server;
  let base: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://loopback');
      if (pathname === '/text') response.end(`${request.headers.host} ${request.headers.authorization ?? 'nobody'}`);
      else if (pathname === '/large') response.end(Buffer.alloc(200_000));
      else if (pathname === '/bomb')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(20_000_000)));
      else if (pathname === '/packed')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('unpacked'));
      else if (pathname === '/odd') response.writeHead(200, { 'content-encoding': 'rot13' }).end('x');
      else if (pathname === '/loop') response.writeHead(302, { location: '/loop' }).end();
      else if (pathname === '/to') response.writeHead(302, { location: searchParams.get('url') ?? '' }).end();
      else if (pathname !== '/silent') response.writeHead(404).end('none');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const read = (path: string, more: object = {}) =>
    guardedFetch(base + path, { ...limits, allowPrivate: true, ...more });

  it('hands over bodies, packed ones too, whatever the status', async () => {
    expect((await read('/packed')).body.toString()).toBe('unpacked');
    expect(await read('/none')).toMatchObject({ status: 404, body: Buffer.from('none') });
  });

  it('follows redirects and says where they led', async () => {
    expect(await read('/to?url=/text')).toMatchObject({ status: 200, url: `${base}/text` });
    await expect(read('/loop')).rejects.toMatchObject({ code: 'FETCH_FAILED' });
  });

  it('connects to the address that was checked, not to what the name means later', async () => {
    const { port } = new URL(base);
    const answer = await guardedFetch(`http://moved.invalid:${port}/text`, {
      ...limits,
      allowPrivate: true,
      ...resolving('127.0.0.1'),
    });
    expect(answer.body.toString()).toBe(`moved.invalid:${port} nobody`);
  });

  it('checks every hop again', async () => {
    // The first name resolves to this host as if it were public. Its redirect is checked by the rules.
    const { port } = new URL(base);
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return ['127.0.0.1'];
    };
    const hop = (url: string) =>
      guardedFetch(`http://first.invalid:${port}/to?url=${encodeURIComponent(url)}`, {
        ...limits,
        allowPrivate: true,
        resolve,
      });
    await expect(hop('file:///etc/passwd')).rejects.toMatchObject({ code: 'FETCH_REFUSED' });
    await expect(hop('http://user:pass@first.invalid/')).rejects.toMatchObject({ code: 'FETCH_REFUSED' });
    await hop(`http://second.invalid:${port}/text`);
    expect(asked).toBe(4);
  });

  it('stops at its limits of size, unpacked size and time', async () => {
    await expect(read('/large')).rejects.toMatchObject({ code: 'FETCH_TOO_LARGE' });
    await expect(read('/bomb')).rejects.toMatchObject({ code: 'FETCH_TOO_LARGE' });
    await expect(read('/odd')).rejects.toMatchObject({ code: 'FETCH_FAILED' });
    await expect(read('/silent', { timeoutMs: 100 })).rejects.toMatchObject({ code: 'FETCH_TIMED_OUT' });
  });
});
