/**
 * Images that Astro makes smaller are made where it builds: a page that shows one can't be rendered in this thread.
 * Astro takes what it calls for that from a global.
 * @param refusal What is thrown then.
 * @returns Puts back what was there, for an Astro that builds in this thread later.
 */
export function refuseImages(refusal: () => Error): () => void {
  const addStaticImage = (): never => {
    throw refusal();
  };
  const before = Object.getOwnPropertyDescriptor(globalThis, 'astroAsset');
  Object.assign(globalThis, { astroAsset: { addStaticImage } });
  return () => {
    if (before) Object.defineProperty(globalThis, 'astroAsset', before);
    else Reflect.deleteProperty(globalThis, 'astroAsset');
  };
}
