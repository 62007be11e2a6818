/** A piece of clip art: a toucan on a branch in five flat colors, 800 x 800 on a transparent ground. */

const INK = '#1d2733';
const CREAM = '#fff3d9';
const YELLOW = '#ffc72e';
const ORANGE = '#ff9b4d';
const GREEN = '#68d3a0';

/** Returns a leaf from its foot: its length, and half its width. Its rib is left open. */
function leaf(x: number, y: number, degrees: number, length: number, half: number): string {
  const outline = `M0 0C${length * 0.2} ${-half * 1.3} ${length * 0.7} ${-half * 1.2} ${length} 0C${length * 0.7} ${half * 1.2} ${length * 0.2} ${half * 1.3} 0 0Z`;
  return `<g transform="translate(${x} ${y}) rotate(${degrees})"><path d="${outline}" fill="${GREEN}" stroke="${INK}" stroke-width="12"/><path d="M${length * 0.14} 0H${length * 0.76}" stroke="${INK}" stroke-width="8"/></g>`;
}

const toe = (x: number) =>
  `<path d="M${x} 618q-2-34 22-34t22 34v18q0 22-22 22t-22-22z" fill="${YELLOW}" stroke="${INK}" stroke-width="10"/>`;

export const clipArt = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="800" viewBox="0 0 800 800" stroke-linejoin="round" stroke-linecap="round" fill="none">
${leaf(636, 610, -48, 170, 52)}${leaf(158, 664, -150, 126, 40)}
<path d="M560 560 668 742Q640 774 592 764L486 600Z" fill="${INK}" stroke="${INK}" stroke-width="12"/>
<path d="M566 606 640 738M528 606 606 748" stroke="${CREAM}" stroke-width="8"/>
<path d="M64 640Q240 600 420 622T744 590Q766 590 766 612T744 638Q600 648 430 668T70 690Q46 688 46 664T64 640Z" fill="${ORANGE}" stroke="${INK}" stroke-width="12"/>
<path d="M120 664Q190 646 262 648M560 634Q620 626 676 620" stroke="${INK}" stroke-width="8"/>
${leaf(700, 640, 52, 128, 40)}${leaf(214, 678, 128, 110, 36)}
<path d="M448 62C566 58 640 150 646 296C652 440 640 540 566 606Q520 640 448 626C366 606 330 510 336 410L330 180C340 108 384 66 448 62Z" fill="${INK}" stroke="${INK}" stroke-width="12"/>
<path d="M352 262C332 330 334 420 392 438C462 456 520 390 516 300C514 236 486 176 420 168C384 164 360 200 352 262Z" fill="${CREAM}"/>
<path d="M372 432C380 480 436 496 486 466C510 450 522 420 524 392C500 430 440 464 372 432Z" fill="${ORANGE}"/>
<path d="M528 330C600 352 628 440 596 540C586 566 570 584 552 594C508 548 488 440 528 330Z" fill="${INK}" stroke="${CREAM}" stroke-width="9"/>
<path d="M560 432Q580 482 568 536M534 446Q546 500 544 540" stroke="${CREAM}" stroke-width="8"/>
<path d="M372 128C268 70 124 92 66 196C40 246 40 306 60 344C68 358 84 358 90 344C104 310 132 296 172 300C236 308 306 318 362 320C392 318 398 282 398 226C398 176 392 140 372 128Z" fill="${YELLOW}" stroke="${INK}" stroke-width="12"/>
<path d="M66 196C40 246 40 306 60 344C68 358 84 358 90 344C104 310 132 296 172 300C150 262 118 220 66 196Z" fill="${INK}"/>
<path d="M136 256C206 238 310 244 397 244C397 292 388 319 362 320C306 318 236 308 172 300Q160 274 136 256Z" fill="${ORANGE}" stroke="${INK}" stroke-width="12"/>
<circle cx="440" cy="206" r="64" fill="${INK}"/><circle cx="444" cy="206" r="50" fill="${GREEN}" stroke="${INK}" stroke-width="10"/>
<circle cx="440" cy="206" r="27" fill="${INK}"/><circle cx="431" cy="196" r="9" fill="${CREAM}"/>
${toe(420)}${toe(468)}
</svg>`;
