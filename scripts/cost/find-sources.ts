import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** The program's own modules, tests and what only they use aside, each as a tree of its syntax. */
export function readSources(): ts.SourceFile[] {
  const folder = path.join(ROOT, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(?:test|d)\.ts$|^e2e\/|\/testing\//.test(file))
    .map((file) => path.join(folder, file))
    .map((file) => ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
}

/** Regular expressions that a module spells out, with where. */
export function expressionsIn(source: ts.SourceFile): { where: string; expression: RegExp }[] {
  const found: { where: string; expression: RegExp }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const where = `${path.relative(ROOT, source.fileName)}:${line}`;
      found.push({ where, expression: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
