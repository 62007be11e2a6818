// Fails when a line is over 120 columns. The formatter breaks code; this check finds long lines of comments and prose.
//
// A line may be longer where nothing can break it: code, which the formatter breaks where it can; a word without
// spaces, such as an address; a table, a heading or a link of a document.
//
// npm run columns               lists every line that is too long
// npm run columns -- --count    counts them by folder, and never fails
const LIMIT = 120;

/** Lists the overlong lines of a file. */
export function findOverlongLines(file) {
  const { path } = file;
  if (path.endsWith('.html')) return [];
  const lines = file.text.split('\n');
  const numbers = lines.flatMap((line, index) => (line.length > LIMIT && [...line].length > LIMIT ? [index] : []));
  if (numbers.length === 0) return [];
  const isExempt = path.endsWith('.md') ? documentExemptions(lines) : codeExemptions(file, lines);
  return numbers
    .filter((index) => !isExempt(index) && !endsInOneWord(lines[index]))
    .map((index) => `${path}:${index + 1} is over ${LIMIT} columns`);
}

/** True when breaking the line at its spaces cannot bring it under the limit: one word alone crosses it. */
function endsInOneWord(line) {
  const start = line.lastIndexOf(' ', LIMIT);
  const before = line.slice(0, start).replace(/^[\s/*#-]+/, '');
  return before === '' && !line.slice(start + 1).includes(' ');
}

/** Tells which lines of a document stay long: tables, headings, code blocks, and lines that are a link or a picture. */
function documentExemptions(lines) {
  const isFenced = [];
  let inFence = false;
  for (const line of lines) {
    if (/^\s*```/.test(line)) inFence = !inFence;
    isFenced.push(inFence);
  }
  return (index) => isFenced[index] || /^\s*(\||#|!?\[[^\]]*\]\(\S+\)\.?$|\[[^\]]+\]: )/.test(lines[index]);
}

/**
 * Tells which lines of a source file stay long: those that end in code, which the formatter has broken where it can.
 */
function codeExemptions(file, lines) {
  if (file.path.endsWith('.css')) return () => false;
  const { source } = file;
  const starts = source.getLineStarts();
  return (index) => {
    if (/\/\/ (biome-ignore|@ts-)/.test(lines[index])) return true; // a directive is one line
    const position = starts[index] + lines[index].trimEnd().length - 1;
    for (let node = tokenAt(source, position); node; node = node.parent) {
      const start = node.getStart(source);
      if (position < start && /\/[/*]/.test(source.text.slice(node.pos, start))) return false;
    }
    return true;
  };
}

/** Returns the innermost node that holds the position, with the comments before it. */
function tokenAt(node, position) {
  const child = node.getChildren().find((inner) => inner.pos <= position && position < inner.end);
  return child ? tokenAt(child, position) : node;
}
