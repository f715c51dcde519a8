import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { DefaultRubyVM } from '@ruby/wasm-wasi/dist/browser';

/**
 * Ruby's own RSS library checks RSS 2.0, its `content` module and the iTunes namespace. First it reads the document as
 * it is, and skips elements that it doesn't know. Then it reads the document without namespaces that it doesn't know,
 * and refuses each element that it doesn't expect where it stands.
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

// Ruby, with its libraries inside, runs as WebAssembly: it needs nothing on the machine and reaches no network. It starts
// before a test does, since nothing else runs meanwhile: a test's server would lose its connections.
const ruby = createRequire(import.meta.url).resolve('@ruby/3.4-wasm-wasi/dist/ruby+stdlib.wasm');
const { vm } = await DefaultRubyVM(await WebAssembly.compile(readFileSync(ruby)), { consolePrint: false });
const validator = vm.eval(VALIDATOR);

/**
 * Validates an RSS 2.0 document with Ruby's RSS library.
 *
 * @returns the first fault, in the library's words; empty where the document is valid
 */
export function validateFeed(xml: string): string {
  return validator.call('call', vm.wrap(xml)).toString();
}
