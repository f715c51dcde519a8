import { readFileSync } from 'node:fs';
import type * as Ruby from '@ruby/wasm-wasi/dist/browser';
import { loadAuditTool, resolveAuditFile } from '#files/testing/audit-tools.ts';

/**
 * Ruby's RSS library validates RSS 2.0, its `content` module and the iTunes namespace. The first pass parses the
 * document and skips unknown elements. The second pass removes unknown namespaces and rejects every unexpected element.
 */
const VALIDATOR = `
require 'rss'

channel = RSS::Rss::Channel
models = channel.models + channel::Item.models
# The library lists containers of iTunes under the prefix instead of the namespace, and "new-feed-url" with underscores.
models.each do |model|
  model[0] = model[0].tr('_', '-')
  model[1] = RSS::ITUNES_URI if model[1] == RSS::ITUNES_PREFIX
end
known = models.map { |model| model[1] }.uniq

->(document) {
  begin
    xml = document.to_s
    feed = RSS::Parser.parse(xml, validate: true)
    next 'The document is not RSS 2.0' unless feed.is_a?(RSS::Rss) && feed.rss_version == '2.0'

    tree = REXML::Document.new(xml)
    REXML::XPath.match(tree, '//*').each { |element| element.remove unless known.include?(element.namespace) }
    RSS::Parser.parse(tree.to_s, validate: true, ignore_unknown_element: false)
    ''
  rescue StandardError => error
    error.message
  end
}
`;

// Ruby runs as WebAssembly, without local dependencies or network access. It is loaded before the tests, because
// loading blocks the event loop and would break connections of test servers.
const { DefaultRubyVM } = loadAuditTool<typeof Ruby>('@ruby/wasm-wasi/dist/browser');
const ruby = resolveAuditFile('@ruby/3.4-wasm-wasi/dist/ruby+stdlib.wasm');
const { vm } = await DefaultRubyVM(await WebAssembly.compile(readFileSync(ruby)), { consolePrint: false });
const validator = vm.eval(VALIDATOR);

/**
 * Validates an RSS 2.0 document with Ruby's RSS library.
 *
 * @returns the first error message of the library; empty for a valid document
 */
export function validateFeed(xml: string): string {
  return validator.call('call', vm.wrap(xml)).toString();
}
