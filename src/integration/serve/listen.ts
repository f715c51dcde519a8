import { createServer, type Server } from 'node:http';
import { SortimentError } from '../../contracts/index.ts';

/** @throws SortimentError PORT_TAKEN, PORT_REFUSED */
export function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(wordError(error, host, port)));
    server.listen(port, host, resolve);
  });
}

/** Finds out early that a long piece of work would end without a port to serve it on. */
export async function assertPortFree(host: string, port: number): Promise<void> {
  const server = createServer();
  await listen(server, host, port);
  await new Promise((resolve) => server.close(resolve));
}

function wordError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new SortimentError('PORT_TAKEN', `Port ${port} on ${host} is taken by another program.`, {
      hint: `Stop that program, or choose another port: --port ${port + 1}.`,
      cause: error,
    });
  }
  if (error.code === 'EACCES') {
    return new SortimentError('PORT_REFUSED', `Port ${port} on ${host} may not be opened.`, {
      hint: 'Ports below 1024 need special rights; choose a higher one with --port.',
      cause: error,
    });
  }
  return error;
}
