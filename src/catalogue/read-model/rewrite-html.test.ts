import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rewriteHtml, rewritingBasis, type HtmlResolvers } from './rewrite-html.ts';

const ADDRESSES = ['https://site.example/a/', '/b?x=1&y=2', 'https://media.example/c.jpg', '/d.mp3'] as const;
const address = fc.constantFrom(...ADDRESSES);
const written = (text: string) => text.replaceAll('&', '&amp;');

const piece = fc.oneof(
  fc.constantFrom('<p>Text</p>', '<br />', '<strong>&lt;a href=&quot;/b&quot;&gt;</strong>', '</a>'),
  address.map((href) => `<a href="${written(href)}">Link</a>`),
  address.map((href) => `<a data-embed="site.example" href="${written(href)}">Card</a>`),
  address.map((src) => `<img alt="Alt" src="${written(src)}" />`),
  fc
    .tuple(address, address)
    .map(([src, poster]) => `<video poster="${written(poster)}" src="${written(src)}"></video>`),
  fc
    .tuple(address, address)
    .map(([src, track]) => `<audio><source src="${written(src)}" /><track src="${written(track)}" /></audio>`),
);
const html = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));

/** Resolutions of each address: none, or one of two. */
const said = fc.array(fc.constantFrom(undefined, '1', '2'), { minLength: 4, maxLength: 4 });
const world = fc.record({ path: said, image: said, file: said, card: said });

function rewritingIn(facts: typeof world extends fc.Arbitrary<infer W> ? W : never): HtmlResolvers {
  const of = (answers: readonly (string | undefined)[], asked: string) =>
    answers[ADDRESSES.findIndex((one) => one === asked)];
  const imageOf = (digest: string | undefined, alt: string) =>
    digest === undefined
      ? undefined
      : { digest: digest.repeat(16), width: 640, height: 480, mimeType: 'image/png', alt, caption: '' };
  return {
    resolveLink: (href) => {
      const path = of(facts.path, href);
      return path && `/page-${path}/`;
    },
    findImage: (src, alt) => imageOf(of(facts.image, src), alt),
    findFile: (file) => {
      const digest = of(facts.file, file);
      return digest && `/documents/${digest}.pdf`;
    },
    findArticle: (path) => {
      const title = facts.card[Number(path.at(-2))];
      return title === undefined ? undefined : { title, excerpt: '', featured: imageOf(title, '') };
    },
  };
}

it('names all that a text is made of, and nothing that it is not made of', () => {
  let [others, same] = [0, 0];
  fc.assert(
    fc.property(html, world, world, (text, one, other) => {
      const [first, second] = [rewritingIn(one), rewritingIn(other)];
      const basisOf = (rewriting: HtmlResolvers) => JSON.stringify(rewritingBasis(text, rewriting));
      if (rewriteHtml(text, first) === rewriteHtml(text, second)) return;
      others += 1;
      expect(basisOf(first)).not.toBe(basisOf(second));
    }),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(html, world, world, fc.nat({ max: ADDRESSES.length - 1 }), (text, one, other, at) => {
      if (text.includes(written(ADDRESSES[at] ?? '')) || text.includes('data-embed')) return;
      same += 1;
      const swap = <T>(answers: readonly T[], by: readonly T[]) =>
        answers.map((answer, i) => (i === at ? by[i] : answer));
      const { path, image, file } = one;
      const changed = {
        ...one,
        path: swap(path, other.path),
        image: swap(image, other.image),
        file: swap(file, other.file),
      };
      expect(rewritingBasis(text, rewritingIn(changed))).toEqual(rewritingBasis(text, rewritingIn(one)));
    }),
    { numRuns: 2000 },
  );
  expect(Math.min(others, same)).toBeGreaterThan(200);
});
