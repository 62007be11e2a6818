/**
 * npm run functions [-- --all]: finds functions that are hard to take in: more than 6 parameters, or more than 150
 * lines. With --all it also lists functions over 120 lines, which need a comment that says why they are one straight
 * story.
 *
 * A function that must be an exception stands in EXCEPTIONS with its reason.
 */
import ts from 'typescript';

/** Directories whose sources are checked. Tests are not. */
const DIRECTORIES = [
  ...[
    'contract',
    'controls',
    'editor',
    'embed',
    'engraving',
    'fonts',
    'matting',
    'scene',
    'straighten',
    'vectorizer',
  ].map((name) => `packages/${name}/src/`),
  'apps/server/src/',
  'apps/web/src/',
];

const MOST_PARAMETERS = 6;
const MOST_LINES = 150;
const LONG_LINES = 120;

/** "file:function" → why it may be larger. */
const EXCEPTIONS = new Map([]);

const isSource = (path) =>
  DIRECTORIES.some((directory) => path.startsWith(directory)) &&
  /\.tsx?$/.test(path) &&
  !/\.(test|d)\.tsx?$/.test(path);

/** Returns the name that a function is known by, with its class. */
function nameOf(node) {
  const { parent } = node;
  const own = node.name?.getText() ?? (ts.isConstructorDeclaration(node) ? 'constructor' : undefined);
  const name = own ?? (parent && 'name' in parent && parent.name ? parent.name.getText() : '(anonymous)');
  return parent && ts.isClassLike(parent) && parent.name ? `${parent.name.text}.${name}` : name;
}

/** Lists the functions of one file with their sizes. A function's own lines include those of functions inside it. */
function measureFunctions(file, source) {
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

const isAllowed = ({ file, name }) => EXCEPTIONS.has(`${file}:${name}`);
const describe = ({ file, line, name, parameters, lines }) =>
  `${file}:${line} ${name}: ${parameters} parameters, ${lines} lines`;

/** Lists the functions of a file that are too large. */
export function findLargeFunctions(file) {
  if (!isSource(file.path)) return [];
  const functions = measureFunctions(file.path, file.source);
  if (process.argv.includes('--all')) {
    for (const item of functions) if (item.lines > LONG_LINES) console.log(`long: ${describe(item)}`);
  }
  return functions
    .filter((one) => (one.parameters > MOST_PARAMETERS || one.lines > MOST_LINES) && !isAllowed(one))
    .map(describe);
}
