import { escapeHtml as esc } from './escape-html.ts';
import type { PageChrome, ProductFacts } from './product-facts.ts';

/** The `<body>` of our product page, written with nothing but template strings. */
export function productBody(pageChrome: PageChrome, product: ProductFacts): string {
  return `<body><a class="skip-link" href="#main">${esc(pageChrome.words.skip)}</a>${header(pageChrome, product)}<main id="main" tabindex="-1"><article class="wrap product">${breadcrumb(pageChrome, product)}${head(pageChrome, product)}${each(
    product.texts,
    ({ field, title, html }) => section(field, title, `<div class="prose prose--${field}">${html}</div>`),
  )}${attributes(pageChrome, product)}${section('dimensions', pageChrome.words.formats, dimensions(pageChrome, product))}${need(pageChrome, product)}${materials(pageChrome, product)}${section('maker', pageChrome.words.maker, maker(pageChrome, product))}${related(pageChrome, product)}</article></main>${footer(pageChrome)}</body>`;
}

function header({ home, search, site, words, navigation }: PageChrome, { choices }: ProductFacts): string {
  const current = choices.find((choice) => choice.current);
  return `<header class="site-header"><div class="wrap site-header__inner"><a class="brand" href="${home}"><svg class="brand__mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path fill="currentColor" d="M1 21 9.5 4 14 13l-4 8z"></path><path class="brand__accent" d="m12 21 5.5-11L23 21z"></path></svg><span>${esc(site)}</span></a><nav class="site-nav" aria-label="${esc(words.main)}"><ul>${each(
    navigation,
    ({ name, path }) => `<li><a href="${path}" aria-current="true">${esc(name)}</a></li>`,
  )}</ul></nav><form class="site-search" role="search" action="${search}"><label class="visually-hidden" for="site-search">${esc(words.search)}</label><input id="site-search" type="search" name="q" required autocomplete="off" placeholder="${esc(words.searchhint)}"><button type="submit"><svg viewBox="0 0 16 16" width="16" height="16" role="img" aria-label="${esc(words.searchsubmit)}"><path fill="none" stroke="currentColor" stroke-width="2" d="M11 6.5a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0Zm-1.3 3.2L15 15"></path></svg></button></form><details class="languages"><summary><span class="visually-hidden">${esc(words.language)}: </span><span>${esc(current?.name ?? '')}</span></summary><ul>${each(
    choices,
    ({ name, path, lang, current }) =>
      `<li><a href="${path}" hreflang="${lang}"${current ? ' aria-current="true"' : ''}><span lang="${lang}">${esc(name)}</span></a></li>`,
  )}</ul></details></div></header>`;
}

function breadcrumb({ words }: PageChrome, { crumbs, name }: ProductFacts): string {
  return `<nav class="breadcrumb" aria-label="${esc(words.breadcrumb)}"><ol>${each(
    crumbs,
    (crumb) => `<li><a href="${crumb.path}">${esc(crumb.name)}</a></li>`,
  )}<li><span aria-current="page">${esc(name)}</span></li></ol></nav>`;
}

function head({ words, documents }: PageChrome, product: ProductFacts): string {
  const { family, name, intro, item, gtin, unit, availability } = product;
  return `<div class="product-head"><div class="product-head__text">${
    family ? `<p class="overline"><a href="${family.path}">${esc(family.name)}</a></p>` : ''
  }<h1>${esc(name)}</h1>${intro ? `<p class="lead">${esc(intro)}</p>` : ''}<dl class="numbers">${number(words.item, item)}${number(words.gtin, gtin)}${number(words.unit, unit)}</dl><div class="product-head__trade"><span class="availability availability--${availability.state}"><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path fill="currentColor" fill-rule="evenodd" d="${availability.shape}"></path></svg><span>${esc(availability.text)}</span><small>${esc(availability.note)}</small></span>${price(product)}</div><section aria-labelledby="documents"><h2 class="label" id="documents">${esc(words.documents)}</h2><ul class="documents">${each(
    documents,
    (document) =>
      `<li class="document"><p class="document--missing"><strong>${esc(document.name)}</strong><small>${esc(document.missing)}</small></p></li>`,
  )}</ul></section></div>${codeCopy('ean')}</div>`;
}

function number(name: string, value: string): string {
  return value ? `<div><dt>${esc(name)}</dt><dd>${esc(value)}</dd></div>` : '';
}

function price({ price }: ProductFacts): string {
  if (!price) return '';
  if (!price.amount) return `<p class="price">${esc(price.terms)}</p>`;
  return `<p class="price"><strong>${esc(price.amount)}</strong><span>${esc(price.terms)}</span>${
    price.unit ? `<span class="price__unit">${esc(price.unit)}</span>` : ''
  }</p>`;
}

function attributes({ words }: PageChrome, { attributes, norms }: ProductFacts): string {
  if (attributes.length === 0) return '';
  const rows = each(
    attributes,
    ({ name, value, norm, path }) =>
      `<tr><th scope="row">${esc(name)}</th><td data-exact>${esc(value)}</td><td>${norm ? (path ? `<a href="${path}">${esc(norm)}</a>` : esc(norm)) : `<span class="muted">${esc(words.nonorm)}</span>`}</td></tr>`,
  );
  const explained = each(
    norms,
    ({ norm, line, lang }) => `<div><dt>${esc(norm)}</dt><dd${lang ? ` lang="${lang}"` : ''}>${esc(line)}</dd></div>`,
  );
  return section(
    'values',
    words.values,
    `<section class="scroll" tabindex="0" aria-labelledby="values"><table class="values"><thead><tr><th scope="col">${esc(words.attribute)}</th><th scope="col">${esc(words.value)}</th><th scope="col">${esc(words.norm)}</th></tr></thead><tbody>${rows}</tbody></table></section>${explained && `<details class="note"><summary>${esc(words.norms)}</summary><dl>${explained}</dl></details>`}`,
  );
}

function dimensions({ words }: PageChrome, { dimensions, packaging }: ProductFacts): string {
  const measures = each(dimensions, ({ name, value, imperial }) =>
    row(name, `${esc(value)}${imperial ? `<small class="muted">${esc(imperial)}</small>` : ''}`),
  );
  const units = each(packaging, ({ name, unit, holds }) =>
    row(name, `<span>${esc(unit)}</span>${holds ? `<span> (${esc(holds)})</span>` : ''}`),
  );
  return `<div class="pair">${measures && facts(words.dimensions, measures)}${units && facts(words.packaging, units)}</div>`;
}

function facts(caption: string, rows: string): string {
  return `<table class="facts"><caption>${esc(caption)}</caption><tbody>${rows}</tbody></table>`;
}

function row(name: string, html: string): string {
  return `<tr><th scope="row">${esc(name)}</th><td>${html}</td></tr>`;
}

function need({ words }: PageChrome, { need }: ProductFacts): string {
  if (!need) return '';
  const heads = each(need.heads, (head) => `<th scope="col">${esc(head)}</th>`);
  const rows = each(
    need.rows,
    ({ head, cells }) => `<tr><th scope="row">${esc(head)}</th>${each(cells, (cell) => `<td>${esc(cell)}</td>`)}</tr>`,
  );
  return section(
    'need',
    words.need,
    `<section class="scroll" tabindex="0" aria-labelledby="need"><table class="need"><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></section><p class="note">${esc(need.note)}</p><p class="more"><a href="${need.calculator}">${esc(words.calculator)}</a></p>`,
  );
}

function codes({ words }: PageChrome, { codes: { ean, qr } }: ProductFacts): string {
  return `<details class="codes"><summary>${esc(words.codes)}</summary><div class="codes__drawn"><svg id="ean" viewBox="${ean.box}" width="226" height="148" role="img" aria-label="${esc(ean.label)}"><path fill="#fff" d="${ean.ground}"></path><path d="${ean.path}"></path><text x="-9" y="70">${ean.first}</text><text x="5" y="70" textLength="38">${ean.left}</text><text x="52" y="70" textLength="38">${ean.right}</text></svg><svg id="qr" viewBox="${qr.box}" width="164" height="164" role="img" aria-label="${esc(qr.label)}"><path fill="#fff" d="${qr.ground}"></path><path stroke="#000" d="${qr.path}"></path></svg></div></details>`;
}

function codeCopy(code: 'ean' | 'qr'): string {
  return `<svg class="print-only code code--${code}" aria-hidden="true"><use href="#${code}" width="100%" height="100%"></use></svg>`;
}

function materials({ words }: PageChrome, { materials }: ProductFacts): string {
  if (materials.length === 0) return '';
  const rows = each(materials, ({ name, value }) => row(name, esc(value)));
  return section(
    'materials',
    words.materials,
    `<table class="facts" aria-labelledby="materials"><tbody>${rows}</tbody></table>`,
  );
}

function maker(pageChrome: PageChrome, product: ProductFacts): string {
  const { url, changed } = product;
  return `<div class="maker">${address(pageChrome)}<p class="print-only">${url}</p><p class="muted">${esc(pageChrome.words.stated)} <time datetime="${changed.day}">${esc(changed.text)}</time></p>${codeCopy('qr')}</div>${codes(pageChrome, product)}`;
}

function address({ maker }: PageChrome): string {
  return `<address class="maker-address"><strong>${esc(maker.name)}</strong>${each(maker.address, (line) => `<span>${esc(line)}</span>`)}<a href="mailto:${maker.email}">${esc(maker.email)}</a></address>`;
}

function related({ words }: PageChrome, { related }: ProductFacts): string {
  if (!related) return '';
  const cards = each(
    related.products,
    ({ name, path, item }) =>
      `<li class="card"><div class="card__image"></div><h3><a href="${path}">${esc(name)}</a></h3><p class="muted">${esc(item)}</p></li>`,
  );
  const { ways } = related;
  const links =
    ways &&
    `<ul class="ways more"><li><a href="${ways.compare}">${esc(words.compare)}</a></li><li><a href="${ways.filter}">${esc(words.filter)}</a></li></ul>`;
  return section('related', related.title, `<ul class="cards">${cards}</ul>${links ?? ''}`);
}

function footer(pageChrome: PageChrome): string {
  const { words, pages, languages } = pageChrome;
  return `<footer class="site-footer"><div class="wrap site-footer__inner">${address(pageChrome)}<nav aria-label="${esc(words.footer)}"><ul class="link-list">${each(
    pages,
    ({ title, path }) => `<li><a href="${path}">${esc(title)}</a></li>`,
  )}</ul></nav><ul class="link-list">${each(
    languages,
    ({ name, path, lang }) => `<li><a href="${path}" lang="${lang}" hreflang="${lang}">${esc(name)}</a></li>`,
  )}</ul></div></footer>`;
}

function section(id: string, title: string, html: string): string {
  return `<section class="section"><h2 class="section__title" id="${id}">${esc(title)}</h2><div class="section__body">${html}</div></section>`;
}

function each<T>(items: readonly T[], write: (item: T) => string): string {
  let html = '';
  for (const item of items) html += write(item);
  return html;
}
