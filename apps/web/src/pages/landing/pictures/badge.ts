/** The badge of a made-up customer, 480 x 480 on white. The pictures of the landing page are made from it. */
import type { FontSource } from '@markwright/scene';

export const BADGE_FONT = 'Archivo Black';

const SPRUCE = '#173f35';
const MOSS = '#7ba08a';
const CREAM = '#f4e7cb';
const RUST = '#cf5a2c';

/** Returns the path of a fir with three tiers: `x` and `y` of its tip, half the width of its foot, its height. */
function firPath(x: number, y: number, half: number, height: number): string {
  const tier = (to: number, reach: number) =>
    `L${x + half * reach} ${y + height * to}L${x + half * reach * 0.52} ${y + height * (to - 0.015)}`;
  const right = `${tier(0.36, 0.56)}${tier(0.66, 0.8)}L${x + half} ${y + height}`;
  const left = [
    [1, 1],
    [0.8 * 0.54, 0.645],
    [0.8, 0.66],
    [0.56 * 0.54, 0.345],
    [0.56, 0.36],
  ].map(([reach, at]) => `L${x - half * reach!} ${y + height * at!}`);
  return `M${x} ${y}${right}${left.join('')}Z`;
}

/** Draws words around the center of the badge, their baseline at `radius`; at the lower edge when `isBelow`. */
function drawWordsAround(words: string, fonts: FontSource, em: number, radius: number, isBelow: boolean): string {
  const outline = fonts.outline({
    text: words,
    fontFamily: BADGE_FONT,
    isBold: true,
    isItalic: false,
    letterSpacing: 0.07,
    arcRadius: (isBelow ? -radius : radius) / em,
  });
  if (!outline) throw new Error(`${BADGE_FONT} is not loaded`);
  const y = 240 + (isBelow ? radius : -radius);
  return `<path fill="${CREAM}" fill-rule="evenodd" transform="translate(${240 - (em * outline.advance) / 2} ${y}) scale(${em})" d="${outline.d}"/>`;
}

export function drawBadge(fonts: FontSource): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="480" viewBox="0 0 480 480">
<rect width="480" height="480" fill="${CREAM}"/>
<circle cx="240" cy="240" r="228" fill="${SPRUCE}"/>
<path fill="${CREAM}" fill-rule="evenodd" d="M240 22a218 218 0 1 0 .01 0zM240 29a211 211 0 1 1-.01 0z"/>
${drawWordsAround('NORTH FORK', fonts, 47, 166, false)}
${drawWordsAround('OUTFITTERS', fonts, 47, 200, true)}
<circle cx="56.500" cy="240" r="8" fill="${RUST}"/><circle cx="423.500" cy="240" r="8" fill="${RUST}"/>
<clipPath id="in"><circle cx="240" cy="240" r="146"/></clipPath>
<g clip-path="url(#in)">
<rect x="80" y="80" width="320" height="235" fill="${CREAM}"/>
<circle cx="298" cy="184" r="44" fill="${RUST}"/>
<path fill="${MOSS}" d="M80 300 150 214 190 250 232 206 300 262 338 226 400 292V318H80Z"/>
<path fill="${SPRUCE}" d="M104 330 222 140 342 330Z"/>
<path fill="${CREAM}" d="M222 160 191 212 205 206 216 226 230 204 247 220 256 214Z"/>
<path fill="${SPRUCE}" d="M80 322Q160 296 240 318T400 312V400H80Z"/>
<path fill="${SPRUCE}" d="${firPath(140, 226, 30, 110)}${firPath(338, 236, 28, 100)}${firPath(302, 266, 21, 72)}"/>
<path fill="${CREAM}" d="M232 322Q262 334 238 348T222 392H268Q258 368 276 350T248 322Z"/>
</g></svg>`;
}
