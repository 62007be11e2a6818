// Fails when a name of our own is a bare participle: `kept`, `made`, `asked` say the tense and hide the content.
//
// npm run names               lists every place
// npm run names -- --count    counts them by folder, and never fails
//
// Judged are names that a file chooses: variables, parameters, functions, classes and types. Properties are not, as
// many are fields of the wire or columns of the database, and neither is a variable that takes a property's name.
import ts from 'typescript';

const IRREGULAR = new Set(
  (
    'asked become been begun bent bound bought brought built burnt caught chosen come cut dealt done drawn driven fallen ' +
    'felt fed forgotten found given gone got grown had heard held hidden hung held kept known laid led left lent let ' +
    'lost made meant met paid proven put read rid run said seen sent set shown shut sold sought spent split spun stood ' +
    'stuck struck sworn taken taught thought thrown told torn understood undone won woken worn written'
  ).split(' '),
);
/** Spelled like a participle and none, or an everyday word of every tester (`expected`) and every iterator (`done`). */
const NOUNS = new Set(
  'bed bleed deed done expected cut embed feed found? hundred left let need put read red rid run seed set shed shred speed split'.split(
    ' ',
  ),
);

/** True for one word that is a past participle, whatever its first letter: `kept`, `Made`, `saved`. */
function isParticiple(name) {
  if (!/^[A-Za-z][a-z]+$/.test(name)) return false;
  const word = name.toLowerCase();
  return !NOUNS.has(word) && (IRREGULAR.has(word) || /[a-z]{2}ed$/.test(word));
}

/** True for `{ sent }` in a pattern: the name belongs to whoever declared the property. */
const takesProperty = (node) =>
  ts.isBindingElement(node) && !node.propertyName && ts.isObjectBindingPattern(node.parent);

/** Lists the places of such names in a file. */
export function findNames(file) {
  const { path } = file;
  if (!/\.(ts|tsx|mjs)$/.test(path) || path.endsWith('.d.ts')) return [];
  const { source } = file;
  const places = [];
  const visit = (node) => {
    const isNamed =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isTypeParameterDeclaration(node);
    if (isNamed && node.name && ts.isIdentifier(node.name) && isParticiple(node.name.text) && !takesProperty(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.name.getStart());
      places.push(`${path}:${line + 1} ${node.name.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return places;
}
