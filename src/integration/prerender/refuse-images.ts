/**
 * Images that Astro makes smaller are made where it builds: a page that shows one can't be rendered in this thread.
 * @param refusal What is thrown then.
 */
export function refuseImages(refusal: () => Error): void {
  const addStaticImage = (): never => {
    throw refusal();
  };
  Object.assign(globalThis, { astroAsset: { addStaticImage } });
}
