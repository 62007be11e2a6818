// Fails when code or a document spells a word the British way: the project writes US English.
//
// npm run spelling               lists every place
// npm run spelling -- --count    counts them by folder, and never fails

// Not here: "catalogue" and "cancelled". They stand in routes, stored values and sentences of the pages.
const BRITISH = new RegExp(
  [
    '(colo|favo|hono|neighbo|behavio|flavo|labo|harbo|rumo|vapo|humo|armo|endeavo)ur(?!l|ce)',
    'grey',
    'cent(re|red|ring)(?![a-z])',
    '(milli|centi|kilo)metre|(?<![a-z])metres?(?![a-z])|litre|fibre|theatre|lustre|calibre',
    'alumini(um)',
    'licence|defence|offence|pretence',
    '(analy|paraly|cataly)s(e[ds]?|ing)(?![a-z])',
    '(optim|organ|recogn|normal|serial|initial|minim|maxim|summar|author|custom|synchron|quant|raster|vector|digit|local)' +
      'is(e|ing|ation)',
    '(real|apolog|emphas|priorit|categor|standard|sanit|util|visual|stabil|random|final|general|special|memor|equal)' +
      'is(e|ing|ation)(?!t|m)',
    '(label|travel|model|signal|level|channel|tunnel|fuel|total|equal|marshal|dial|pencil)l(ed|ing|er)(?![a-z])',
    'marvellous|jeweller|woollen|skilful|fulfil(?!l)|enrol(?!l)',
    'artefact|judgement|acknowledgement|programme(?!r|d)|cheque|mould|manoeuvre|ageing|(?<![a-z])(whilst|amongst|learnt|spelt|maths)(?![a-z])',
    'anticlockwise|enquir|analogue|cosy|sceptic',
  ].join('|'),
  'giu',
);

/** Words that keep their spelling because it is somebody else's. */
const KEPT = [
  /aluminium(?=['"`-]|:)|(?<=['"`-])aluminium/g, // the material's id: stored, and part of products' ids
  /Spot Colour /g, // Custom Gateway's name for an ink
  /toColourspace|\.greyscale\(/g, // sharp
  /greylist(s|ed|ing)/g, // what a mail server answers
  /\b(dark|light|dim|slate|darkslate|lightslate)?grey [0-9a-f]{6}\b/g, // CSS color keywords
];

/** Lists the British spellings in a file. */
export function findBritishWords({ path, text }) {
  // Most files have none.
  if (path === 'scripts/spelling.mjs' || text.search(BRITISH) < 0) return [];
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...KEPT.reduce((rest, exception) => rest.replace(exception, ''), line).matchAll(BRITISH)].map(
        ([word]) => `${path}:${index + 1} ${word}`,
      ),
    );
}
