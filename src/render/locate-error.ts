/** As Astro's loop does: an error without a place gets that of its page. @param component File of its route. */
export function locateError(error: unknown, component: string): unknown {
  if (!(error instanceof Error) || 'id' in error || ('type' in error && error.type === 'AstroError')) return error;
  return Object.assign(error, { id: component });
}
