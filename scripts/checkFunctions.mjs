/**
 * npm run functions [-- --all]: finds functions that are hard to take in: more than 6 parameters, or more than 150
 * lines. With --all it also lists functions over 120 lines, which need a comment that says why they are one straight
 * story.
 *
 * A function that must be an exception stands in EXCEPTIONS with its reason.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Directories whose sources are checked. Tests are not. */
const DIRECTORIES = [
  ...['contract', 'controls', 'editor', 'embed', 'fonts', 'matting', 'scene', 'straighten', 'vectorizer'].map((name) =>
    join('packages', name, 'src'),
  ),
  join('apps', 'server', 'src'),
  join('apps', 'web', 'src'),
];

const MOST_PARAMETERS = 6;
const MOST_LINES = 150;
const LONG_LINES = 120;

/** "file:function" → why it may be larger. */
const EXCEPTIONS = new Map([]);

const isSource = (name) => /\.tsx?$/.test(name) && !/\.(test|d)\.tsx?$/.test(name);

const listFiles = (directory) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isSource(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();

/** Returns the name that a function is known by, with its class. */
function nameOf(node) {
  const { parent } = node;
  const own = node.name?.getText() ?? (ts.isConstructorDeclaration(node) ? 'constructor' : undefined);
  const name = own ?? (parent && 'name' in parent && parent.name ? parent.name.getText() : '(anonymous)');
  return parent && ts.isClassLike(parent) && parent.name ? `${parent.name.text}.${name}` : name;
}

/** Lists the functions of one file with their sizes. A function's own lines include those of functions inside it. */
function measureFunctions(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const functions = [];
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const first = lineOf(node.getStart());
      functions.push({
        file,
        line: first + 1,
        name: nameOf(node),
        parameters: node.parameters.length,
        lines: lineOf(node.end) - first + 1,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return functions;
}

const all = DIRECTORIES.flatMap(listFiles).flatMap((file) => measureFunctions(file, readFileSync(file, 'utf8')));
const isAllowed = ({ file, name }) => EXCEPTIONS.has(`${file}:${name}`);
const describe = ({ file, line, name, parameters, lines }) =>
  `${file}:${line} ${name}: ${parameters} parameters, ${lines} lines`;
if (process.argv.includes('--all')) {
  for (const item of all) if (item.lines > LONG_LINES) console.log(`long: ${describe(item)}`);
}
const wrong = all.filter((one) => (one.parameters > MOST_PARAMETERS || one.lines > MOST_LINES) && !isAllowed(one));
for (const one of wrong) console.error(describe(one));
if (wrong.length > 0) {
  console.error(`${wrong.length} functions have more than ${MOST_PARAMETERS} parameters or ${MOST_LINES} lines.`);
  process.exitCode = 1;
}
