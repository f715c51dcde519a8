import type { ProductVisit } from './authenticate-caller.ts';
import type { RouteAnswer, RouteDeclaration } from '#contracts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { Renderer } from './renderers.ts';

/** One address of the interface: its route and its handler. */
export interface ProductView<R extends RouteDeclaration = RouteDeclaration> {
  route: R;
  /** As `OPTIONS` and the page's heading name it. */
  name: string;
  /** In the server's order of preference. */
  renderers: readonly Renderer[];
  /**
   * The value to be rendered, or a finished response of a form that isn't rendered.
   *
   * @throws ProductRefusal
   */
  read(context: OriginContext, visit: ProductVisit): Promise<RouteAnswer<R> | Response>;
}
