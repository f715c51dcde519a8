import type { BlockPattern } from '#contracts/core/editor.ts';

export const BLOCK_PATTERN_CATEGORIES = [
  { name: 'news', label: 'News', description: 'What is new in the range.' },
  { name: 'comparison', label: 'Comparison', description: 'Differences between products.' },
  { name: 'questions', label: 'Questions', description: 'Frequent questions and answers.' },
] as const;

const paragraph = (text: string) => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`;
const heading = (text: string) =>
  `<!-- wp:heading -->\n<h2 class="wp-block-heading">${text}</h2>\n<!-- /wp:heading -->`;
const list = (entries: readonly string[]) =>
  `<!-- wp:list -->\n<ul class="wp-block-list">${entries
    .map((entry) => `<!-- wp:list-item -->\n<li>${entry}</li>\n<!-- /wp:list-item -->`)
    .join('\n\n')}</ul>\n<!-- /wp:list -->`;
const row = (cells: readonly string[], tag: 'td' | 'th') =>
  `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  `<!-- wp:table -->\n<figure class="wp-block-table"><table class="has-fixed-layout"><thead>${row(head, 'th')}</thead>` +
  `<tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></figure>\n<!-- /wp:table -->`;
const question = (text: string, answer: string) =>
  `<!-- wp:details -->\n<details class="wp-block-details"><summary>${text}</summary>${paragraph(answer)}</details>\n<!-- /wp:details -->`;

/** Block patterns for recurring posts of a manufacturer. */
export const BLOCK_PATTERNS: readonly BlockPattern[] = [
  {
    name: 'sortiment/product-news',
    title: 'Product news',
    content: [
      paragraph('Product and GTIN: what it is, and from when it can be ordered.'),
      heading('What it is for'),
      paragraph('Where it is used, and what it replaces.'),
      heading('What it brings'),
      list(['First advantage, with its number', 'Second advantage', 'Third advantage']),
      heading('Delivery'),
      paragraph('Packaging, minimum order, and the address of the datasheet.'),
    ].join('\n\n'),
    description: 'Announces a product: what it is for, what it brings, how it is delivered.',
    viewport_width: 800,
    categories: ['news'],
    keywords: ['announcement', 'launch'],
    post_types: ['post'],
    source: 'plugin',
  },
  {
    name: 'sortiment/comparison',
    title: 'Comparison of products',
    content: [
      paragraph('Which of them fits depends on the place, the substrate and the weather.'),
      table(
        ['', 'First product', 'Second product'],
        [
          ['Used for', '', ''],
          ['Substrate', '', ''],
          ['Temperature when applied', '', ''],
          ['Declared value and norm', '', ''],
          ['GTIN', '', ''],
        ],
      ),
      paragraph('Values are those of the declarations of performance.'),
    ].join('\n\n'),
    description: 'Two products side by side, with the values in which they differ.',
    viewport_width: 1000,
    categories: ['comparison'],
    keywords: ['table', 'choice'],
    post_types: ['post', 'page'],
    source: 'plugin',
  },
  {
    name: 'sortiment/questions',
    title: 'Questions and answers',
    content: [
      heading('Frequently asked questions'),
      question('How is the substrate prepared?', 'Dry, firm, free of dust and grease.'),
      question('How long does it keep?', 'See the date on the package; unopened, cool and dry.'),
      question('Where is the declaration of performance?', 'With the documents on the page of the product.'),
    ].join('\n\n'),
    description: 'Questions with expandable answers; works without scripts.',
    viewport_width: 800,
    categories: ['questions'],
    keywords: ['faq', 'help'],
    post_types: ['post', 'page'],
    source: 'plugin',
  },
];
