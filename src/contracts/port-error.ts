import { SortimentError } from './sortiment-error.ts';

/** Why nothing can listen on a port, in the same words whatever wanted to: PORT_TAKEN, PORT_REFUSED. */
export function portError(cause: Error, host: string, port: number): SortimentError {
  const code = 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE') {
    return new SortimentError('PORT_TAKEN', `Port ${port} on ${host} is taken by another program.`, {
      hint: `Stop that program, or choose another port: --port ${port + 1}.`,
      cause,
    });
  }
  if (code === 'EACCES') {
    return new SortimentError('PORT_REFUSED', `Port ${port} on ${host} may not be opened.`, {
      hint: 'Ports below 1024 need special rights; choose a higher one with --port.',
      cause,
    });
  }
  return new SortimentError('PORT_REFUSED', `Nothing can listen on ${host}, port ${port}: ${cause.message}.`, {
    hint: 'Choose another one with --port or --host.',
    cause,
  });
}
