/** SVGs of few bytes that take a renderer long, much memory or down: a list, and a generator of more. */

const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const drawing = (content: string, attrs = 'viewBox="0 0 100 100"'): string => `<svg ${SVG} ${attrs}>${content}</svg>`;
const SQUARE = '<rect width="100" height="100" fill="red" filter="url(#f)"/>';
const filterOn = (primitives: string, attrs = ''): string =>
  drawing(`<filter id="f" ${attrs}>${primitives}</filter>${SQUARE}`);
const zigzag = (corners: number, attrs = ''): string =>
  drawing(
    `<path ${attrs} d="M0 0${Array.from({ length: corners }, (_, i) => `L${i % 100} ${i % 2 ? 100 : 0}`).join('')}"/>`,
  );
const repeat = (count: number, content: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => content(i)).join('');
const TABLE = '1 '.repeat(100);

/** Each was seen to hang, to abort or to slow down a renderer. */
export const svgBombs: Readonly<Record<string, string>> = {
  'turbulence of a billion octaves': filterOn('<feTurbulence baseFrequency=".1" numOctaves="1000000000"/>'),
  'turbulence of 1e9 octaves': filterOn('<feTurbulence baseFrequency=".1" numOctaves="1e9"/>'),
  'a turbulence seed of 1e308': filterOn('<feTurbulence baseFrequency=".1" seed="1e308"/>'),
  'a turbulence seed of -1e308': filterOn('<feTurbulence baseFrequency=".1" seed="-1e308"/>'),
  'a turbulence frequency of 1e39': filterOn('<feTurbulence baseFrequency="1e39"/>'),
  'a turbulence frequency below zero': filterOn('<feTurbulence baseFrequency="-5"/>'),
  'sixty-six octaves': filterOn('<feTurbulence baseFrequency="1" numOctaves="66"/>'),
  'morphology with a wide radius': filterOn('<feMorphology operator="dilate" radius="50"/>'),
  'morphology with a radius of 1e9': filterOn('<feMorphology radius="1000000000"/>'),
  'a convolution of 100 by 100': filterOn(`<feConvolveMatrix order="100" kernelMatrix="${'1 '.repeat(10_000)}"/>`),
  'a convolution of 1e9': filterOn('<feConvolveMatrix order="1e9" kernelMatrix="1"/>'),
  'ten convolutions': filterOn(repeat(10, () => `<feConvolveMatrix order="10" kernelMatrix="${TABLE}"/>`)),
  'a filter region of a million percent': filterOn(
    '<feGaussianBlur stdDeviation="1"/>',
    'x="-500000%" y="-500000%" width="1000000%" height="1000000%"',
  ),
  'a filter region of 1e30': filterOn('<feFlood/>', 'filterUnits="userSpaceOnUse" width="1e30" height="1e30"'),
  'two hundred primitives': filterOn(repeat(200, () => '<feGaussianBlur stdDeviation="3"/>')),
  'a fine blur': filterOn(repeat(10, () => '<feGaussianBlur stdDeviation=".05"/>')),
  'two hundred filtered squares': drawing(
    `<filter id="f"><feGaussianBlur stdDeviation="3"/></filter>${SQUARE.repeat(200)}`,
  ),
  'filters in filters': drawing(
    `<filter id="f"><feGaussianBlur stdDeviation="3"/></filter>${'<g filter="url(#f)">'.repeat(60)}<rect width="9" height="9"/>${'</g>'.repeat(60)}`,
  ),
  'filter functions': drawing(`<rect width="100" height="100" filter="${'blur(4px) '.repeat(100)}"/>`),
  'a gamma of minus one': filterOn('<feComponentTransfer><feFuncR type="gamma" exponent="-1"/></feComponentTransfer>'),
  'an empty arithmetic composite': drawing(
    '<filter id="f" width="500" filterUnits="userSpaceOnUse"><feComposite operator="arithmetic"/></filter><polyline points="1,2" filter="url(#f)"/>',
  ),
  'a displacement of 1e30': filterOn('<feDisplacementMap in2="SourceGraphic" scale="1e30"/>'),
  'a view box of 1e-300': drawing('<rect width="1" height="1"/>', 'width="10" height="10" viewBox="0 0 1e-300 1e-300"'),
  'a view box of 1e300': drawing('<rect width="1" height="1"/>', 'width="10" height="10" viewBox="0 0 1e300 1e300"'),
  'a nested view box of 1e-300': drawing('<svg viewBox="0 0 1e-300 1"><rect width="1" height="1"/></svg>'),
  'a rectangle of 1e39': drawing('<rect width="1e39" height="1e39"/>'),
  'a rectangle at 3e38': drawing('<rect x="3e38" y="3e38" width="3e38" height="3e38"/>'),
  'scales of scales': drawing(
    `${'<g transform="scale(99999999)">'.repeat(20)}<rect width="1" height="1"/>${'</g>'.repeat(20)}`,
  ),
  'a transform of ten thousand steps': drawing(
    `<g transform="${'scale(1.01)'.repeat(10_000)}"><rect width="1" height="1"/></g>`,
  ),
  'fine dashes': drawing('<path d="M0 0L100 100" stroke="red" stroke-dasharray=".0001"/>'),
  'fine dashes on many lines': drawing(
    repeat(60, (i) => `<path d="M0 ${i}H100" stroke="red" stroke-dasharray=".0001"/>`),
  ),
  'a long zigzag': zigzag(300_000),
  'a long thick zigzag': zigzag(100_000, 'fill="none" stroke="red" stroke-width="5" stroke-linejoin="round"'),
  'a thousand layers': drawing('<g opacity=".9"><rect width="100" height="100"/></g>'.repeat(1000)),
  'nested layers': drawing(`${'<g opacity=".99">'.repeat(180)}<rect width="100" height="100"/>${'</g>'.repeat(180)}`),
  'a thousand clips': drawing(
    `<clipPath id="c"><circle cx="50" cy="50" r="50"/></clipPath>${'<rect clip-path="url(#c)" width="100" height="100"/>'.repeat(1000)}`,
  ),
  'a thousand masks': drawing(
    `<mask id="c"><circle cx="50" cy="50" r="50" fill="#fff"/></mask>${'<rect mask="url(#c)" width="100" height="100"/>'.repeat(1000)}`,
  ),
  'masks of masks': drawing(
    `${repeat(60, (i) => `<mask id="m${i}" ${i ? `mask="url(#m${i - 1})"` : ''}><rect width="100" height="100" fill="#fff"/></mask>`)}<rect mask="url(#m59)" width="100" height="100"/>`,
  ),
  'a thousand blends': drawing(
    '<rect style="mix-blend-mode:multiply" width="100" height="100" fill="red"/>'.repeat(1000),
  ),
  'ten thousand full squares': drawing('<rect width="100" height="100" fill="red" fill-opacity=".1"/>'.repeat(10_000)),
  'five thousand gradients': drawing(
    `<radialGradient id="g"><stop stop-color="red"/><stop offset="1"/></radialGradient>${'<rect width="100" height="100" fill="url(#g)"/>'.repeat(5000)}`,
  ),
  'patterns in patterns': drawing(
    `${repeat(6, (i) => `<pattern id="p${i}" width="1" height="1"><rect width="100" height="100" fill="${i ? `url(#p${i - 1})` : 'red'}"/><circle r="50" fill="${i ? `url(#p${i - 1})` : 'red'}"/></pattern>`)}<rect width="100" height="100" fill="url(#p5)"/>`,
  ),
  'a pattern of dust': drawing(
    '<pattern id="p" width=".001" height=".001" patternUnits="userSpaceOnUse"><rect width=".0005" height=".0005"/></pattern><rect width="100" height="100" fill="url(#p)"/>',
  ),
  'markers on ten thousand corners': drawing(
    `<marker id="m" markerWidth="50" markerHeight="50" overflow="visible"><rect width="50" height="50" opacity=".5"/></marker><path stroke="red" marker-mid="url(#m)" d="M0 0${repeat(10_000, (i) => `L${i % 100} ${i % 7}`)}"/>`,
  ),
  'uses of uses': drawing(
    `<rect id="u0" width="100" height="100" opacity=".5"/>${repeat(5, (i) => `<g id="u${i + 1}">${`<use href="#u${i}"/>`.repeat(8)}</g>`)}`,
  ),
};

/**
 * Each ends the renderer's process, and has no number out of range: a filter that places a part in a region without
 * pixels.
 */
export const undrawableSvgs: Readonly<Record<string, string>> = {
  'a filter of less than a pixel': drawing(
    '<rect id="s" width="75" height="66"/><filter id="f" x=".6" y="31" width="1e-10" height=".7"><feImage href="#s"/></filter><rect width="50" height="50" filter="url(#f)"/>',
    'viewBox="0 0 78 .6"',
  ),
  'a filter in a picture as flat as a line': drawing(
    '<rect id="s" width="30" height="80"/><filter id="f" filterUnits="userSpaceOnUse"><feImage href="#s"/></filter><rect width="50" height="50" filter="url(#f)"/>',
    'viewBox="0 0 800 .2"',
  ),
};

/** Returns a drawing that combines what makes drawings slow, with numbers up to far beyond what is sensible. */
export function randomSvg(random: () => number): string {
  const one = <T>(...choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;
  const number = (): string =>
    one(
      () => String(Math.floor(random() * 100)),
      () => random().toFixed(4),
      () => String(-random() * 50),
      () => `${Math.floor(random() * 10)}e${Math.floor(random() * 40)}`,
      () => `1e-${Math.floor(random() * 60)}`,
      () => String(Math.floor(random() * 5000)),
      () => `${Math.floor(random() * 400)}%`,
    )();
  const size = (): string => (random() < 0.7 ? String(Math.ceil(random() * 100)) : number());
  const count = (): number => Math.ceil(10 ** (random() * 2.5));
  const primitive = (): string =>
    one(
      () => `<feTurbulence baseFrequency="${number()}" numOctaves="${number()}" seed="${number()}"/>`,
      () => `<feGaussianBlur stdDeviation="${number()}"/>`,
      () => `<feMorphology operator="${one('erode', 'dilate')}" radius="${number()}"/>`,
      () =>
        `<feConvolveMatrix order="${one('3', '5', '10', number())}" kernelMatrix="${TABLE}" divisor="${number()}"/>`,
      () => `<feDropShadow dx="${number()}" dy="${number()}" stdDeviation="${number()}"/>`,
      () => `<feOffset dx="${number()}" dy="${number()}"/>`,
      () => `<feDisplacementMap in2="SourceGraphic" scale="${number()}"/>`,
      () =>
        `<feComponentTransfer><feFuncR type="gamma" amplitude="${number()}" exponent="${number()}"/></feComponentTransfer>`,
      () => `<feComposite in2="SourceAlpha" operator="arithmetic" k1="${number()}" k2="${number()}"/>`,
      () =>
        `<feSpecularLighting surfaceScale="${number()}" specularExponent="${number()}"><fePointLight x="${number()}" y="1" z="${number()}"/></feSpecularLighting>`,
      () =>
        `<feDiffuseLighting diffuseConstant="${number()}"><feSpotLight x="1" y="${number()}" z="3" limitingConeAngle="${number()}"/></feDiffuseLighting>`,
      () => `<feTile x="${number()}" width="${number()}"/>`,
      () => '<feImage href="#s"/>',
      () => `<feColorMatrix type="hueRotate" values="${number()}"/>`,
      () => '<feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge>',
    )();
  const look = (): string =>
    repeat(Math.floor(random() * 3), () =>
      one(
        () => ` opacity="${random().toFixed(2)}"`,
        () => ' filter="url(#f)"',
        () => ' mask="url(#m)"',
        () => ' clip-path="url(#c)"',
        () => ` transform="${one('scale', 'rotate', 'translate', 'skewX')}(${number()})"`,
        () => ` stroke="red" stroke-width="${size()}" stroke-dasharray="${number()}"`,
        () => ' fill="url(#p)"',
        () => ' fill="url(#g)"',
        () => ' stroke="blue" marker-mid="url(#k)"',
      )(),
    ).replaceAll(/( [\w-]+=)(?=.*\1)/g, ' data-x=');
  const shape = (): string =>
    one(
      () => `<rect x="${size()}" y="${size()}" width="${size()}" height="${size()}"${look()}/>`,
      () => `<circle cx="${size()}" cy="${size()}" r="${size()}"${look()}/>`,
      () =>
        `<path d="M${size()} ${size()}${repeat(count() * 10, () => `L${Math.floor(random() * 100)} ${Math.floor(random() * 100)}`)}"${look()}/>`,
      () =>
        `<path d="M0 0${repeat(count(), () => `A${Math.floor(random() * 90)} 9 0 1 0 ${Math.floor(random() * 100)} 9`)}"${look()}/>`,
      () => `<use href="#s" x="${size()}"${look()}/>`,
    )();
  const group = (depth: number): string => {
    if (depth === 0) return shape();
    const inner = random() < 0.5 ? shape().repeat(count()) : repeat(Math.ceil(random() * 4), () => group(depth - 1));
    return `<g${look()}>${inner}</g>`;
  };
  const region = random() < 0.5 ? '' : `x="${number()}" y="${number()}" width="${number()}" height="${number()}"`;
  const definitions = [
    `<rect id="s" width="${size()}" height="${size()}" fill="#123"/>`,
    `<filter id="f" ${region} ${one('', 'filterUnits="userSpaceOnUse"', 'primitiveUnits="objectBoundingBox"')}>${repeat(Math.ceil(random() * 6), primitive)}</filter>`,
    `<mask id="m"><rect width="${size()}" height="${size()}" fill="#fff"/></mask>`,
    `<clipPath id="c"><circle cx="50" cy="50" r="${size()}"/></clipPath>`,
    `<pattern id="p" width="${size()}" height="${size()}" ${one('', 'patternUnits="userSpaceOnUse"')}><circle r="${size()}"/></pattern>`,
    `<linearGradient id="g"><stop stop-color="red"/><stop offset="1"/></linearGradient>`,
    `<marker id="k" markerWidth="${size()}" markerHeight="${size()}"><rect width="9" height="9"/></marker>`,
  ];
  const box = random() < 0.8 ? '0 0 100 100' : `0 0 ${number()} ${number()}`;
  return drawing(definitions.join('') + repeat(Math.ceil(random() * 4), () => group(3)), `viewBox="${box}"`);
}
