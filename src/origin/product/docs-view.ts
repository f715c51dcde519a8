import { getProductDocs } from '#contracts/product/index.ts';
import { pageResponse, renderPage } from '#origin/platform/accounts/index.ts';
import { findLanguages } from './find-languages.ts';
import type { ProductView } from './product-view.ts';
import { renderAccess } from './render-access.ts';
import { renderDocs } from './render-docs.ts';
import { DOCUMENT_RENDERER } from './renderers.ts';

/** The documentation, for everybody; it shows callers their own tokens in clear, so nothing may keep it. */
export const docsView: ProductView = {
  route: getProductDocs,
  name: 'Documentation',
  renderers: [DOCUMENT_RENDERER],
  async read(context, visit) {
    const body = renderDocs(context, await findLanguages(context), await renderAccess(context, visit));
    const { caller, target } = visit;
    const page = await renderPage(context, {
      title: 'Dokumentation der Produktschnittstelle',
      body,
      session: caller?.session,
      path: target,
    });
    return pageResponse(page, 200, { 'Cache-Control': 'no-store' });
  },
};
